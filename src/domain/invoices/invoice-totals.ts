import { Big } from 'big.js'
import type { TaxCategory } from '../../contract/billing.js'
import type { Total } from '../../contract/operator/invoices.js'
import { InvoiceRecordLine as InvoiceLine } from '../../contract/public/invoice.js'
import type { Currency, Price } from '../../contract/public/shared-types.js'
import type { Fault } from '../../contract/refusals.js'
import { inInterfaceOrder } from '../records/rendering.js'
import { currencyDigits, fitsCurrency, jsonAmount, roundMoney } from './money.js'

/** Totals of an invoice per currency, and what is outstanding. */

type Rates = { usd_to_eur_rate?: number | undefined }

// JSON numbers hold 15 decimal digits exactly: 12 before the point, and the 3 decimals of some currencies.
const tooMuch = new Big('1e12')

/** Whether a sum has more digits than a JSON number holds exactly. */
export function isTooMuch({ net, vat, gross }: Total): boolean {
  const sums = [net, gross, ...vat.flatMap((part) => [part.net, part.amount])]
  return sums.some((sum) => tooMuch.lte(Math.abs(sum)))
}

/** Computes missing prices from quantity and unit rate. A line with a fault stays unchanged. */
export function completeLines(lines: InvoiceLine[], rates: Rates): { lines: InvoiceLine[]; faults: Fault[] } {
  const faults = exchangeFaults(rates)
  const completed = lines.map((line, index) => {
    const computed = computePrice(line, rates)
    const wrong = [...rangeFaults(line), ...priceFaults(line, computed)]
    faults.push(...wrong.map(({ pointer, detail }) => ({ pointer: `/lines/${index}${pointer}`, detail })))
    if (wrong.length > 0 || line.price || !line.unit_rate || !computed) return line
    const price = { amount: jsonAmount(computed), currency: line.unit_rate.currency }
    return inInterfaceOrder(InvoiceLine, { ...line, price })
  })
  return { lines: completed, faults }
}

function exchangeFaults({ usd_to_eur_rate }: Rates): Fault[] {
  if (usd_to_eur_rate === undefined || usd_to_eur_rate > 0) return []
  return [{ pointer: '/usd_to_eur_rate', detail: 'must be greater than 0' }]
}

/** Quantity times unit rate in the currency of the price; undefined if it cannot be computed. */
function computePrice({ price, quantity, unit_rate }: InvoiceLine, rates: Rates): Big | undefined {
  if (!unit_rate || quantity?.value === undefined || quantity.value < 0) return undefined
  const currency = price?.currency ?? unit_rate.currency
  const product = new Big(quantity.value).times(unit_rate.amount)
  const amount = convert(product, unit_rate.currency, currency, rates)
  return amount && roundMoney(amount, currency)
}

function convert(amount: Big, from: Currency, to: Currency, { usd_to_eur_rate }: Rates): Big | undefined {
  if (from === to) return amount
  if (usd_to_eur_rate === undefined || usd_to_eur_rate <= 0) return undefined
  if (from === 'USD' && to === 'EUR') return amount.times(usd_to_eur_rate)
  if (from === 'EUR' && to === 'USD') return amount.div(usd_to_eur_rate)
  return undefined
}

function rangeFaults({ quantity, vatRate = 0 }: InvoiceLine): Fault[] {
  const faults: Fault[] = []
  if ((quantity?.value ?? 0) < 0) faults.push({ pointer: '/quantity/value', detail: 'must be 0 or more' })
  if (vatRate < 0) faults.push({ pointer: '/vatRate', detail: 'must be 0 or more' })
  if (vatRate > 100) faults.push({ pointer: '/vatRate', detail: 'must be 100 or less' })
  return faults
}

function priceFaults(line: InvoiceLine, computed: Big | undefined): Fault[] {
  const { price } = line
  if (computed?.abs().gte(tooMuch)) {
    return [{ pointer: '/unit_rate/amount', detail: 'times the quantity gives a price that is too large' }]
  }
  if (!price) return computed ? [] : missingFaults(line)
  const detail = wrongAmount(price, computed)
  return detail === undefined ? [] : [{ pointer: '/price/amount', detail }]
}

function wrongAmount({ amount, currency }: Price, computed: Big | undefined): string | undefined {
  const digits = currencyDigits(currency)
  if (computed && !computed.eq(amount)) {
    return `must be ${computed.toFixed(digits)} ${currency}, the quantity times the unit rate`
  }
  if (!fitsCurrency(new Big(amount), currency)) return `must have no more than the ${digits} decimals of ${currency}`
  if (new Big(amount).abs().gte(tooMuch)) return `must be less than ${tooMuch.toFixed()}`
  return undefined
}

function missingFaults({ quantity, unit_rate }: InvoiceLine): Fault[] {
  if (!unit_rate) return [{ pointer: '/price', detail: 'is required where there is no unit_rate' }]
  if (quantity?.value !== undefined) return []
  return [{ pointer: '/quantity/value', detail: 'is required where there is a unit_rate and no price' }]
}

type Taxed = { rate: number; tax_category: TaxCategory | undefined }
type TaxedSum = Taxed & { sum: Big }

