import type { InvoiceStanding } from '../../../../src/contract/portal/overview.js'
import type { Invoice } from '../../../../src/contract/public/invoice.js'
import type { Price } from '../../../../src/contract/public/shared-types.js'
import { AppLink } from '../../../ui/app-link.js'
import { DayText } from '../../../ui/day-text.js'
import { MoneyText } from '../../../ui/money-text.js'
import { Section } from '../../../ui/section.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import styles from './invoices.module.css'
import { isOpen } from './is-open.js'

type Props = { invoice: Invoice; standing: InvoiceStanding }

/** Totals per currency, payments, credit notes and the outstanding balance. */
export function InvoiceStandingView({ invoice, standing }: Props) {
  const m = useMessages().invoice
  const format = useFormat()
  const { totals, payments, credit_notes, credits } = standing
  const { usd_to_eur_rate: rate } = invoice
  const rateText = rate !== undefined && m.rateText(format.number(rate, { maximumFractionDigits: 6 }))
  return (
    <div className={styles.standing}>
      {totals.length > 0 && (
        <Section title={m.totals} {...(rateText && { aside: rateText })} isBare>
          <div className={styles.totals}>
            {totals.map((total) => (
              <CurrencyTotal key={total.gross.currency} total={total} invoice={invoice} standing={standing} />
            ))}
          </div>
        </Section>
      )}
      {payments.length > 0 && (
        <Section title={m.payments}>
          <ul className={styles.plain}>
            {payments.map(({ amount, paid_on, reference }, index) => (
              <li key={`${index} ${reference}`}>
                <span>
                  {paid_on && <DayText date={paid_on} isShort />}{' '}
                  {reference && <span className="mono soft">{reference}</span>}
                </span>
                <MoneyText price={amount} className="strong" />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {credit_notes.length > 0 && (
        <Section title={m.creditNotes}>
          <ul className={styles.plain}>
            {credit_notes.map(({ reference, number }) => (
              <li key={reference}>
                <AppLink href={paths.invoice(reference)} className="mono">
                  {number ?? reference}
                </AppLink>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {credits && (
        <Section title={m.credits}>
          <AppLink href={paths.invoice(credits.reference)} className="mono">
            {credits.number ?? credits.reference}
          </AppLink>
        </Section>
      )}
    </div>
  )
}

function CurrencyTotal({ total, invoice, standing }: Props & { total: InvoiceStanding['totals'][number] }) {
  const m = useMessages().invoice
  const format = useFormat()
  const { currency } = total.gross
  const inThis = (prices: Price[]) => prices.find((price) => price.currency === currency)
  const credited = inThis(standing.credited)
  const paid = inThis(standing.paid)
  const balance = inThis(standing.balance)
  const taken = ({ amount }: Price) => format.money({ amount: -amount, currency })
  return (
    <div className={`panel ${styles.total}`}>
      <dl>
        <Row label={m.net} value={format.money(total.net)} />
        <Row label={m.vat} value={format.money(total.vat)} />
        <Row label={m.gross} value={format.money(total.gross)} isSum />
        {credited && credited.amount !== 0 && <Row label={m.credited} value={taken(credited)} />}
        {paid && paid.amount !== 0 && <Row label={m.paid} value={taken(paid)} />}
        {balance && isOpen(invoice) && (
          <Row label={balance.amount < 0 ? m.paidTooMuch : m.stillOpen} value={format.money(balance)} isSum />
        )}
      </dl>
    </div>
  )
}

function Row({ label, value, isSum = false }: { label: string; value: string; isSum?: boolean }) {
  return (
    <div className={isSum ? styles.sum : undefined}>
      <dt>{label}</dt>
      <dd className="nowrap">{value}</dd>
    </div>
  )
}
