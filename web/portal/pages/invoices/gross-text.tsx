import type { Invoice } from '../../../../src/contract/public/invoice.js'
import { totalsOf } from '../../../../src/domain/invoices/invoice-totals.js'
import { MoneyText } from '../../../ui/money-text.js'
import styles from './invoices.module.css'

/** Gross total per currency; negative for credit notes. */
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
