import { type TaxCategory, taxCategories } from '../../../../src/contract/billing.js'
import type { InvoiceVersion } from '../../../../src/contract/operator/invoices.js'
import type { Language } from '../../../../src/contract/portal/people.js'
import { type Currency, currencies } from '../../../../src/contract/public/shared-types.js'
import { typedNumber, typedPercent } from '../../actions/typed-number.js'

/** The lines of a draft as they are typed, and as they are sent. */

export type DraftRow = {
  category: string
  description: string
  quantity: string
  unit: string
  rate: string
  /** Of a line without a quantity. */
  amount: string
  currency: string
  /** Where it is another one than that of the rate: such an amount is agreed, or converted by the rate of the draft. */
  amountCurrency: string
  tax: string
  vat: string
  disbursement: boolean
}

export type DraftContent = { rows: DraftRow[]; due: string }

type StoredLine = NonNullable<InvoiceVersion['record']['lines']>[number]

const text = (value: number | undefined) => (value === undefined ? '' : String(value))

export const blankRow = (currency: string): DraftRow => ({
  category: '',
  description: '',
  quantity: '',
  unit: '',
  rate: '',
  amount: '',
  currency,
  amountCurrency: '',
  tax: '',
  vat: '',
  disbursement: false,
})

export function contentOf({ lines = [], due_date = '' }: InvoiceVersion['record']): DraftContent {
  return { rows: lines.map(rowOf), due: due_date }
}

function rowOf(line: StoredLine): DraftRow {
  const { category = '', description = '', quantity, unit_rate, price, tax_category = '', vatRate } = line
  const currency = unit_rate?.currency ?? price?.currency ?? 'EUR'
  return {
    category,
    description,
    quantity: text(quantity?.value),
    unit: quantity?.unit ?? '',
    rate: text(unit_rate?.amount),
    amount: text(price?.amount),
    currency,
    amountCurrency: price === undefined || price.currency === currency ? '' : price.currency,
    tax: tax_category,
    vat: text(vatRate),
    disbursement: line.disbursement ?? false,
  }
}

function numbersOf({ quantity, rate, amount, vat }: DraftRow, language: Language) {
  return {
    quantity: typedNumber(quantity, language),
    rate: typedNumber(rate, language),
    amount: typedNumber(amount, language),
    vat: typedPercent(vat, language),
  }
}

/** Whether the amount follows from quantity and rate. */
function isComputed({ quantity, rate, amountCurrency }: DraftRow): boolean {
  return quantity.trim() !== '' && rate.trim() !== '' && !amountCurrency
}

/** Quantity times rate, where the amount follows from them; NaN while one of them cannot be read. */
export function computedAmount(row: DraftRow, language: Language): number | undefined {
  const { quantity = 0, rate = 0 } = numbersOf(row, language)
  return isComputed(row) ? quantity * rate : undefined
}

const pointers = { quantity: 'quantity', rate: 'unit_rate', amount: 'price', vat: 'vatRate' } as const

/** The fields whose number cannot be read, by pointer. */
export function unreadable({ rows }: DraftContent, language: Language): string[] {
  return rows.flatMap((row, index) => {
    const numbers = numbersOf(isComputed(row) ? { ...row, amount: '' } : row, language)
    const names = Object.keys(pointers) as (keyof typeof pointers)[]
    return names.filter((name) => Number.isNaN(numbers[name])).map((name) => `/lines/${index}/${pointers[name]}`)
  })
}

const isIn = <Value extends string>(values: readonly Value[], value: string): value is Value =>
  (values as readonly string[]).includes(value)

/** What is sent: the server computes the amount of a line with quantity and rate, and the tax of one that names none. */
export function bodyOf(
  { rows, due }: DraftContent,
  { svc_shipment_id, usd_to_eur_rate, quoted }: InvoiceVersion['record'],
  language: Language,
) {
  return {
    lines: rows.map((row) => lineOf(row, language)),
    ...(due !== '' && { due_date: due }),
    ...(svc_shipment_id !== undefined && { svc_shipment_id }),
    ...(usd_to_eur_rate !== undefined && { usd_to_eur_rate }),
    ...(quoted !== undefined && { quoted }),
  }
}

function lineOf(row: DraftRow, language: Language) {
  const { category, description, unit, tax, disbursement } = row
  const { quantity, rate, amount, vat: vatRate } = numbersOf(row, language)
  const currency: Currency = isIn(currencies, row.currency) ? row.currency : 'EUR'
  const amountCurrency = isIn(currencies, row.amountCurrency) ? row.amountCurrency : currency
  return {
    description: description.trim(),
    ...(category !== '' && { category }),
    ...(quantity !== undefined && { quantity: { value: quantity, ...(unit.trim() !== '' && { unit: unit.trim() }) } }),
    ...(rate !== undefined && { unit_rate: { amount: rate, currency } }),
    ...(!isComputed(row) && amount !== undefined && { price: { amount, currency: amountCurrency } }),
    ...(isIn<TaxCategory>(taxCategories, tax) && { tax_category: tax }),
    ...(vatRate !== undefined && { vatRate }),
    ...(disbursement && { disbursement }),
  }
}

/** By line and due date, for the comparison with what somebody else has saved. */
export function partsOf({ rows, due }: DraftContent, count: number): Record<string, string> {
  const lines = Array.from({ length: count }, (_, index) => [`line ${index}`, rowText(rows[index])])
  return { ...Object.fromEntries(lines), due }
}

export function contentIn({ due = '', ...lines }: Record<string, string>): DraftContent {
  const rows = Object.values(lines).filter((line) => line !== '')
  return { rows: rows.map((line) => JSON.parse(line) as DraftRow), due }
}

// The amount of a computed line follows from the others.
function rowText(row: DraftRow | undefined): string {
  return row ? JSON.stringify(isComputed(row) ? { ...row, amount: '' } : row) : ''
}
