import { priceOfLines, quantitiesOf } from '../../../../src/domain/purchase-orders/order-quantities.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages, useReader } from '../../i18n/messages.js'
import { numberOf } from './number-input.js'
import { isBlankLine, type LineDraft } from './order-draft.js'
import styles from './order-form.module.css'

/** Running totals: lines, pieces and price per currency. */
export function OrderSum({ lines }: { lines: LineDraft[] }) {
  const m = useMessages()
  const format = useFormat()
  const { language } = useReader()
  const typed = lines.filter((line) => !isBlankLine(line))
  if (typed.length === 0) return null
  const counted = typed.map(({ ordered_quantity, price, currency }) => {
    const amount = numberOf(price, language)
    return {
      ordered_quantity: positive(numberOf(ordered_quantity, language)),
      ...(typeof amount === 'number' && currency !== '' && { unit_price: { amount, currency } }),
    }
  })
  const costs = priceOfLines(counted)
    .filter(({ amount }) => amount !== 0)
    .map((price) => format.money(price))
  const { ordered } = quantitiesOf(counted)
  return (
    <span className={styles.hint}>
      {[m.orders.lineCount(typed.length), m.orders.pieces(ordered, format.number(ordered)), ...costs].join(' · ')}
    </span>
  )
}

function positive(value: number | string | undefined): number {
  return typeof value === 'number' && value > 0 ? value : 0
}
