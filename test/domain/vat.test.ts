import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { InvoiceRecordLine } from '../../src/contract/public/invoice.js'
import type { Currency } from '../../src/contract/public/shared-types.js'
import { accountingTotals } from '../../src/domain/invoices/accounting-totals.js'
import { creditRounding, totalsOfRecord } from '../../src/domain/invoices/credit-rounding.js'
import { creditExcess, outstanding, totalsOf } from '../../src/domain/invoices/invoice-totals.js'
import { creditorReference, epcQrCode, isIban } from '../../src/domain/invoices/payment-reference.js'
import { dueDateOf } from '../../src/domain/invoices/payment-terms.js'
import { creditedTax, taxDefaults, taxFaults, taxWording, withTax } from '../../src/domain/invoices/tax.js'

const line = (amount: number, vatRate: number, more: Partial<InvoiceRecordLine> = {}, currency: Currency = 'EUR') => ({
  description: 'Freight',
  price: { amount, currency },
  vatRate,
  ...more,
})

// Computed by hand: the net of each rate, times the rate, rounded half up to the digits of the currency.
test.each([
  { why: 'a plain rate', lines: [line(100, 19)], vat: [[19, 100, 19]], gross: 119 },
  { why: 'half a cent is rounded up: 2.50 × 5 % = 0.125', lines: [line(2.5, 5)], vat: [[5, 2.5, 0.13]], gross: 2.63 },
  {
    why: 'per rate, not per line: 3 × 0.33 × 20 % = 0.198, and 3 × 0.066 would be 0.21',
    lines: [line(0.33, 20), line(0.33, 20), line(0.33, 20)],
    vat: [[20, 0.99, 0.2]],
    gross: 1.19,
  },
  {
    why: 'yen have no decimals: 1005 × 10 % = 100.5',
    lines: [line(1005, 10, {}, 'JPY')],
    vat: [[10, 1005, 101]],
    gross: 1106,
  },
  {
    why: 'dinars have three: 1.111 × 5 % = 0.05555',
    lines: [line(1.111, 5, {}, 'KWD')],
    vat: [[5, 1.111, 0.056]],
    gross: 1.167,
  },
  {
    why: 'two categories at 0 % stay apart',
    lines: [line(500, 0, { tax_category: 'export' }), line(80, 0, { tax_category: 'reverse_charge' }), line(50, 20)],
    vat: [
      [0, 500, 0],
      [0, 80, 0],
      [20, 50, 10],
    ],
    gross: 640,
  },
  {
    why: 'a disbursement has no tax',
    lines: [line(100, 20, { tax_category: 'standard' }), line(43.21, 0, { disbursement: true })],
    vat: [
      [0, 43.21, 0],
      [20, 100, 20],
    ],
    gross: 163.21,
    disbursements: 43.21,
  },
])('VAT by hand: $why', ({ lines, vat, gross, disbursements }) => {
  const [total] = totalsOf(lines)
  expect(total?.vat.map(({ rate, net, amount }) => [rate, net, amount])).toEqual(vat)
  expect(total?.gross).toBe(gross)
  expect(total?.disbursements).toBe(disbursements)
})

test('totals in the accounting currency are converted by the stored rate, the tax of each rate by itself', () => {
  const totals = totalsOf([line(100.01, 19, {}, 'USD'), line(10, 7, {}, 'USD')])
  const rates = [{ currency: 'USD' as const, rate: 0.9213, date: '2026-03-02' }]
  // 100.01 × 0.9213 = 92.139…; 19.00 × 0.9213 = 17.504…; 10 × 0.9213 = 9.213; 0.70 × 0.9213 = 0.644…
  expect(accountingTotals(totals, { currency: 'EUR', rates })).toEqual([
    { of: 'USD', currency: 'EUR', rate: 0.9213, rate_date: '2026-03-02', net: 101.35, vat: 18.14, gross: 119.49 },
  ])
})

