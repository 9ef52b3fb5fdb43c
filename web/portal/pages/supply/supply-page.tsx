import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import type { SupplierUpload } from '../../../../src/contract/portal/supplier-links.js'
import { Notice } from '../../../ui/notice.js'
import { ErrorState, Lines } from '../../../ui/states.js'
import { refusalCodeOf } from '../../api/client.js'
import { getSupplierUpload, sendSupplierFile } from '../../api/supplier.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { wantedOf } from '../documents/exchange/document-exchange.js'
import styles from '../documents/exchange/exchange.module.css'
import { ProposalList } from '../documents/exchange/proposal-list.js'
import { UploadField } from '../documents/exchange/upload-field.js'
import { Frame } from '../sign-in/frame.js'

/** Where an invited supplier uploads documents of one shipment. The token is in the fragment, which browsers do not send. */
export function SupplyPage() {
  const { hash: token } = useLocation()
  const { proposals: m, common } = useMessages()
  const queries = useQueryClient()
  const queryKey = ['supply', token]
  const found = useQuery({
    queryKey,
    queryFn: ({ signal }) => getSupplierUpload(token, signal),
    retry: (count, error) => count < 2 && !isGone(error),
    refetchInterval: 60_000,
  })

  if (found.data) {
    const send = async (file: File, type: Parameters<typeof sendSupplierFile>[2]) =>
      queries.setQueryData(queryKey, await sendSupplierFile(token, file, type))
    return <Upload upload={found.data} send={send} />
  }
  if (found.error && isGone(found.error)) {
    return (
      <Frame title={m.linkGone} lead={m.linkGoneText}>
        {null}
      </Frame>
    )
  }
  return (
    <Frame title={found.error ? common.errorTitle : m.supplyTitle}>
      {found.error ? <ErrorState error={found.error} retry={() => void found.refetch()} /> : <Lines count={4} />}
    </Frame>
  )
}

function isGone(error: unknown): boolean {
  return refusalCodeOf(error) === 'supplier_link_not_valid'
}

type Props = { upload: SupplierUpload; send: Parameters<typeof UploadField>[0]['send'] }

function Upload({ upload, send }: Props) {
  const { proposals: m } = useMessages()
  const f = useFormat()
  const { shipment_name, origin, destination, supplier, forwarder, wanted, uploads, expires_at } = upload
  const route = [origin, destination].filter(Boolean).join(' – ')
  return (
    <Frame
      title={shipment_name ?? (route || m.supplyTitle)}
      lead={shipment_name === undefined || shipment_name.includes(route) ? undefined : route}
    >
      <div className={styles.exchange}>
        <p>{m.supplyLead(supplier, forwarder)}</p>
        {wanted.length > 0 && (
          <Notice tone="late" title={m.stillMissing}>
            {wanted.map((type) => m.required[type]).join(', ')}
          </Notice>
        )}
        <UploadField wanted={wantedOf(wanted.map((type) => ({ type, present: false, waived: false })))} send={send} />
        {uploads.length > 0 && <ProposalList proposals={uploads} />}
        <p className="small soft">{m.worksUntil(f.day(expires_at.slice(0, 10)))}</p>
      </div>
    </Frame>
  )
}
