import type { OrderQuantities } from '../../../../src/domain/purchase-orders/order-quantities.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import styles from './orders.module.css'

/** Assigned and shipped shares of the ordered quantity. */
export function QuantityBar({ ordered, assigned, shipped }: OrderQuantities) {
  const m = useMessages()
  const format = useFormat()
  const share = (quantity: number) => (ordered > 0 ? Math.min(100, (100 * quantity) / ordered) : 0)
  return (
    <svg
      className={styles.bar}
      viewBox="0 0 100 8"
      preserveAspectRatio="none"
      role="img"
      aria-label={m.orders.progress(format.number(ordered), format.number(assigned), format.number(shipped))}
    >
      <rect className={styles.barRest} width="100" height="8" />
      <rect className={styles.barAssigned} width={share(assigned)} height="8" />
      <rect className={styles.barShipped} width={share(shipped)} height="8" />
    </svg>
  )
}
