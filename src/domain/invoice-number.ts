import type { InvoiceType } from '../contract/invoice.js'

/** Numbers such as `INV-2026-000001`: a series for each kind of paper and year, over all accounts. */

export type NumberSeries = { series: string; year: number }
export type PlacedNumber = NumberSeries & { last: number }

const prefixes = { invoice: 'INV', credit_note: 'CN' } satisfies Record<InvoiceType, string>
// Six digits, or more where they do not suffice: what the database can count.
const form = /^(INV|CN)-(\d{4})-(\d{6}|[1-9]\d{6,8})$/

/** By the year as it is written: that of the place it was sent from. */
export function seriesOf(type: InvoiceType, sent_date: string): NumberSeries {
  return { series: prefixes[type], year: Number(sent_date.slice(0, 4)) }
}

export function formatInvoiceNumber({ series, year, last }: PlacedNumber): string {
  return `${series}-${String(year).padStart(4, '0')}-${String(last).padStart(6, '0')}`
}

/** How far beyond the last of its series a number from elsewhere may be: a slip would be followed by all later ones. */
export const furthestAhead = 1_000_000

/** The form of our numbers, as databases read it too. */
export const numberForm = form.source

/** What of these is of that form. */
export function ourNumbers(...names: (string | undefined)[]): string[] {
  return [...new Set(names.flatMap((name) => name ?? []).filter((name) => form.test(name)))]
}

/** Where in its series a number stands; those of another form are in none. */
export function placeOfNumber(number: string): PlacedNumber | undefined {
  const [, series, year, last] = form.exec(number) ?? []
  return series === undefined ? undefined : { series, year: Number(year), last: Number(last) }
}
