import type { NumberPrefixes } from '../../contract/billing.js'
import type { InvoiceType } from '../../contract/public/invoice.js'

/**
 * Numbers such as `INV-2026-000001`: one series per document type and year, for all accounts. The prefix is a setting, so
 * other systems may have numbers of this form: only those of our series are kept as ours.
 */

export type NumberSeries = { series: string; year: number }
export type PlacedNumber = NumberSeries & { last: number }

const usualPrefixes = { invoice: 'INV', credit_note: 'CN' } satisfies Record<InvoiceType, string>
// Six digits, or up to nine: what the database can count.
const form = /^([A-Z][A-Z0-9]{0,9})-(\d{4})-(\d{6}|[1-9]\d{6,8})$/

export function prefixesOf(given: NumberPrefixes = {}): Record<InvoiceType, string> {
  return { ...usualPrefixes, ...given }
}

/** The year of the day in the time zone of the forwarder. */
export function seriesOf(type: InvoiceType, date: string, given: NumberPrefixes | undefined): NumberSeries {
  return { series: prefixesOf(given)[type], year: Number(date.slice(0, 4)) }
}

export function formatInvoiceNumber({ series, year, last }: PlacedNumber): string {
  return `${series}-${String(year).padStart(4, '0')}-${String(last).padStart(6, '0')}`
}

/** How far an imported number may be ahead of its series: after a typo, all later numbers would follow it. */
export const furthestAhead = 1_000_000

/** The format of numbers, as a regular expression for PostgreSQL. */
export const numberForm = form.source

/** The names that have the format of numbers. */
export function formedNumbers(...names: (string | undefined)[]): string[] {
  return [...new Set(names.flatMap((name) => name ?? []).filter((name) => form.test(name)))]
}

/** The position of a number in its series; undefined for another format. */
export function placeOfNumber(number: string): PlacedNumber | undefined {
  const [, series, year, last] = form.exec(number) ?? []
  return series === undefined ? undefined : { series, year: Number(year), last: Number(last) }
}
