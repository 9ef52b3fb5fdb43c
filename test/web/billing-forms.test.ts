import { expect, test } from 'vitest'
import type { BillingSettings } from '../../src/contract/billing.js'
import type { InvoiceRecord } from '../../src/contract/public/invoice.js'
import { typedNumber, typedPercent } from '../../web/office/actions/typed-number.js'
import { bodyOf, computedAmount, contentOf, unreadable } from '../../web/office/pages/billing/draft-rows.js'
import { settingsOf, textsOf } from '../../web/office/pages/billing/settings-draft.js'

/** How the forms of billing interpret input. */

test('numbers are read by the person’s language, with groups of thousands, and what is no number is none', () => {
  expect(typedNumber('1,000', 'en')).toBe(1000)
  expect(typedNumber('1,000', 'fr')).toBe(1)
  expect(typedNumber('1.000', 'en')).toBe(1)
  expect(typedNumber('1850,50', 'en')).toBe(1850.5)
  for (const language of ['en', 'fr'] as const) {
    expect(typedNumber('1.234,56', language)).toBe(1234.56)
    expect(typedNumber('1,234.56', language)).toBe(1234.56)
    expect(typedNumber('1 234,56', language)).toBe(1234.56)
    expect(typedNumber('-12.5', language)).toBe(-12.5)
    expect(typedNumber('two', language)).toBeNaN()
    expect(typedNumber('20 %', language)).toBeNaN()
    expect(typedNumber(' ', language)).toBeUndefined()
    expect(typedPercent('20 %', language)).toBe(20)
    expect(typedPercent('5,5%', language)).toBe(5.5)
    expect(typedPercent('', language)).toBeUndefined()
  }
})

const record = (line: NonNullable<InvoiceRecord['lines']>[number]): InvoiceRecord => ({
  reference: 'D',
  usd_to_eur_rate: 0.92,
  lines: [line],
})
const converted = {
  description: 'Ocean freight',
  quantity: { value: 2, unit: 'container' },
  unit_rate: { amount: 100, currency: 'USD' as const },
  price: { amount: 184, currency: 'EUR' as const },
  vatRate: 20,
}

test('a line that is not edited is sent as it was: its amount keeps its currency', () => {
  for (const line of [
    converted,
    { description: 'Agreed', unit_rate: { amount: 5, currency: 'EUR' as const }, price: converted.price },
    { description: 'Flat', price: { amount: 7.5, currency: 'JPY' as const } },
  ]) {
    expect(bodyOf(contentOf(record(line)), record(line), 'en').lines).toEqual([line])
  }
  const computed = { ...converted, price: { amount: 200, currency: 'USD' as const } }
  const { price: _price, ...withoutPrice } = computed
  const content = contentOf(record(computed))
  expect(bodyOf(content, record(computed), 'en').lines).toEqual([withoutPrice])
  expect(content.rows.map((row) => computedAmount(row, 'en'))).toEqual([200])
})

test('a number that cannot be read is reported at its field, never left out', () => {
  const content = contentOf(record(converted))
  expect(unreadable(content, 'en')).toEqual([])
  const rows = content.rows.map((row) => ({ ...row, quantity: '2 x', vat: '20 percent', amount: '184 euros' }))
  expect(unreadable({ ...content, rows }, 'en')).toEqual(['/lines/0/quantity', '/lines/0/price', '/lines/0/vatRate'])
  const readable = content.rows.map((row) => ({ ...row, amount: '1,184', vat: '20 %' }))
  expect(bodyOf({ ...content, rows: readable }, record(converted), 'en').lines).toMatchObject([
    { price: { amount: 1184, currency: 'EUR' }, vatRate: 20 },
  ])
})

test('saving the settings without a change keeps every line of the seller’s address as it is', () => {
  const settings: BillingSettings = {
    seller: { name: 'Hansekontor GmbH', address: ['Am Kai 48, Hof 2', '20457 Hamburg'], country: 'DE' },
    terms: { days: 30, from: 'end_of_month' },
    standard_rate: 5.5,
    number_prefixes: { invoice: 'FA', credit_note: 'AV' },
  }
  expect(settingsOf(settings, textsOf(settings), 'fr')).toEqual(settings)
  expect(settingsOf({}, { ...textsOf({}), rate: '20 %' }, 'en')).toEqual({ standard_rate: 20 })
})
