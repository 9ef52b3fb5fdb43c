/** Local times. Instants are milliseconds since 1970. */

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

const formatters = new Map<string, Intl.DateTimeFormat>()
const steadyOffsets = new Map<string, Map<number, number | 'changes'>>()
// About 20 years of weeks and days each. Dates of events come from outside: they do not decide how much is kept.
const mostPeriods = 10_000

/** The instant that counts as now for generated data. */
export function startOfDate(date: string): number {
  return Date.parse(`${date}T00:00:00Z`)
}

/** Such as `2026-03-04T10:00:00+08:00`, with the offset of the zone on that date. */
export function localDateWithTime(instant: number, timeZone: string): string {
  const offset = offsetAt(instant, timeZone)
  return new Date(instant + offset).toISOString().slice(0, 19) + writtenOffset(offset)
}

/** Such as `+08:00`. */
export function writtenOffset(offset: number): string {
  const minutes = Math.floor(Math.abs(offset) / minute)
  const sign = offset < 0 ? '-' : '+'
  return `${sign}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`
}

export function localDate(instant: number, timeZone: string): string {
  return new Date(instant + offsetAt(instant, timeZone)).toISOString().slice(0, 10)
}

/** The instant of this local hour, on the local date of the given instant. */
export function atLocalHour(instant: number, timeZone: string, hours: number): number {
  const local = instant + offsetAt(instant, timeZone)
  const wanted = Math.floor(local / day) * day + Math.round(hours * 60) * minute
  return wanted - offsetAt(wanted - offsetAt(instant, timeZone), timeZone)
}

/** The date in UTC: for dates without a place, such as a due date. */
export function utcDate(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10)
}

/** Milliseconds that local time is ahead of UTC. Outside of the years that zones are known for, those of the nearest year. */
export function offsetAt(at: number, name: string): number {
  const timeZone = canonicalTimeZone(name) ?? name
  const fixed = fixedOffset(timeZone)
  if (fixed !== undefined) return fixed
  const instant = Math.min(Math.max(at, firstInstant), lastInstant)
  // No zone changes its offset and back within a week: equal offsets at both ends mean no change in between.
  return (
    steadyOffset(instant, timeZone, 7 * day) ?? steadyOffset(instant, timeZone, day) ?? askOffset(instant, timeZone)
  )
}

/** Of a zone that is a UTC offset, such as `+05:30`. */
function fixedOffset(timeZone: string): number | undefined {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(timeZone) ?? []
  if (sign === undefined) return undefined
  return (sign === '-' ? -1 : 1) * (Number(hours) * hour + Number(minutes) * minute)
}

const firstInstant = Date.UTC(1970, 0, 1)
const lastInstant = Date.UTC(2100, 0, 1)

// Intl is slow: the offset of each period is cached, or that it changes within the period.
function steadyOffset(instant: number, timeZone: string, period: number): number | undefined {
  const key = `${timeZone} ${period}`
  let offsets = steadyOffsets.get(key)
  if (!offsets) steadyOffsets.set(key, (offsets = new Map()))
  const number = Math.floor(instant / period)
  let offset = offsets.get(number)
  if (offset === undefined) {
    const start = askOffset(number * period, timeZone)
    offset = start === askOffset((number + 1) * period - 1000, timeZone) ? start : 'changes'
    if (offsets.size >= mostPeriods) offsets.clear()
    offsets.set(number, offset)
  }
  return offset === 'changes' ? undefined : offset
}

function askOffset(instant: number, timeZone: string): number {
  let formatter = formatters.get(timeZone)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formatters.set(timeZone, formatter)
  }
  const part: Record<string, number> = {}
  for (const { type, value } of formatter.formatToParts(instant)) part[type] = Number(value)
  const { year = 0, month = 1, day: date = 1, hour: hours = 0, minute: minutes = 0, second: seconds = 0 } = part
  const local = Date.UTC(year, month - 1, date, hours, minutes, seconds)
  return local - Math.floor(instant / 1000) * 1000
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}

// By name in lower case: Intl ignores case, and a formatter for each spelling would take 23 KB for ever.
const canonicalNames = new Map<string, string>()

/** One spelling for each time zone: `europe/paris` is `Europe/Paris`. Undefined if the IANA time zone database has no such name. */
export function canonicalTimeZone(name: string): string | undefined {
  if (!/^[\w+:/-]+$/.test(name)) return undefined
  const key = name.toLowerCase()
  const known = canonicalNames.get(key)
  if (known !== undefined) return known
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    canonicalNames.set(key, timeZone)
    return timeZone
  } catch {
    return undefined
  }
}

export function isTimeZone(name: string): boolean {
  return canonicalTimeZone(name) !== undefined
}
