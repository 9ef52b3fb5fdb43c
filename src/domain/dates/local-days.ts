import { day, hour, offsetAt } from './local-time.js'

/** Days as numbers, counted from 1970-01-01: they can be added and compared, whatever the clocks do. */
export type DayNumber = number

/** The local day of an instant. The zone may be a UTC offset. */
export function dayOf(instant: number, timeZone: string): DayNumber {
  return Math.floor((instant + offsetAt(instant, timeZone)) / day)
}

/** The first instant of a local day. Where clocks change at midnight, that is not 00:00. */
export function startOfDay(number: DayNumber, timeZone: string): number {
  const midnight = number * day
  const near = midnight - offsetAt(midnight, timeZone)
  const [before, after] = [offsetAt(near - 3 * hour, timeZone), offsetAt(near + 3 * hour, timeZone)]
  const [earlier, later] = [midnight - Math.max(before, after), midnight - Math.min(before, after)]
  return dayOf(earlier, timeZone) >= number ? earlier : later
}

/** The number of a date (`YYYY-MM-DD`). */
export function dayNumber(date: string): DayNumber {
  return Date.parse(`${date}T00:00:00Z`) / day
}

export function dateOfDay(number: DayNumber): string {
  return new Date(number * day).toISOString().slice(0, 10)
}

/** The date some days after a date, or before it. */
export function dateAfter(date: string, days: number): string {
  return dateOfDay(dayNumber(date) + days)
}

export function daysBetween(one: string, other: string): number {
  return dayNumber(other) - dayNumber(one)
}

/** 1 is Monday, 7 is Sunday. */
export function weekdayOf(number: DayNumber): number {
  // 1970-01-01 was a Thursday.
  return ((((number + 3) % 7) + 7) % 7) + 1
}
