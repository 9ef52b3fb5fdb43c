import { type EventTime, readTime } from '../event-time.js'

/** Dates of EDIFACT (DTM with its format) and X12 (date, time and time code), as dates with time and offset. */

/** Undefined if it is no date. Without an offset it is the clock of the place. */
export function edifactTime(value: string, format: string, zone: string | undefined): EventTime | undefined {
  const form = format === '' ? lengths[value.length] : format
  if (form === undefined) return undefined
  switch (form) {
    case '101':
      return timeOf(century(value), '', '', zone)
    case '102':
      return timeOf(value, '', '', zone)
    case '201':
      return timeOf(century(value.slice(0, 6)), value.slice(6), '', zone)
    case '203':
      return timeOf(value.slice(0, 8), value.slice(8), '', zone, 4)
    case '204':
      return timeOf(value.slice(0, 8), value.slice(8), '', zone, 6)
    case '205':
      return timeOf(value.slice(0, 8), value.slice(8, 12), value.slice(12), zone, 4)
    case '303':
      return named(value.slice(0, 8), value.slice(8, 12), value.slice(12), zone)
    case '304':
      return named(value.slice(0, 8), value.slice(8, 14), value.slice(14), zone)
    default:
      return undefined
  }
}

const lengths: Record<number, string> = { 6: '101', 8: '102', 10: '201', 12: '203', 14: '204' }

/** Undefined if it is no date. The code says the zone; `LT` and none are the clock of the place. */
export function x12Time(date: string, time: string, code: string, zone: string | undefined): EventTime | undefined {
  const day = date.length === 6 ? century(date) : date
  // Hundredths of seconds may follow.
  const clock = time.slice(0, time.length > 4 ? 6 : 4)
  if (time !== '' && !/^\d{4}(\d\d)?(\d{1,2})?$/.test(time)) return undefined
  if (code === '' || code === 'LT') return timeOf(day, clock, '', zone)
  const offset = offsetOfCode(code)
  if (offset !== undefined) return timeOf(day, clock, offset, undefined)
  const name = Object.hasOwn(zonesByLetter, code) ? zonesByLetter[code] : undefined
  const found = name === undefined ? undefined : timeOf(day, clock, '', name)
  return found && { ...found, zone: 'given' }
}

// Two digits stand for the last two of a year from 1950 to 2049.
function century(date: string): string {
  return `${Number(date.slice(0, 2)) < 50 ? '20' : '19'}${date}`
}

function timeOf(
  day: string,
  clock: string,
  offset: string,
  zone: string | undefined,
  length?: number,
): EventTime | undefined {
  if (!/^\d{8}$/.test(day) || !/^(\d{4}|\d{6})?$/.test(clock)) return undefined
  if (length !== undefined && clock.length !== length) return undefined
  const date = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`
  if (clock === '') return readTime(date, zone)
  const seconds = clock.length === 6 ? `:${clock.slice(4)}` : ''
  return readTime(`${date}T${clock.slice(0, 2)}:${clock.slice(2, 4)}${seconds}${offset}`, zone)
}

function named(day: string, clock: string, name: string, zone: string | undefined): EventTime | undefined {
  if (/^[+-]\d{2}(\d{2})?$/.test(name)) return timeOf(day, clock, name, zone)
  const offset = offsets[name.toUpperCase()]
  // Names of zones are not unique: one that is not known is the clock of the place.
  return timeOf(day, clock, offset ?? '', zone)
}

const offsets: Record<string, string> = {
  Z: 'Z',
  UTC: 'Z',
  GMT: 'Z',
  CET: '+01:00',
  MEZ: '+01:00',
  EET: '+02:00',
  JST: '+09:00',
  KST: '+09:00',
  SGT: '+08:00',
  HKT: '+08:00',
  EST: '-05:00',
  EDT: '-04:00',
  CDT: '-05:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
}

/** `P05`, `M05`; 01 to 12 are ahead of UTC, 13 to 24 behind it (13 is 12 hours). */
function offsetOfCode(code: string): string | undefined {
  if (code === 'UT' || code === 'GM' || code === 'Z') return 'Z'
  const [, sign, hours] = /^([PM])(\d\d)$/.exec(code) ?? []
  if (hours !== undefined) return `${sign === 'P' ? '+' : '-'}${hours}:00`
  if (!/^(0[1-9]|1\d|2[0-4])$/.test(code))
    return Object.hasOwn(standardOffsets, code) ? standardOffsets[code] : undefined
  const number = Number(code)
  return number <= 12 ? `+${code}:00` : `-${String(25 - number).padStart(2, '0')}:00`
}

const standardOffsets: Record<string, string> = {
  ES: '-05:00',
  ED: '-04:00',
  CS: '-06:00',
  CD: '-05:00',
  MS: '-07:00',
  MD: '-06:00',
  PS: '-08:00',
  PD: '-07:00',
  AS: '-09:00',
  AD: '-08:00',
  HS: '-10:00',
  HD: '-09:00',
  TS: '-04:00',
  TD: '-03:00',
  NS: '-03:30',
  ND: '-02:30',
}

const zonesByLetter: Record<string, string> = {
  ET: 'America/New_York',
  CT: 'America/Chicago',
  MT: 'America/Denver',
  PT: 'America/Los_Angeles',
  AT: 'America/Anchorage',
  HT: 'Pacific/Honolulu',
  TT: 'America/Halifax',
  NT: 'America/St_Johns',
}
