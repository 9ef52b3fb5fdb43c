import type { ExceptionRecord } from '../../contract/operator/exceptions.js'
import { dayNumber } from '../dates/local-days.js'
import { day } from '../dates/local-time.js'
import type { Condition, Raised } from './condition.js'

/** Whether what a person closed, or a customer accepted, has become worse than it was then, although not more severe. */

// Days of lateness beyond those that were accepted, and how many times the quantity.
const moreDays = 3
const timesQuantity = 1.1

export function hasGrown(closed: ExceptionRecord, condition: Condition, now: number): boolean {
  const before = sizeOf(closed, Date.parse(closed.closed?.at ?? ''))
  const after = sizeOf(condition, now)
  if (before.days !== undefined && after.days !== undefined && after.days - before.days > moreDays) return true
  const { quantity } = before
  return quantity !== undefined && after.quantity !== undefined && after.quantity > quantity * timesQuantity
}

/**
 * When what becomes later by the day may have grown by as much again, counted from the day on which it was overdue: that matters for
 * what a person has closed.
 */
export function nextGrowth(raised: Raised | undefined, overdue: string, now: number): number[] {
  if (raised?.state !== 'closed') return []
  const step = moreDays + 1
  const passed = Math.max(0, Math.floor((now / day - dayNumber(overdue)) / step))
  return [(dayNumber(overdue) + (passed + 1) * step) * day]
}

type Sized = Pick<Condition, 'reason_key' | 'details'>

/** The days are absent of what becomes later by the day; a sailing is later than before by its date. */
function sizeOf(
  { reason_key, details }: Sized,
  at: number,
): { days?: number | undefined; quantity?: number | undefined } {
  const { days, quantity, desired_date, date } = details
  switch (reason_key) {
    case 'late_by_dates':
    case 'late_today':
    case 'order_late':
      return { days: days ?? (desired_date === undefined ? undefined : Math.floor(at / day) - dayNumber(desired_date)) }
    case 'later_sailing':
      return { days: date === undefined ? undefined : Date.parse(date) / day }
    case 'order_unassigned':
    case 'order_short':
      return { quantity }
    default:
      return {}
  }
}
