import { useQuery } from '@tanstack/react-query'
import type { InvoiceTotals } from '../../../../src/contract/portal/overview.js'
import { sumPrices } from '../../../../src/domain/invoices/invoice-totals.js'
import { AppLink } from '../../../ui/app-link.js'
import { ErrorState, Lines } from '../../../ui/states.js'
import { invoiceTotalsQuery } from '../../api/queries.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import styles from './invoices.module.css'

type Ages = InvoiceTotals['currencies'][number]
type Age = Exclude<keyof Ages, 'currency'>

const ages: Age[] = ['not_due', 'overdue_1_to_30', 'overdue_31_to_60', 'overdue_61_to_90', 'overdue_beyond_90']

/** Outstanding amounts per currency and age. */
export function Ageing() {
  const m = useMessages().invoices
  const { data, error, refetch } = useQuery(invoiceTotalsQuery())
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) {
    return (
      <div className={styles.ageing}>
        <div className={`panel ${styles.currency}`}>
          <Lines count={5} />
        </div>
      </div>
    )
  }
  if (data.currencies.length === 0)
    return <p className={`panel ${styles.nothingOutstanding}`}>{m.nothingOutstanding}</p>
  return (
    <section aria-label={m.outstanding}>
      <ul className={styles.ageing}>
        {data.currencies.map((currency) => (
          <CurrencyAges key={currency.currency} ages={currency} />
        ))}
      </ul>
      {!data.exact && <p className="small soft">{m.notExact}</p>}
    </section>
  )
}

function CurrencyAges({ ages: owed }: { ages: Ages }) {
  const m = useMessages().invoices
  const format = useFormat()
  const { currency } = owed
  const money = (amount: number) => format.money({ amount, currency })
  const amounts = ages.map((age) => owed[age].amount)
  const open = sumOf(amounts)
  const overdue = sumOf(amounts.slice(1))
  const known = ages.filter((age) => owed[age].count > 0)
  return (
    <li className={`panel ${styles.currency}`}>
      <h2 className={styles.owed}>
        <AppLink href={paths.invoices({ state: 'open', currency })}>
          {money(open)} <span className={styles.owedWord}>{m.toBePaid}</span>
        </AppLink>
      </h2>
      <p className={styles.overdue} data-none={overdue === 0 || undefined}>
        {overdue === 0 ? (
          m.noneOverdue
        ) : (
          <AppLink href={paths.invoices({ state: 'overdue', currency })}>{m.ofItOverdue(money(overdue))}</AppLink>
        )}
      </p>
      <AgesBar shares={ages.map((age) => [age, open > 0 ? owed[age].amount / open : 0])} />
      <dl className={styles.legend}>
        {known.map((age) => (
          <div key={age}>
            <dt>
              <span className={styles.swatch} data-age={age} aria-hidden="true" />
              {m.ages[age]}
            </dt>
            <dd>
              {money(owed[age].amount)} <span className="soft">({m.invoiceCount(owed[age].count)})</span>
            </dd>
          </div>
        ))}
      </dl>
    </li>
  )
}

// For the decimal arithmetic of `sumPrices`; the currency does not matter.
function sumOf(amounts: number[]): number {
  return sumPrices(amounts.map((amount) => ({ amount, currency: 'EUR' })))[0]?.amount ?? 0
}

/** The list below, as a bar; hidden from screen readers. */
function AgesBar({ shares }: { shares: [Age, number][] }) {
  let from = 0
  return (
    <svg className={styles.bar} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      {shares.map(([age, share]) => {
        const x = from
        from += 100 * share
        return share > 0 && <rect key={age} data-age={age} x={x} width={100 * share} height="10" />
      })}
    </svg>
  )
}
