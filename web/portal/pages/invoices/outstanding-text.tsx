import type { InvoicePage } from '../../../../src/contract/portal/lists.js'
import type { Price } from '../../../../src/contract/public/shared-types.js'
import { MoneyText } from '../../../ui/money-text.js'
import styles from './invoices.module.css'

/** What has to be paid, by the reference of the invoice. */
export type Outstanding = ReadonlyMap<string, Price[]>

export function outstandingOf(pages: InvoicePage[] = []): Outstanding {
  return new Map(pages.flatMap(({ outstanding }) => outstanding.map((each) => [each.reference, each.amounts] as const)))
}

/** What has to be paid per currency; a dash if that is nothing. */
export function OutstandingText({ amounts }: { amounts: Price[] | undefined }) {
  if (amounts === undefined) return <span className="soft">–</span>
  return (
    <span className={styles.gross}>
      {amounts.map((price) => (
        <MoneyText key={price.currency} price={price} />
      ))}
    </span>
  )
}
