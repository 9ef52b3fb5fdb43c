import { Big } from 'big.js'
import type { Currency, Price } from '../../contract/public/shared-types.js'

/** Amounts are exact decimals, not binary fractions: 0.1 + 0.2 is 0.3. */

const digits: Partial<Record<Currency, number>> = { JPY: 0, KRW: 0, XOF: 0, XPF: 0, BHD: 3, KWD: 3, TND: 3 }

export function currencyDigits(currency: Currency): number {
  return digits[currency] ?? 2
}

/** Rounds half up, away from zero, as bookkeeping does: 0.125 EUR is 0.13 EUR, and -0.125 EUR is -0.13 EUR. */
export function roundMoney(amount: Big, currency: Currency): Big {
  return amount.round(currencyDigits(currency), Big.roundHalfUp)
}

/** Whether an amount has no more decimals than its currency. */
export function fitsCurrency(amount: Big, currency: Currency): boolean {
  return roundMoney(amount, currency).eq(amount)
}

/**
 * The amount as a JSON number, without negative zero. A sum that exceeds the range of a number is clamped, so that the invoice
 * can still be read and corrected.
 */
export function jsonAmount(amount: Big): number {
  const number = amount.toNumber() + 0
  return Number.isFinite(number) ? number : Math.sign(number) * Number.MAX_VALUE
}

/** `1 234.50 EUR`: all decimals of the currency, and more if the amount has more (a rate of 0.125 is not 0.12). */
export function formatMoney({ amount, currency }: Price): string {
  const exact = new Big(amount)
  return `${formatDecimal(exact, fitsCurrency(exact, currency) ? currencyDigits(currency) : undefined)} ${currency}`
}

const longestDecimal = 40

/** `1 234.5`; in exponential notation if it would be very long. */
export function formatDecimal(exact: Big, decimals?: number): string {
  const decimal = exact.toFixed(decimals)
  return decimal.length <= longestDecimal ? groupThousands(decimal) : exact.toExponential()
}

function groupThousands(decimal: string): string {
  const [whole, fraction] = decimal.split('.') as [string, string?]
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ' ')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}