const cents = fc.integer({ min: 1, max: 10_000_000 }).map((amount) => amount / 100)
const charges = fc.array(fc.tuple(cents, fc.constantFrom(0, 5.5, 7, 10, 19, 20)), { minLength: 1, maxLength: 8 })

test('the tax of a rate differs from the exact one by at most half a cent, and sums agree to the cent', () => {
  fc.assert(
    fc.property(charges, (given) => {
      const [total] = totalsOf(given.map(([amount, rate]) => line(amount, rate)))
      if (!total) throw new Error('no total')
      for (const { rate, net, amount } of total.vat) {
        expect(Math.abs(Math.round(amount * 100) - (Math.round(net * 100) * rate) / 100)).toBeLessThanOrEqual(0.5000001)
      }
      const parts = total.vat.reduce((sum, part) => sum + Math.round(part.net * 100) + Math.round(part.amount * 100), 0)
      expect(parts).toBe(Math.round(total.gross * 100))
    }),
  )
})

test('credit notes that are accepted never exceed the invoice, in all and at each rate', () => {
  fc.assert(
    fc.property(charges, fc.array(charges, { maxLength: 5 }), (charged, notes) => {
      const of = (given: [number, number][]) => totalsOf(given.map(([amount, rate]) => line(amount, rate)))
      const invoice = of(charged)
      const accepted = notes.map(of).reduce<ReturnType<typeof of>[]>((before, note) => {
        return creditExcess(invoice, before, note).length === 0 ? [...before, note] : before
      }, [])
      const grossAt = (totals: ReturnType<typeof of>, rate: number) =>
        totals
          .flatMap(({ vat }) => vat)
          .filter((part) => part.rate === rate)
          .reduce((sum, { net, amount }) => sum + Math.round(net * 100) + Math.round(amount * 100), 0)
      for (const rate of [0, 5.5, 7, 10, 19, 20]) {
        expect(grossAt(accepted.flat(), rate)).toBeLessThanOrEqual(grossAt(invoice, rate))
      }
      // The whole invoice can be credited if nothing was.
      expect(creditExcess(invoice, [], invoice)).toEqual([])
    }),
  )
})

test.each(['EUR', 'JPY', 'KWD'] as const)(
  'every line of an invoice can be credited by itself, and together they give back its tax exactly: %s',
  (currency) => {
    const digits = { EUR: 100, JPY: 1, KWD: 1000 }[currency]
    fc.assert(
      fc.property(charges, (charged) => {
        const lines = charged.map(([amount, rate]) => line(Math.ceil(amount * 100) / digits, rate, {}, currency))
        const invoice = totalsOf(lines)
        const notes = lines.reduce<ReturnType<typeof totalsOf>[]>((before, each) => {
          const vat_rounding = creditRounding(invoice, before, totalsOf([each]))
          const note = totalsOfRecord({ lines: [each], vat_rounding })
          expect(creditExcess(invoice, before, note)).toEqual([])
          expect(note.every(({ gross, net }) => gross >= net)).toBe(true)
          return [...before, note]
        }, [])
        expect(outstanding(invoice, notes, [])).toEqual([{ amount: 0, currency }])
      }),
    )
  },
)

test('a category decides on the rate, and the wording is that of the language', () => {
  expect(withTax({ description: 'x' }, { category: 'reverse_charge', standardRate: 20 })).toMatchObject({ vatRate: 0 })
  expect(withTax({ description: 'x' }, { category: 'standard', standardRate: 20 })).toMatchObject({ vatRate: 20 })
  expect(withTax({ description: 'x', vatRate: 7 }, { category: 'export' })).toEqual({ description: 'x', vatRate: 7 })
  expect(taxFaults(line(1, 20, { tax_category: 'export' }))).toMatchObject([{ pointer: '/vatRate' }])
  expect(taxFaults(line(1, 20, { disbursement: true }))).toMatchObject([{ pointer: '/vatRate' }])
  const lines = [line(1, 0, { tax_category: 'reverse_charge' }), line(1, 20, { tax_category: 'standard' })]
  expect(taxWording(lines, 'fr').map(({ text }) => text)).toEqual([expect.stringMatching(/^Autoliquidation/)])
  expect(taxWording(lines, 'en', { reverse_charge: { en: 'Own words' } })[0]?.text).toBe('Own words')
})