/** VAT is computed on the sum of each currency, rate and category. Lines without a price do not count. */
export function totalsOf(lines: InvoiceLine[]): Total[] {
  const sums = new Map<Currency, Map<string, TaxedSum>>()
  const disbursed = new Map<Currency, Big>()
  for (const line of lines) {
    const { price, disbursement } = line
    if (!price) continue
    const { currency, amount } = price
    const taxed = taxOf(line)
    const key = `${taxed.rate} ${taxed.tax_category}`
    const parts = sums.get(currency) ?? new Map<string, TaxedSum>()
    const sum = parts.get(key)?.sum ?? new Big(0)
    parts.set(key, { ...taxed, sum: sum.plus(amount) })
    sums.set(currency, parts)
    if (disbursement) disbursed.set(currency, (disbursed.get(currency) ?? new Big(0)).plus(amount))
  }
  return [...sums].map(([currency, parts]) => totalIn(currency, [...parts.values()], disbursed.get(currency)))
}

/** A disbursement is passed on without tax. */
export function taxOf({ vatRate = 0, tax_category, disbursement }: InvoiceLine): Taxed {
  return disbursement ? { rate: 0, tax_category: 'outside_scope' } : { rate: vatRate, tax_category }
}

function totalIn(currency: Currency, taxed: TaxedSum[], disbursed: Big | undefined): Total {
  const parts = taxed
    .toSorted((one, other) => one.rate - other.rate || ((one.tax_category ?? '') < (other.tax_category ?? '') ? -1 : 1))
    .map(({ rate, tax_category, sum }) => {
      // An imported price may have more decimals than its currency; a total must be payable.
      const net = roundMoney(sum, currency)
      return { rate, tax_category, net, amount: roundMoney(net.times(rate).times('0.01'), currency) }
    })
  const net = parts.reduce((sum, part) => sum.plus(part.net), new Big(0))
  const gross = parts.reduce((sum, part) => sum.plus(part.amount), net)
  const vat = parts.map((part) => ({
    rate: part.rate,
    net: jsonAmount(part.net),
    amount: jsonAmount(part.amount),
    ...(part.tax_category && { tax_category: part.tax_category }),
  }))
  return {
    currency,
    net: jsonAmount(net),
    vat,
    gross: jsonAmount(gross),
    ...(disbursed && { disbursements: jsonAmount(roundMoney(disbursed, currency)) }),
  }
}

/** Gross minus credit notes minus payments, for each currency; negative if overpaid. */
export function outstanding(totals: Total[], credited: Total[][], payments: Price[]): Price[] {
  const taken = [...credited.flat().map(grossOf), ...payments]
  return sumPrices([...totals.map(grossOf), ...taken.map(negate)])
}

/** The sum of each currency. */
export function sumPrices(prices: Price[]): Price[] {
  const sums = new Map<Currency, Big>()
  for (const { amount, currency } of prices) {
    sums.set(currency, (sums.get(currency) ?? new Big(0)).plus(amount))
  }
  return [...sums].map(([currency, amount]) => ({ amount: jsonAmount(amount), currency }))
}

/** Net, VAT of all rates, and gross as prices. */
export function pricesOf({ currency, net, vat, gross }: Total): Record<'net' | 'vat' | 'gross', Price> {
  const [tax] = sumPrices(vat.map(({ amount }) => ({ amount, currency })))
  return { net: { amount: net, currency }, vat: tax ?? { amount: 0, currency }, gross: { amount: gross, currency } }
}

/** Nothing is left to pay. An invoice without any price is not settled: its total is unknown. */
export function isSettled(totals: Total[], left: Price[]): boolean {
  return totals.length > 0 && left.every(({ amount }) => amount <= 0)
}

export type CreditExcess = Price & { rate?: number }

/**
 * By how much another credit note exceeds what the earlier ones have left of the invoice: in all, and of each rate of
 * tax, so that no more tax is given back than was charged.
 */
export function creditExcess(invoice: Total[], credited: Total[][], next: Total[]): CreditExcess[] {
  const left = outstanding(invoice, credited, [])
  const inAll = next.flatMap((total) => paymentExcess(left, grossOf(total)) ?? [])
  if (inAll.length > 0) return inAll
  const earlier = credited.flat()
  return next.flatMap(({ currency, vat }) =>
    ratesOf(vat).flatMap(({ rate, gross }) => {
      const charged = grossAtRate(invoice, currency, rate)
      const rest = charged.minus(grossAtRate(earlier, currency, rate))
      const excess = gross.minus(rest.gt(0) ? rest : 0)
      return excess.gt(0) ? [{ amount: jsonAmount(excess), currency, rate }] : []
    }),
  )
}

function grossAtRate(totals: Total[], currency: Currency, rate: number): Big {
  const parts = totals.filter((total) => total.currency === currency).flatMap(({ vat }) => vat)
  return ratesOf(parts).find((part) => part.rate === rate)?.gross ?? new Big(0)
}

function ratesOf(parts: Total['vat']): { rate: number; gross: Big }[] {
  const rates = new Map<number, Big>()
  for (const { rate, net, amount } of parts) {
    rates.set(rate, (rates.get(rate) ?? new Big(0)).plus(net).plus(amount))
  }
  return [...rates].map(([rate, gross]) => ({ rate, gross }))
}

/** By how much a payment exceeds what is owed in its currency. */
export function paymentExcess(owed: Price[], { amount, currency }: Price): Price | undefined {
  const left = owed.find((price) => price.currency === currency)?.amount ?? 0
  const excess = new Big(amount).minus(Math.max(left, 0))
  return excess.gt(0) ? { amount: jsonAmount(excess), currency } : undefined
}

export function grossOf({ currency, gross }: Total): Price {
  return { amount: gross, currency }
}

function negate({ amount, currency }: Price): Price {
  return { amount: -amount, currency }
}
