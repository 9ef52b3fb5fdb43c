import type { Overview } from '../../../../src/contract/portal/overview.js'
import { AppLink } from '../../../ui/app-link.js'
import { MoneyText } from '../../../ui/money-text.js'
import { Section } from '../../../ui/section.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import styles from './overview.module.css'

/** Outstanding and overdue amounts per currency. */
export function InvoicesToPay({ invoices, isAll }: { invoices: Overview['invoices']; isAll: boolean }) {
  const m = useMessages().overview
  return (
    <Section title={m.invoices} aside={<AppLink href={paths.invoices()}>{m.allInvoices}</AppLink>} isBare>
      {invoices.length === 0 ? (
        <p className={`soft ${styles.nothing}`}>{m.nothingToPay}</p>
      ) : (
        <div>
          <table className={styles.money} aria-label={m.invoices}>
            <thead>
              <tr>
                <th scope="col">{m.currency}</th>
                <th scope="col" className="number">
                  {m.open}
                </th>
                <th scope="col" className="number">
                  {m.overdue}
                </th>
              </tr>
            </thead>
            <tbody>
              {invoices.map(({ currency, open, open_count, overdue, overdue_count }) => (
                <tr key={currency}>
                  <th scope="row">{currency}</th>
                  <Amount state="open" currency={currency} amount={open} count={open_count} />
                  <Amount state="overdue" currency={currency} amount={overdue} count={overdue_count} />
                </tr>
              ))}
            </tbody>
          </table>
          {!isAll && <p className={`small soft ${styles.nothing}`}>{m.notAll}</p>}
        </div>
      )}
    </Section>
  )
}

type AmountProps = { state: 'open' | 'overdue'; currency: string; amount: number; count: number }

function Amount({ state, currency, amount, count }: AmountProps) {
  const m = useMessages().overview
  if (count === 0) return <td className="number soft">{m.noOverdue}</td>
  return (
    <td className="number">
      <AppLink href={paths.invoices({ state, currency })} className={styles.amount} data-state={state}>
        <MoneyText price={{ amount, currency }} />
        <span className={styles.detail}>{m.invoiceCount(count)}</span>
      </AppLink>
    </td>
  )
}
