import { IconUserPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { mayInPortal } from '../../../../../src/contract/portal/rights.js'
import type { RequiredDocument } from '../../../../../src/contract/public/checklist.js'
import type { DocumentType } from '../../../../../src/contract/public/document-types.js'
import { Button } from '../../../../ui/button.js'
import { hasDraft } from '../../../../ui/use-draft.js'
import { api } from '../../../api/client.js'
import { checklistsQuery, proposalsQuery } from '../../../api/queries.js'
import { useSession } from '../../../api/session.js'
import { useMessages } from '../../../i18n/messages.js'
import { Checklist } from './checklist.js'
import styles from './exchange.module.css'
import { InviteDialog, supplierDraft } from './invite-dialog.js'
import { ProposalList } from './proposal-list.js'
import { UploadField } from './upload-field.js'

/** What a shipment lacks, what was proposed, and how to send more. */
export function DocumentExchange({ shipment }: { shipment: string }) {
  const { proposals: m } = useMessages()
  const { person } = useSession()
  const queries = useQueryClient()
  const checklists = useQuery(checklistsQuery([shipment]))
  const proposals = useQuery(proposalsQuery({ svc_shipment_id: shipment, take: 20 }))
  const [isInviting, setInviting] = useState(() => hasDraft(supplierDraft(shipment)))
  const required = checklists.data?.[0]?.documents ?? []
  // What was accepted is among the documents.
  const waiting = (proposals.data ?? []).filter(({ state }) => state !== 'accepted')

  async function send(file: File, type: DocumentType | undefined): Promise<void> {
    await proposeDocument({ file, shipment, type })
    await queries.invalidateQueries({ queryKey: ['document'] })
  }

  return (
    <div className={styles.exchange}>
      <Checklist documents={required} />
      {waiting.length > 0 && <ProposalList proposals={waiting} />}
      {mayInPortal(person.role, 'write') && (
        <>
          <UploadField wanted={wantedOf(required)} send={send} />
          <div className={styles.actions}>
            <Button
              variant="default"
              leftSection={<IconUserPlus size={16} stroke={1.8} aria-hidden="true" />}
              onClick={() => setInviting(true)}
            >
              {m.invite}
            </Button>
          </div>
        </>
      )}
      {isInviting && <InviteDialog shipment={shipment} onClose={() => setInviting(false)} />}
    </div>
  )
}

type Proposed = { file: File; shipment: string | undefined; type: DocumentType | undefined }

export async function proposeDocument({ file, shipment, type }: Proposed): Promise<void> {
  const body = new FormData()
  if (shipment !== undefined) body.set('svc_shipment_id', shipment)
  if (type !== undefined) body.set('type', type)
  body.set('file', file)
  await api.v1.proposeDocument({ body })
}

const typeOf: Record<RequiredDocument['type'], DocumentType | undefined> = {
  dangerous_goods_declaration: 'dangerous_goods_declaration',
  commercial_invoice: 'commercial_invoice',
  packing_list: 'packing_list',
  bill_of_lading: 'house_bill_of_lading',
  air_waybill: 'house_airway_bill',
  arrival_notice: undefined,
  proof_of_delivery: 'proof_of_delivery',
}

/** The types of documents that meet what is missing. */
export function wantedOf(required: Pick<RequiredDocument, 'type' | 'present' | 'waived'>[]): DocumentType[] {
  return required.filter(({ present, waived }) => !present && !waived).flatMap(({ type }) => typeOf[type] ?? [])
}
