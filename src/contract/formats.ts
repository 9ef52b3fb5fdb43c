import { Format } from 'typebox/format'

const datePattern = /^\d{4}-\d{2}-\d{2}$/
const dateTimePattern =
  /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A date must exist in the calendar: 2026-02-30 does not, and neither does a year 0000. */
export function isSimpleDate(text: string): boolean {
  if (!datePattern.test(text)) return false
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))]
  if (year === 0 || month === 0 || day === 0 || month > 12) return false
  // Every month has 28 days: most dates need no calendar lookup.
  return day <= 28 || day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}

export function isDateWithTime(text: string): boolean {
  if (!dateTimePattern.test(text) || !isSimpleDate(text.slice(0, 10))) return false
  // JavaScript and PostgreSQL format years outside of 0001 to 9999 differently, so the UTC year has to be in range, too.
  const year = new Date(text).getUTCFullYear()
  return year >= 1 && year <= 9999
}

export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}

export const formatDescriptions: Record<string, string> = {
  date: 'must be an existing date in the format YYYY-MM-DD',
  'date-time': 'must be a date and time with UTC offset (RFC 3339), such as 2026-03-04T10:00:00+08:00',
  uuid: 'must be a UUID',
}

Format.Set('date', isSimpleDate)
Format.Set('date-time', isDateWithTime)
Format.Set('uuid', isUuid)
