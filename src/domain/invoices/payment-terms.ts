import type { PaymentTerms } from '../../contract/billing.js'

/** The due date that follows from the terms: days after the day of the invoice, or after the end of its month. */
export function dueDateOf({ days, from = 'invoice_date' }: PaymentTerms, invoiceDate: string): string {
  const [year, month, day] = invoiceDate.split('-').map(Number) as [number, number, number]
  const first = new Date(0)
  // Years below 100 are not those of the 20th century.
  first.setUTCFullYear(year, from === 'end_of_month' ? month : month - 1, from === 'end_of_month' ? 0 : day)
  first.setUTCDate(first.getUTCDate() + days)
  return first.toISOString().slice(0, 10)
}
