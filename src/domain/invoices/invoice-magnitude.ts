import type { InvoiceLine, InvoiceRecord } from '../../contract/public/invoice.js'
import type { Fault } from '../../contract/refusals.js'

/** Limits of the numbers of an invoice, also for imports: large enough for any invoice, and their sums stay finite. */

const limit = 1e15

type Content = Pick<InvoiceRecord, 'lines' | 'usd_to_eur_rate'>

export function magnitudeFaults({ lines = [], usd_to_eur_rate }: Content): Fault[] {
  const numbers = { '/usd_to_eur_rate': usd_to_eur_rate }
  return [...faultsIn(numbers), ...lines.flatMap((line, index) => faultsIn(numbersOf(line), `/lines/${index}`))]
}

function numbersOf({ price, quantity, unit_rate, vatRate }: InvoiceLine) {
  return {
    '/price/amount': price?.amount,
    '/quantity/value': quantity?.value,
    '/unit_rate/amount': unit_rate?.amount,
    '/vatRate': vatRate,
  }
}

function faultsIn(numbers: Record<string, number | undefined>, within = ''): Fault[] {
  return Object.entries(numbers).flatMap(([pointer, number = 0]) =>
    Math.abs(number) < limit ? [] : [{ pointer: within + pointer, detail: 'must be between -1e15 and 1e15' }],
  )
}
