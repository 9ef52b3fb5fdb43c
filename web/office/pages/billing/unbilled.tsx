import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormat } from '../../../portal/i18n/format.js'
import { AppLink } from '../../../ui/app-link.js'
import { ShipmentStatusBadge, StatusBadge } from '../../../ui/badges.js'
import { Button } from '../../../ui/button.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { EmptyState, ErrorState, TableSkeleton } from '../../../ui/states.js'
import { type UnbilledRow, unbilledQuery } from '../../api/billing.js'
import { useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { DraftDialog } from './draft-dialog.js'

/** Shipments under way or finished without an invoice. */
export function Unbilled({ account, q }: { account: string | undefined; q: string | undefined }) {
  const { billing: m } = useOfficeMessages()
  const f = useFormat()
  const mayInvoice = useMayDo('invoice')
  const { data, error, refetch } = useQuery(
    unbilledQuery({ ...(account !== undefined && { account }), ...(q !== undefined && { q }) }),
  )
  const [drafting, setDrafting] = useState<UnbilledRow>()
  if (!data) {
    return error ? <ErrorState error={error} retry={() => void refetch()} /> : <TableSkeleton rows={6} columns={5} />
  }
  if (data.shipments.length === 0) {
    return q === undefined ? (
      <EmptyState title={m.noUnbilled} text={m.noUnbilledText} />
    ) : (
      <EmptyState title={m.none} text={m.noneText} />
    )
  }
  return (
    <>
      <PlainTable
        label={m.views.unbilled}
        rows={data.shipments}
        rowKey={(row) => `${row.account} ${row.svc_shipment_id}`}
        columns={[
          {
            id: 'shipment',
            header: m.shipment,
            isName: true,
            cell: ({ account: of, svc_shipment_id, name }) => (
              <>
                <AppLink href={paths.shipment(of, svc_shipment_id)}>{svc_shipment_id}</AppLink>{' '}
                <span className="soft">{name ?? ''}</span>
              </>
            ),
          },
          { id: 'customer', header: m.customer, cell: ({ account_name }) => account_name },
          { id: 'status', header: m.status, cell: ({ status }) => <ShipmentStatusBadge status={status} /> },
          {
            id: 'delivered',
            header: m.delivered,
            cell: ({ delivered_on }) => (delivered_on === undefined ? '–' : f.day(delivered_on)),
          },
          {
            id: 'draft',
            header: m.draftFrom,
            isPlain: true,
            align: 'right',
            cell: (row) => (
              <>
                {row.has_draft && <StatusBadge tone="planned">{m.hasDraft}</StatusBadge>}{' '}
                {mayInvoice && (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`${m.draftFrom}: ${row.svc_shipment_id}`}
                    onClick={() => setDrafting(row)}
                  >
                    {m.draftFrom}
                  </Button>
                )}
              </>
            ),
          },
        ]}
      />
      {drafting && <DraftDialog of={drafting} onClose={() => setDrafting(undefined)} />}
    </>
  )
}
