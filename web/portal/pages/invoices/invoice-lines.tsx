import type { InvoiceLine } from '../../../../src/contract/public/invoice.js'
import { MoneyText } from '../../../ui/money-text.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import styles from './invoices.module.css'

export function InvoiceLines({ lines }: { lines: InvoiceLine[] }) {
  const m = useMessages().invoice
  if (lines.length === 0) return <p className="soft">{m.noLines}</p>
  return (
    <div className={`panel ${styles.scroll}`}>
      <table className={styles.lines} aria-label={m.lines}>
        <thead>
          <tr>
            <th scope="col">{m.description}</th>
            <th scope="col" className={styles.amount}>
              {m.quantity}
            </th>
            <th scope="col" className={styles.amount}>
              {m.unitRate}
            </th>
            <th scope="col" className={styles.amount}>
              {m.vat}
            </th>
            <th scope="col" className={styles.amount}>
              {m.price}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            // Lines have no identifier and a fixed order.
            <Line key={index} line={line} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Line({ line }: { line: InvoiceLine }) {
  const m = useMessages().invoice
  const format = useFormat()
  const { category, description, quantity, unit_rate, vatRate, price } = line
  const category_ =
    category && (Object.hasOwn(m.categories, category) ? m.categories[category as keyof typeof m.categories] : category)
  return (
    <tr>
      <td>
        {description ?? category_}
        {description && category_ && <div className={styles.category}>{category_}</div>}
      </td>
      <td className={styles.amount} data-label={m.quantity}>
        {quantity?.value !== undefined && format.number(quantity.value)} {quantity?.unit}
      </td>
      <td className={styles.amount} data-label={m.unitRate}>
        {unit_rate ? <MoneyText price={unit_rate} /> : '–'}
      </td>
      <td className={styles.amount} data-label={m.vat}>
        {vatRate === undefined ? '–' : format.percent(vatRate)}
      </td>
      <td className={styles.amount} data-label={m.price}>
        {price ? <MoneyText price={price} className="strong" /> : '–'}
      </td>
    </tr>
  )
}
