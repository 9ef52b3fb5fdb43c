import type { OrderArrival } from '../../../../src/contract/portal/inbound.js'
import { LateChip } from '../../../ui/badges.js'
import { ExpectedDay } from '../inbound/expected-day.js'
import styles from './orders.module.css'

/** By the reference of the order. */
export type Arrivals = ReadonlyMap<string, OrderArrival>

/** When an order arrives, and how late that is. */
export function OrderArrivalText({ arrival }: { arrival: OrderArrival | undefined }) {
  if (!arrival) return null
  return (
    <span className={styles.arrival}>
      <ExpectedDay {...arrival} />
      <LateChip days={arrival.days_late ?? 0} />
    </span>
  )
}
