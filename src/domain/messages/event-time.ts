import { isDateWithTime } from '../../contract/formats.js'

const form = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,]\d+)?)?)? ?(Z|[+-]\d{2}(?::?\d{2})?)?$/i

/**
 * A date with time and offset, from what senders write. Without an offset it is the clock of the place, or else UTC.
 * Undefined if it is no date.
 */
export function readTime(text: string, zone: string | undefined): string | undefined {
  const [, day, minutes = '00:00', seconds = '00', offset] = form.exec(text.trim()) ?? []
  if (day === undefined) return undefined
  const local = `${day}T${minutes}:${seconds}`
  if (!isDateWithTime(`${local}Z`)) return undefined
  const date = local + (offset === undefined ? zoneOffset(local, zone) : fullOffset(offset))
  return isDateWithTime(date) ? date : undefined
}

function fullOffset(offset: string): string {
  if (/^z$/i.test(offset)) return 'Z'
  const digits = offset.slice(1).replace(':', '')
  return `${offset.slice(0, 1)}${digits.slice(0, 2)}:${digits.slice(2) || '00'}`
}

/** The offset of a zone at a local time: daylight saving depends on the date. */
function zoneOffset(local: string, zone: string | undefined): string {
  if (zone === undefined) return 'Z'
  const time = Date.parse(`${local}Z`)
  // The first is off by up to a day's worth of offset, which matters on the day that clocks change.
  const near = offsetAt(zone, time)
  return offsetAt(zone, time - minutesOf(near) * 60_000)
}

const formats = new Map<string, Intl.DateTimeFormat>()

function offsetAt(zone: string, time: number): string {
  // Making one takes far longer than using it.
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  formats.set(zone, format)
  const name = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value
  return name?.replace(/^GMT/, '') || 'Z'
}

function minutesOf(offset: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)/.exec(offset) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0))
}
