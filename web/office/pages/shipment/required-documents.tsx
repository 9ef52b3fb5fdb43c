import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RequiredDocument, RequiredDocumentType } from '../../../../src/contract/public/checklist.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { stateOf } from '../../../portal/pages/documents/exchange/checklist.js'
import { StatusBadge, type Tone } from '../../../ui/badges.js'
import { Button } from '../../../ui/button.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { ReasonDialog } from '../../actions/reason-dialog.js'
import { useActions } from '../../actions/use-actions.js'
import { ops, useMayDo } from '../../api/ops.js'
import { checklistQuery, type ShipmentParams } from '../../api/shipment.js'
import { useOfficeMessages } from '../../i18n/messages.js'

const tones: Record<ReturnType<typeof stateOf>, Tone> = {
  present: 'done',
  missing: 'problem',
  later: 'planned',
  waived: 'planned',
}

/** The documents that the mode and the stage of the shipment need. One can be waived with a reason, and required again. */
export function RequiredDocuments({ params }: { params: ShipmentParams }) {
  const { file: m } = useOfficeMessages()
  const { proposals } = useMessages()
  const f = useFormat()
  const { run, isBusy } = useActions()
  const mayOperate = useMayDo('operate')
  const { data } = useQuery(checklistQuery(params))
  const [waived, setWaived] = useState<RequiredDocumentType>()
  const requireAgain = (type: RequiredDocumentType) => ops.requireDocument({ params: { ...params, type } })
  const require = (type: RequiredDocumentType) =>
    run(async () => {
      await requireAgain(type)
      return { text: m.requiredAgain }
    })
  const waive = (type: RequiredDocumentType) => async (reason: string) => {
    await ops.waiveDocument({ params, body: { type, reason } })
    return { text: m.waivedDone, undo: () => requireAgain(type) }
  }
  if (!data || data.documents.length === 0) return null
  const standing = (document: RequiredDocument) => {
    const state = stateOf(document)
    const since = document.required_since?.slice(0, 10)
    const text = state === 'later' && since ? proposals.neededFrom(f.day(since)) : proposals.states[state]
    return <StatusBadge tone={tones[state]}>{text}</StatusBadge>
  }
  return (
    <>
      <PlainTable
        label={proposals.checklist}
        rows={data.documents}
        rowKey={({ type }) => type}
        columns={[
          { id: 'type', header: proposals.checklist, isName: true, cell: ({ type }) => proposals.required[type] },
          { id: 'state', header: m.status, cell: standing },
          {
            id: 'actions',
            header: m.waive,
            isPlain: true,
            align: 'right',
            cell: ({ type, present, waived: isWaived }) =>
              mayOperate &&
              !present && (
                <Button
                  size="xs"
                  variant="default"
                  disabled={isBusy}
                  aria-label={`${isWaived ? m.requireAgain : m.waive}: ${proposals.required[type]}`}
                  onClick={() => (isWaived ? void require(type) : setWaived(type))}
                >
                  {isWaived ? m.requireAgain : m.waive}
                </Button>
              ),
          },
        ]}
      />
      {waived && (
        <ReasonDialog
          draft={`waive ${params.account} ${params.svc_shipment_id} ${waived}`}
          title={`${m.waive}: ${proposals.required[waived]}`}
          confirm={m.waive}
          onClose={() => setWaived(undefined)}
          act={waive(waived)}
        />
      )}
    </>
  )
}
