import type { Invoice } from '../../../../src/contract/public/invoice.js'
import { InvoiceStatusBadge } from '../../../ui/badges.js'
import { useMessages } from '../../i18n/messages.js'
import lists from '../lists.module.css'
import { DueText } from './due-text.js'
import { type Gross, GrossText } from './gross-text.js'

export function InvoiceCard({ invoice, gross }: { invoice: Invoice; gross: Gross }) {
  const { statuses } = useMessages()
  const { number, reference, type, status, svc_shipment_id } = invoice
  return (
    <div className={lists.card}>
      <div className={lists.cardRow}>
        <span className="mono strong clipped">{number ?? reference}</span>
        <span className="strong">
          <GrossText invoice={invoice} gross={gross} />
        </span>
      </div>
      <div className={lists.cardRow}>
        <span className="small soft clipped">
          {[type && statuses.invoiceType[type], svc_shipment_id].filter(Boolean).join(' · ')}
        </span>
        <InvoiceStatusBadge status={status} />
      </div>
      <div className="small">
        <DueText invoice={invoice} />
      </div>
    </div>
  )
}
