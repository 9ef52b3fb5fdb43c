import { Big } from 'big.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { currencies } from '../../src/contract/public/shared-types.js'
import { currencyDigits, fitsCurrency, formatMoney, jsonAmount, roundMoney } from '../../src/domain/invoices/money.js'

test('currencies have the digits of ISO 4217', () => {
  const digits = (count: number) => currencies.filter((currency) => currencyDigits(currency) === count)
  expect(digits(0)).toEqual(['JPY', 'KRW', 'XOF', 'XPF'])
  expect(digits(3)).toEqual(['BHD', 'KWD', 'TND'])
  expect(digits(2)).toHaveLength(currencies.length - 7)
})

test.each([
  ['0.125', 'EUR', '0.13'],
  ['0.135', 'EUR', '0.14'],
  ['0.1251', 'EUR', '0.13'],
  ['-0.125', 'EUR', '-0.13'],
  ['2.5', 'JPY', '3'],
  ['3.5', 'JPY', '4'],
  ['0.0005', 'KWD', '0.001'],
  ['0.0015', 'KWD', '0.002'],
] as const)('%s %s is rounded half up to %s', (amount, currency, rounded) => {
  expect(roundMoney(new Big(amount), currency).toString()).toBe(rounded)
})

const currency = fc.constantFrom(...currencies)
const decimal = fc.tuple(fc.integer(), fc.integer({ min: 0, max: 6 })).map(([n, digits]) => new Big(`${n}e-${digits}`))

test('rounding keeps the decimals of the currency, with an error of at most half of the last digit', () => {
  fc.assert(
    fc.property(decimal, currency, (amount, of) => {
      const rounded = roundMoney(amount, of)
      expect(fitsCurrency(rounded, of)).toBe(true)
      expect(
        rounded
          .minus(amount)
          .abs()
          .times(2)
          .lte(new Big(`1e-${currencyDigits(of)}`)),
      ).toBe(true)
    }),
  )
})

test('an amount that rounds to zero is not negative zero', () => {
  expect(Object.is(jsonAmount(roundMoney(new Big('-0.001'), 'EUR')), 0)).toBe(true)
})

test.each([
  [1234.5, 'EUR', '1 234.50 EUR'],
  [0, 'EUR', '0.00 EUR'],
  [-0, 'EUR', '0.00 EUR'],
  [999, 'USD', '999.00 USD'],
  [-1000, 'USD', '-1 000.00 USD'],
  [1234567, 'JPY', '1 234 567 JPY'],
  [1234.5, 'KWD', '1 234.500 KWD'],
  [0.1234567, 'EUR', '0.1234567 EUR'],
  [1e21, 'EUR', '1 000 000 000 000 000 000 000.00 EUR'],
  [1e-7, 'EUR', '0.0000001 EUR'],
  [1e300, 'EUR', '1e+300 EUR'],
  [-1.5e-300, 'EUR', '-1.5e-300 EUR'],
] as const)('%d %s is formatted as %s', (amount, of, text) => {
  expect(formatMoney({ amount, currency: of })).toBe(text)
})
