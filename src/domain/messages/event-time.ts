import { isDateWithTime } from '../../contract/formats.js'
import type { TrackingEventRecord } from '../../contract/public/tracking.js'
import { offsetAt, writtenOffset } from '../dates/local-time.js'

/** A date with time and offset, where the offset is from, and whether the time was given. */
export type EventTime = { date: string } & Required<Pick<TrackingEventRecord, 'zone' | 'precision'>>

const form = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,]\d+)?)?)? ?(Z|[+-]\d{2}(?::?\d{2})?)?$/i

/**
 * A date with time and offset, from what senders write. Without an offset it is the clock of the place, or else UTC.
 * Undefined if it is no date.
 */
export function readTime(text: string, zone: string | undefined): EventTime | undefined {
  const [, day, minutes, seconds = '00', offset] = form.exec(text.trim()) ?? []
  if (day === undefined || !isOfOurTime(day)) return undefined
  const local = `${day}T${minutes ?? '00:00'}:${seconds}`
  if (!isDateWithTime(`${local}Z`)) return undefined
  const date = local + (offset === undefined ? zoneOffset(local, zone) : fullOffset(offset))
  if (!isDateWithTime(date)) return undefined
  return {
    date,
    zone: offset !== undefined ? 'given' : zone !== undefined ? 'looked_up' : 'assumed',
    precision: minutes === undefined ? 'day' : 'minute',
  }
}

// Programs write the first or the last date that they know for one that is missing: 0001-01-01, 1900-01-01, 9999-12-31.
function isOfOurTime(day: string): boolean {
  const year = Number(day.slice(0, 4))
  return year >= 1980 && year < 3000
}

function fullOffset(offset: string): string {
  if (/^z$/i.test(offset)) return 'Z'
  const digits = offset.slice(1).replace(':', '')
  return `${offset.slice(0, 1)}${digits.slice(0, 2)}:${digits.slice(2) || '00'}`
}

/** The offset of a zone at a local time: daylight saving depends on the date. */
export function zoneOffset(local: string, zone: string | undefined): string {
  if (zone === undefined) return 'Z'
  const time = Date.parse(`${local}Z`)
  // The first is off by up to a day's worth of offset, which matters on the day that clocks change.
  const offset = offsetAt(time - offsetAt(time, zone), zone)
  return offset === 0 ? 'Z' : writtenOffset(offset)
}
