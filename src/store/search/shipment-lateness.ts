import type { Fragment, Reader } from '../../database/database.js'

/**
 * The rule of `lateDays`, as expressions on a row of `shipment_search`: its two columns, each with an index, and the number of
 * today.
 */

/** Late by its own dates; `now`: and not delivered. */
export function isLateByDates(db: Reader, late: 'true' | 'now'): Fragment {
  return late === 'now' ? db`late_days > 0 and overdue_since is not null` : db`late_days > 0`
}

/** Late because the desired day has passed. */
export function isLateByToday(db: Reader, day: number): Fragment {
  return db`overdue_since > ${-day}`
}

export function daysLateByToday(db: Reader, day: number): Fragment {
  return db`overdue_since + ${day}::integer`
}

/** By how many days; null if it is not late. */
export function lateDaysOn(db: Reader, day: number): Fragment {
  return db`greatest(late_days, case when ${isLateByToday(db, day)} then ${daysLateByToday(db, day)} end)`
}
