import { useQuery } from '@tanstack/react-query'
import type { Shipment } from '../../../../src/contract/public/shipment.js'
import { AppLink } from '../../../ui/app-link.js'
import { InvoiceStatusBadge } from '../../../ui/badges.js'
import { MoneyText } from '../../../ui/money-text.js'
import { Section } from '../../../ui/section.js'
import { Lines } from '../../../ui/states.js'
import { invoiceQuery, invoiceStandingQuery } from '../../api/queries.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { SectionError } from './section-error.js'
import styles from './shipment.module.css'

/** The invoices of a shipment, each in its own currency. */
export function InvoicesSection({ shipment }: { shipment: Shipment }) {
  const { shipment: messages, statuses } = useMessages()
  const m = messages.invoices
  const { invoice_references: numbers = [], invoice_status } = shipment
  return (
    <Section
      anchor="invoices"
      title={m.title}
      aside={invoice_status && statuses.shipmentInvoice[invoice_status]}
      isBare={numbers.length > 0}
    >
      {numbers.length === 0 ? (
        <p className="soft">{m.none}</p>
      ) : (
        <ul className={styles.rows}>
          {numbers.map((number) => (
            <li key={number}>
              <InvoiceRow number={number} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function InvoiceRow({ number }: { number: string }) {
  const { shipment, statuses } = useMessages()
  const m = shipment.invoices
  const f = useFormat()
  const invoice = useQuery(invoiceQuery(number))
  const reference = invoice.data?.reference
  const standing = useQuery({ ...invoiceStandingQuery(reference ?? number), enabled: reference !== undefined })
  if (invoice.isPending) return <Lines count={2} />
  if (!invoice.data) return <SectionError error={invoice.error} retry={() => void invoice.refetch()} />
  const { type, status, due_date } = invoice.data
  const isOpen = status !== 'paid' && status !== 'write_off' && type !== 'credit_note'
  return (
    <div className={styles.invoice}>
      <span className={styles.stack}>
        <AppLink href={paths.invoice(invoice.data.reference)} className="mono">
          {number}
        </AppLink>
        <span className="small soft">
          {type === 'credit_note' ? statuses.invoiceType.credit_note : isOpen && due_date && m.due(f.day(due_date))}
        </span>
      </span>
      <span className={styles.amounts}>
        {standing.isError && <span className="small soft">{m.noAmount}</span>}
        {standing.data?.totals.map(({ gross }) => (
          <MoneyText key={gross.currency} price={gross} />
        ))}
        {status && <InvoiceStatusBadge status={status} />}
      </span>
    </div>
  )
}
