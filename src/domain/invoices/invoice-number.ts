import type { InvoiceType } from '../../contract/public/invoice.js'

/** Numbers such as `INV-2026-000001`: one series per document type and year, for all accounts. */

export type NumberSeries = { series: string; year: number }
export type PlacedNumber = NumberSeries & { last: number }

const prefixes = { invoice: 'INV', credit_note: 'CN' } satisfies Record<InvoiceType, string>
// Six digits, or up to nine: what the database can count.
const form = /^(INV|CN)-(\d{4})-(\d{6}|[1-9]\d{6,8})$/

/** The year of the day in the time zone of the forwarder. */
export function seriesOf(type: InvoiceType, date: string): NumberSeries {
  return { series: prefixes[type], year: Number(date.slice(0, 4)) }
}

export function formatInvoiceNumber({ series, year, last }: PlacedNumber): string {
  return `${series}-${String(year).padStart(4, '0')}-${String(last).padStart(6, '0')}`
}

/** How far an imported number may be ahead of its series: after a typo, all later numbers would follow it. */
export const furthestAhead = 1_000_000

/** The format of our numbers, as a regular expression for PostgreSQL. */
export const numberForm = form.source

/** The names that have the format of our numbers. */
export function ourNumbers(...names: (string | undefined)[]): string[] {
  return [...new Set(names.flatMap((name) => name ?? []).filter((name) => form.test(name)))]
}

/** The position of a number in its series; undefined for another format. */
export function placeOfNumber(number: string): PlacedNumber | undefined {
  const [, series, year, last] = form.exec(number) ?? []
  return series === undefined ? undefined : { series, year: Number(year), last: Number(last) }
}
