import type { TrackingEventRecord } from '../../contract/public/tracking.js'
import { hour } from '../dates/local-time.js'

/** When an event was, as far as its date says: dates are compared by what cannot be otherwise. */

type Dated = { [Field in 'date' | 'zone' | 'precision']?: TrackingEventRecord[Field] | undefined }

/** The first and the last instant (ms) at which it may have been. */
export type Span = { from: number; to: number }

export function spanOf({ date, zone, precision }: Dated): Span {
  const at = Date.parse(date ?? '')
  const length = precision === 'day' ? 24 * hour - 1 : 0
  // A clock that was taken for UTC is 14 hours ahead of it at most, and 12 hours behind.
  const [ahead, behind] = zone === 'assumed' ? [14 * hour, 12 * hour] : [0, 0]
  return { from: at - ahead, to: at + length + behind }
}

/** The least time between two events, whichever was first; 0 if they may have been at the same time. */
export function gapBetween(one: Span, other: Span): number {
  const gap = Math.max(one.from - other.to, other.from - one.to)
  return gap < 0 ? 0 : gap
}

/** How far a date has moved (ms). A day and a time, or clocks of different zones, are compared by what cannot be otherwise. */
export function moveBetween(before: Dated, after: Dated): number {
  const by = Date.parse(after.date ?? '') - Date.parse(before.date ?? '')
  return isAlike(before, after) ? by : Math.sign(by) * gapBetween(spanOf(before), spanOf(after))
}

function isAlike(one: Dated, other: Dated): boolean {
  return (
    (one.precision === 'day') === (other.precision === 'day') && (one.zone === 'assumed') === (other.zone === 'assumed')
  )
}

/** Negative if the one was before the other; 0 if that is not certain. Dates that are stated alike are compared as they are. */
export function orderOf(one: Dated, other: Dated): number {
  if (isAlike(one, other)) return Date.parse(one.date ?? '') - Date.parse(other.date ?? '') || 0
  const [a, b] = [spanOf(one), spanOf(other)]
  return a.to < b.from ? -1 : b.to < a.from ? 1 : 0
}
