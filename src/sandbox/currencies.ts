import type { Currency, Price } from '../contract/public/shared-types.js'
import { currencyDigits } from '../domain/invoices/money.js'

/** Money in integer minor units, to avoid binary fractions. */

// Fixed, approximate exchange rates, for plausible prices.
const perDollar: Record<Currency, number> = {
  AED: 3.67,
  AUD: 1.52,
  BHD: 0.376,
  BRL: 5.4,
  CAD: 1.37,
  CHF: 0.88,
  CNY: 7.2,
  DKK: 6.9,
  EUR: 0.92,
  GBP: 0.79,
  HKD: 7.8,
  IDR: 16_000,
  INR: 84,
  JPY: 150,
  MXN: 18.5,
  KRW: 1380,
  KWD: 0.307,
  MYR: 4.4,
  NOK: 10.8,
  NZD: 1.66,
  PLN: 3.95,
  SEK: 10.5,
  SGD: 1.34,
  THB: 34.5,
  TND: 3.1,
  TWD: 32,
  USD: 1,
  XOF: 605,
  XPF: 110,
  ZAR: 18.2,
}

/** A dollar amount in minor units of another currency. */
export function minorUnits(dollars: number, currency: Currency): number {
  return Math.round(dollars * perDollar[currency] * 10 ** currencyDigits(currency))
}

export function price(minor: number, currency: Currency): Price {
  return { amount: minor / 10 ** currencyDigits(currency), currency }
}

/** Minor units times a quantity with at most three decimals, rounded half up. */
export function multiply(minor: number, quantity: number): number {
  const thousandths = Math.round(quantity * 1000)
  return Math.floor((minor * thousandths + 500) / 1000)
}
