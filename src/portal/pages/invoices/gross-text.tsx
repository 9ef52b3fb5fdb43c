import type { Invoice } from '../../../contract/invoice.js'
import { totalsOf } from '../../../domain/invoice-totals.js'
import { MoneyText } from '../../parts/money-text.js'
import styles from './invoices.module.css'

/** What it asks for, or gives back, in each of its currencies. */
export function GrossText({ invoice: { lines = [], type } }: { invoice: Invoice }) {
  const sign = type === 'credit_note' ? -1 : 1
  return (
    <span className={styles.gross}>
      {totalsOf(lines).map(({ currency, gross }) => (
        <MoneyText key={currency} price={{ amount: sign * gross, currency }} />
      ))}
    </span>
  )
}
