import type { InvoicePage } from '../../../../src/contract/portal/lists.js'
import type { Invoice } from '../../../../src/contract/public/invoice.js'
import type { Price } from '../../../../src/contract/public/shared-types.js'
import { MoneyText } from '../../../ui/money-text.js'
import styles from './invoices.module.css'

/** Gross totals by currency, by the reference of the invoice. */
export type Gross = ReadonlyMap<string, Price[]>

export function grossOf(pages: InvoicePage[] = []): Gross {
  return new Map(pages.flatMap(({ gross }) => gross.map((each) => [each.reference, each.amounts] as const)))
}

/** Gross total per currency; negative for credit notes. */
export function GrossText({ invoice: { type, reference }, gross }: { invoice: Invoice; gross: Gross }) {
  const sign = type === 'credit_note' ? -1 : 1
  return (
    <span className={styles.gross}>
      {(gross.get(reference) ?? []).map(({ amount, currency }) => (
        <MoneyText key={currency} price={{ amount: sign * amount, currency }} />
      ))}
    </span>
  )
}
