import { type ContainerType, containerTypes } from '../../contract/public/shipment.js'

/** Values as people write them, in the form in which they are stored. Undefined: not recognised. */

const port = /^([A-Z]{2})[\s/.-]*([A-Z0-9]{3})$/

/** `CNSHA`, `cn sha`: CN/SHA. */
export function readPortCode(text: string): string | undefined {
  const [, country, place] = port.exec(text.trim().toUpperCase()) ?? []
  return country === undefined ? undefined : `${country}/${place}`
}

const container = /^[A-Z]{3}[JUZ]\d{7}$/

/** `MSKU 703141-5`: MSKU7031415. */
export function readContainerNumber(text: string): string | undefined {
  if (text.length > 30) return undefined
  const written = text.replaceAll(/[\s./-]+/g, '').toUpperCase()
  return container.test(written) ? written : undefined
}

/** Abbreviations, and the type groups of ISO 6346, without blanks and punctuation. */
const abbreviations: Record<ContainerType, string[]> = {
  twenty_foot_standard: [
    '20',
    '20DC',
    '20DV',
    '20GP',
    '20ST',
    '20SD',
    '20FT',
    '20DRY',
    '20STD',
    '22G0',
    '22G1',
    '20G0',
    '20G1',
  ],
  twenty_foot_reefer: ['20RF', '20RE', '20RC', '20REEFER', '22R0', '22R1', '20R1'],
  twenty_foot_flat_rack: ['20FR', '20FL', '20FLATRACK', '22P1', '22P3', '20P1'],
  twenty_foot_open_top: ['20OT', '20OPENTOP', '22U1', '22U6', '20U1'],
  forty_foot_standard: [
    '40',
    '40DC',
    '40DV',
    '40GP',
    '40ST',
    '40SD',
    '40FT',
    '40DRY',
    '40STD',
    '42G0',
    '42G1',
    '40G0',
    '40G1',
  ],
  forty_foot_reefer: ['40RF', '40RE', '40RC', '40REEFER', '42R0', '42R1'],
  forty_foot_flat_rack: ['40FR', '40FL', '40FLATRACK', '42P1', '42P3'],
  forty_foot_open_top: ['40OT', '40OPENTOP', '42U1', '42U6'],
  forty_foot_highcube_standard: ['40HC', '40HQ', '40HCDV', '40HCDRY', '40HIGHCUBE', '45G0', '45G1'],
  forty_foot_highcube_reefer: ['40HR', '40RH', '40HCRF', '40RHC', '40HCREEFER', '40RQ', '45R0', '45R1'],
  forty_foot_highcube_flat_rack: ['40HCFR', '45P1', '45P3'],
  forty_foot_highcube_open_top: ['40HCOT', '45U1', '45U6'],
  forty_five_foot_highcube_standard: ['45', '45HC', '45HQ', '45HCDV', 'L5G0', 'L5G1'],
}

const typeOf = new Map(
  containerTypes.flatMap((type) => [type, ...abbreviations[type]].map((name) => [lettersOf(name), type] as const)),
)

/** `40HC`, `40' HC`, `45G1`: forty_foot_highcube_standard. */
export function readContainerType(text: string): ContainerType | undefined {
  return text.length > 60 ? undefined : typeOf.get(lettersOf(text))
}

function lettersOf(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '')
}

const plain = /^[-+]?\d+$/
const grouped = /^[-+]?\d{1,3}(?:\d*|([.,' ])\d{3}(?:\1\d{3})*)$/

/**
 * `2,05` is 2.05, `1.234,5` and `1 234,5` are 1234.5. Undefined for what is no number, or could be two: `1,234` is either
 * a thousand or a little more than one.
 */
export function readDecimal(text: string): number | undefined {
  if (text.length > 40) return undefined
  const written = text
    .replaceAll(/[\s\u00A0\u202F]+/g, ' ')
    .replaceAll('’', "'")
    .trim()
  const separators = written.replaceAll(/[^.,]/g, '')
  const last = Math.max(written.lastIndexOf(','), written.lastIndexOf('.'))
  const [whole, decimals] = last < 0 ? [written, ''] : [written.slice(0, last), written.slice(last + 1)]
  // One kind of separator, several times: thousands.
  const isGrouping = separators.length > 1 && new Set(separators).size === 1
  if (isGrouping || last < 0) return grouped.test(written) ? Number(written.replaceAll(/[.,' ]/g, '')) : undefined
  const isEither = separators === ',' && /^\d{3}$/.test(decimals) && /^[-+]?[1-9]\d{0,2}$/.test(whole)
  if (isEither || !/^\d+$/.test(decimals) || !(grouped.test(whole) || plain.test(whole))) return undefined
  return Number(`${whole.replaceAll(/[.,' ]/g, '')}.${decimals}`)
}

export const dateOrders = ['day-month', 'month-day'] as const
export type DateOrder = (typeof dateOrders)[number]

/** A date as people write it: known, or only by the order of day and month. */
export type WrittenDate = { date: string; order?: DateOrder } | { dates: Record<DateOrder, string> }

const yearFirst = /^(\d{4})[./-](\d{1,2})[./-](\d{1,2})$/
const yearLast = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/

export function readWrittenDate(text: string): WrittenDate | undefined {
  const first = yearFirst.exec(text)
  if (first) {
    const date = dateOf(first[1], first[2], first[3])
    return date === undefined ? undefined : { date }
  }
  const last = yearLast.exec(text)
  if (!last) return undefined
  const [, one, other, year] = last
  const dayMonth = dateOf(year, other, one)
  const monthDay = dateOf(year, one, other)
  if (dayMonth !== undefined && monthDay !== undefined) {
    return dayMonth === monthDay ? { date: dayMonth } : { dates: { 'day-month': dayMonth, 'month-day': monthDay } }
  }
  if (dayMonth !== undefined) return { date: dayMonth, order: 'day-month' }
  return monthDay === undefined ? undefined : { date: monthDay, order: 'month-day' }
}

function dateOf(year = '', month = '', day = ''): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${text}T00:00:00Z`)
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text ? undefined : text
}
