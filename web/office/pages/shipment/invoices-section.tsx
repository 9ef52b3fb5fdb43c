import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Shipment } from '../../../../src/contract/public/shipment.js'
import { SectionError } from '../../../portal/pages/shipment/section-error.js'
import { AppLink } from '../../../ui/app-link.js'
import { InvoiceStatusBadge, StatusBadge } from '../../../ui/badges.js'
import { Button } from '../../../ui/button.js'
import { MoneyText } from '../../../ui/money-text.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { Lines } from '../../../ui/states.js'
import { useMayDo } from '../../api/ops.js'
import { type ShipmentParams, shipmentInvoicesQuery } from '../../api/shipment.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { DraftDialog } from '../billing/draft-dialog.js'

type Props = { params: ShipmentParams; freight_mode: Shipment['freight_mode'] | undefined }

/** Invoices, credit notes and drafts of the shipment. */
export function InvoicesSection({ params, freight_mode }: Props) {
  const { file: m, billing } = useOfficeMessages()
  const { data, error, refetch } = useQuery(shipmentInvoicesQuery(params))
  const mayInvoice = useMayDo('invoice')
  const [isDrafting, setDrafting] = useState(false)
  return (
    <Section
      title={m.invoices}
      anchor="invoices"
      isBare={data !== undefined && data.length > 0}
      aside={
        mayInvoice && (
          <Button size="xs" variant="default" onClick={() => setDrafting(true)}>
            {billing.draftInvoice}
          </Button>
        )
      }
    >
      {data === undefined ? (
        error ? (
          <SectionError error={error} retry={() => void refetch()} />
        ) : (
          <Lines count={3} />
        )
      ) : data.length === 0 ? (
        <p className="soft">{m.noInvoices}</p>
      ) : (
        <PlainTable
          label={m.invoices}
          rows={data}
          rowKey={({ reference }) => reference}
          versionOf={(row) => JSON.stringify(row)}
          columns={[
            {
              id: 'number',
              header: m.number,
              isName: true,
              cell: ({ reference, number, type }) => (
                <>
                  <AppLink href={paths.invoice(params.account, reference)} className="mono">
                    {number ?? reference}
                  </AppLink>{' '}
                  {type === 'credit_note' && <span className="small soft">{billing.creditNote}</span>}
                </>
              ),
            },
            {
              id: 'status',
              header: m.status,
              cell: ({ draft, status }) =>
                draft ? (
                  <StatusBadge tone="planned">{billing.draft}</StatusBadge>
                ) : (
                  status && <InvoiceStatusBadge status={status} />
                ),
            },
            {
              id: 'amount',
              header: m.amount,
              align: 'right',
              cell: ({ totals }) => totals.map((price) => <MoneyText key={price.currency} price={price} />),
            },
          ]}
        />
      )}
      {isDrafting && <DraftDialog of={{ ...params, freight_mode }} onClose={() => setDrafting(false)} />}
    </Section>
  )
}
