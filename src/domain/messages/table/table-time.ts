import type { TableDateOrder } from '../../../contract/operator/tables.js'
import { canonicalTimeZone } from '../../dates/local-time.js'
import { type DateOrder, readWrittenDate } from '../../records/liberal-values.js'

/** Dates and times of tables as people write them. */

/** Date, time and offset as far as they are written; `dates` where the order of day and month is open. */
export type WrittenTime = {
  date?: string
  dates?: Record<DateOrder, string>
  /** The order that the date shows. */
  order?: DateOrder
  time?: string
  offset?: string
}

const months = [
  ['jan', 'janv'],
  ['feb', 'fev', 'fevr'],
  ['mar', 'mars'],
  ['apr', 'avr'],
  ['may', 'mai'],
  ['jun', 'juin'],
  ['jul', 'juil'],
  ['aug', 'aout'],
  ['sep', 'sept'],
  ['oct'],
  ['nov'],
  ['dec'],
]
const monthNames = new Map(months.flatMap((names, index) => names.map((name) => [name, index + 1] as const)))

/** `november`, `novembre` and `nov` are 11. */
function monthOf(word: string): number | undefined {
  const plain = word
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
  return monthNames.get(plain) ?? (plain.length > 4 && /^[a-z]+$/.test(plain) ? longMonth(plain) : undefined)
}

const longMonths =
  'january february march april may june july august september october november december janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre'.split(
    ' ',
  )

function longMonth(plain: string): number | undefined {
  const index = longMonths.indexOf(plain)
  return index < 0 ? undefined : (index % 12) + 1
}

const withTime =
  /^(.*?)(?:(?:^|[ T,]+(?:at |à )?)(\d{1,2})[:hH](\d{2})(?::(\d{2})(?:[.,]\d+)?)? ?(am|pm|a\.m\.|p\.m\.)?)? ?(z|utc|gmt|(?:utc|gmt)?[+-]\d{1,2}(?::?\d{2})?)?$/i

/** Undefined: it is no date or time. `order`: where it is stated. */
export function readWritten(text: string, order: TableDateOrder | undefined): WrittenTime | undefined {
  const plain = text.replaceAll(/[\s\u00A0\u202F]+/g, ' ').trim()
  // Before a date that ends in digits, a hyphen is no offset.
  const whole = readDay(plain, order)
  if (whole) return whole
  if (plain === '' || plain.length > 60) return undefined
  const [, day = '', hours, minutes = '00', seconds = '00', half, offset] = withTime.exec(plain) ?? []
  const date = day.trim() === '' ? {} : readDay(day.trim().replace(/,$/, ''), order)
  if (!date || (hours === undefined && day.trim() === '')) return undefined
  const time = hours === undefined ? undefined : timeOf(Number(hours), minutes, seconds, half)
  if (hours !== undefined && time === undefined) return undefined
  return { ...date, ...(time !== undefined && { time }), ...(offset !== undefined && { offset: offsetOf(offset) }) }
}

function timeOf(hours: number, minutes: string, seconds: string, half: string | undefined): string | undefined {
  const isAfternoon = half !== undefined && /^p/i.test(half)
  if (half !== undefined && (hours < 1 || hours > 12)) return undefined
  const hour = half === undefined ? hours : (hours % 12) + (isAfternoon ? 12 : 0)
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  return `${String(hour).padStart(2, '0')}:${minutes}:${seconds}`
}

/** A time of day, as a column of its own has it: `8:30`, `0830`, `8h30`, or a fraction of a day. */
export function readTimeOfDay(text: string): Pick<WrittenTime, 'time' | 'offset'> | undefined {
  const [, hours, minutes = ''] = /^(\d{1,2})(\d{2})$/.exec(text) ?? []
  if (hours !== undefined) {
    const time = timeOf(Number(hours), minutes, '00', undefined)
    return time === undefined ? undefined : { time }
  }
  if (/^0?\.\d+$/.test(text) || text === '0') {
    const seconds = Math.round(Number(text) * 86_400)
    return { time: new Date((seconds % 86_400) * 1000).toISOString().slice(11, 19) }
  }
  const written = readWritten(text, undefined)
  return written && written.date === undefined && written.dates === undefined ? written : undefined
}

/** `+08:00` of `UTC+8`. */
function offsetOf(text: string): string {
  const [, sign, hours = '', minutes = '00'] = /([+-])(\d{1,2}):?(\d{2})?$/.exec(text) ?? []
  return sign === undefined ? 'Z' : `${sign}${hours.padStart(2, '0')}:${minutes}`
}

/** An offset or a time zone; undefined if it is neither. */
export function readZone(text: string): { offset: string } | { zone: string } | undefined {
  if (/^(?:z|utc|gmt|(?:utc|gmt)? ?[+-]\d{1,2}(?::?\d{2})?)$/i.test(text)) return { offset: offsetOf(text) }
  // Abbreviations mean several zones: CST is one of China and one of America.
  if (!/^[A-Za-z]+\/[A-Za-z_+/-]+\d*$/.test(text)) return undefined
  const zone = canonicalTimeZone(text)
  return zone === undefined ? undefined : { zone }
}

const ofDigits = /^(\d{4})(\d{2})(\d{2})$/
const shortYear = /^(\d{1,2})[./-](\d{1,2})[./-](\d{1,2})$/
const withMonth = /^(\d{1,2})[ .-]*(\p{L}{3,10})\.?[ .,-]*(\d{4}|\d{2})$/u
const monthFirst = /^(\p{L}{3,10})\.? (\d{1,2}),? (\d{4})$/u

function readDay(text: string, order: TableDateOrder | undefined): WrittenTime | undefined {
  const digits = ofDigits.exec(text)
  if (digits) return dayOf(`${digits[1]}-${digits[2]}-${digits[3]}`)
  const words = withMonth.exec(text)
  if (words) return ofParts(words[3], monthOf(words[2] ?? ''), words[1])
  const american = monthFirst.exec(text)
  if (american) return ofParts(american[3], monthOf(american[1] ?? ''), american[2])
  const short = shortYear.exec(text)
  if (short) {
    const [, one, two, three] = short
    if (order === 'day-month') return ofParts(three, Number(two), one)
    if (order === 'month-day') return ofParts(three, Number(one), two)
    return order === undefined ? undefined : ofParts(one, Number(two), three)
  }
  const written = readWrittenDate(text)
  if (!written) return undefined
  if ('dates' in written) {
    const { dates } = written
    return order === 'day-month' || order === 'month-day' ? { date: dates[order] } : { dates }
  }
  // It contradicts the order that was stated.
  if (written.order !== undefined && order !== undefined && order !== 'year-month-day' && written.order !== order)
    return undefined
  return written
}

function ofParts(year = '', month: number | undefined, day = ''): WrittenTime | undefined {
  if (month === undefined) return undefined
  const full = year.length <= 2 ? `20${year.padStart(2, '0')}` : year
  return dayOf(`${full}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`)
}

function dayOf(date: string): WrittenTime | undefined {
  const time = new Date(`${date}T00:00:00Z`)
  return Number.isNaN(time.getTime()) || time.toISOString().slice(0, 10) !== date ? undefined : { date }
}
