import type { OrderArrival } from '../../../../src/contract/portal/inbound.js'
import { LateChip } from '../../../ui/badges.js'
import { ExpectedDay } from '../inbound/expected-day.js'
import styles from './orders.module.css'

/** By the reference of the order. */
export type Arrivals = ReadonlyMap<string, OrderArrival>

/** When an order arrives, and how late that is. */
export function OrderArrivalText({ arrival }: { arrival: OrderArrival | undefined }) {
  if (!arrival) return null
  const { expected_date, days_late = 0 } = arrival
  return (
    <span className={styles.arrival}>
      {/* What has no date and is late is late by today. */}
      {(expected_date !== undefined || days_late <= 0) && <ExpectedDay {...arrival} />}
      <LateChip days={days_late} />
    </span>
  )
}
