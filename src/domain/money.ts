import { Big } from 'big.js'
import type { Currency, Price } from '../contract/shared-types.js'

/** Amounts as decimals, never as binary fractions: 0.1 and 0.2 are 0.3. */

const digits: Partial<Record<Currency, number>> = { JPY: 0, KRW: 0, XOF: 0, XPF: 0, BHD: 3, KWD: 3, TND: 3 }

export function currencyDigits(currency: Currency): number {
  return digits[currency] ?? 2
}

/** Half-even: over many amounts, what is rounded up and what is rounded down even out. */
export function roundMoney(amount: Big, currency: Currency): Big {
  return amount.round(currencyDigits(currency), Big.roundHalfEven)
}

/** No more digits after the point than the currency has. */
export function fitsCurrency(amount: Big, currency: Currency): boolean {
  return roundMoney(amount, currency).eq(amount)
}

/**
 * As JSON carries it. Zero has no sign: a discount that rounds to nothing is 0, not -0. What was kept may be too large
 * for any number when it is added up: it is the largest one then, so that it can still be read, and corrected.
 */
export function jsonAmount(amount: Big): number {
  const number = amount.toNumber() + 0
  return Number.isFinite(number) ? number : Math.sign(number) * Number.MAX_VALUE
}

/** `1 234.50 EUR`: all digits of the currency, and more where the amount has more (a rate of 0.125 is not 0.12). */
export function formatMoney({ amount, currency }: Price): string {
  const exact = new Big(amount)
  return `${formatDecimal(exact, fitsCurrency(exact, currency) ? currencyDigits(currency) : undefined)} ${currency}`
}

// Nobody reads hundreds of digits.
const longestDecimal = 40

/** `1 234.5`; what would be very long as a power of ten. */
export function formatDecimal(exact: Big, decimals?: number): string {
  const decimal = exact.toFixed(decimals)
  return decimal.length <= longestDecimal ? groupThousands(decimal) : exact.toExponential()
}

function groupThousands(decimal: string): string {
  const [whole, fraction] = decimal.split('.') as [string, string?]
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ' ')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}