test('a line that names no tax has the standard rate, unless its customer has a category or is abroad', () => {
  const seller = { country: 'DE' }
  const taxed = (settings: Parameters<typeof taxDefaults>[0], own: Parameters<typeof taxDefaults>[1]) =>
    withTax({ description: 'x' }, taxDefaults(settings, own))
  const standard = { description: 'x', vatRate: 19, tax_category: 'standard' }
  expect(taxed({ standard_rate: 19 }, {})).toEqual(standard)
  expect(taxed({ standard_rate: 19, seller }, { buyer: { country: 'DE' } })).toEqual(standard)
  expect(taxed({ standard_rate: 19, seller }, { buyer: {} })).toEqual(standard)
  expect(taxed({ standard_rate: 19, seller }, { buyer: { country: 'FR' } })).toEqual({ description: 'x' })
  expect(taxed({ standard_rate: 19 }, { tax_category: 'export' })).toMatchObject({ vatRate: 0, tax_category: 'export' })
  expect(taxed({ standard_rate: 0 }, {})).toEqual({ description: 'x' })
  expect(taxed({}, {})).toEqual({ description: 'x' })
})

test('a line of a credit note that names no tax has that of the invoice, if the invoice has one alone', () => {
  const defaults = { standardRate: 20, category: 'standard' as const }
  const noted = (...lines: InvoiceRecordLine[]) =>
    withTax({ description: 'x' }, { ...defaults, credited: creditedTax({ lines }) })
  expect(noted(line(1, 7), line(2, 7), line(9, 0, { disbursement: true }))).toEqual({ description: 'x', vatRate: 7 })
  expect(noted({ description: 'Untaxed' })).toEqual({ description: 'x' })
  expect(noted(line(1, 7), line(2, 19))).toMatchObject({ vatRate: 20 })
})

test.each([
  [{ days: 30 }, '2026-01-31', '2026-03-02'],
  [{ days: 0 }, '2026-01-31', '2026-01-31'],
  [{ days: 30, from: 'end_of_month' }, '2026-01-10', '2026-03-02'],
  [{ days: 10, from: 'end_of_month' }, '2028-02-01', '2028-03-10'],
] as const)('with the terms %o, an invoice of %s is due on %s', (terms, date, due) => {
  expect(dueDateOf(terms, date)).toBe(due)
})

test('references and account numbers have check digits, and the code to scan has the lines of EPC069-12', () => {
  // The example of ISO 11649.
  expect(creditorReference('539007547034')).toBe('RF18539007547034')
  expect(creditorReference('INV-2026-000001')).toBe('RF94INV2026000001')
  expect(isIban('DE89 3704 0044 0532 0130 00')).toBe(true)
  expect(isIban('DE88 3704 0044 0532 0130 00')).toBe(false)
  const bank = { iban: 'DE89 3704 0044 0532 0130 00', bic: 'COBADEFFXXX' }
  const transfer = { bank, holder: 'Spedition GmbH', reference: 'RF18539007547034', text: 'INV-1' }
  const euros = { amount: 119.5, currency: 'EUR' as const }
  expect(epcQrCode({ ...transfer, amount: euros })).toBe(
    'BCD\n002\n1\nSCT\nCOBADEFFXXX\nSpedition GmbH\nDE89370400440532013000\nEUR119.50\n\nRF18539007547034',
  )
  expect(epcQrCode({ ...transfer, amount: { amount: 119.5, currency: 'USD' } })).toBeUndefined()
})
