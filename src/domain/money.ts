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

/** As JSON carries it. Zero has no sign: a discount that rounds to nothing is 0, not -0. */
export function jsonAmount(amount: Big): number {
  return amount.toNumber() + 0
}

/** `1 234.50 EUR`: all digits of the currency, and more where the amount has more (a rate of 0.125 is not 0.12). */
export function formatMoney({ amount, currency }: Price): string {
  const exact = new Big(amount)
  const decimal = fitsCurrency(exact, currency) ? exact.toFixed(currencyDigits(currency)) : exact.toFixed()
  return `${groupThousands(decimal)} ${currency}`
}

export function groupThousands(decimal: string): string {
  const [whole, fraction] = decimal.split('.') as [string, string?]
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ' ')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}
