import { describe, expect, test } from 'vitest'
import type { CheckName, Party } from '../../src/contract/billing.js'
import type { FreeTimeClock } from '../../src/contract/public/free-time.js'
import type { InvoiceRecordLine } from '../../src/contract/public/invoice.js'
import type { Shipment } from '../../src/contract/public/shipment.js'
import { type CheckFacts, checkInvoice } from '../../src/domain/invoices/invoice-checks.js'

const nothing: Omit<CheckFacts, 'invoice'> = {
  shipment: undefined,
  clocks: [],
  others: [],
  seller: undefined,
  buyer: undefined,
  bank: undefined,
}

/** The outcome of one check of an invoice with the lines, and what it found. */
function check(name: CheckName, lines: InvoiceRecordLine[], facts: Partial<CheckFacts>) {
  const checks = checkInvoice({ ...nothing, invoice: { type: 'invoice', lines }, ...facts })
  const found = checks.find((each) => each.check === name)
  return { outcome: found?.outcome, messages: found?.findings.map(({ message }) => message), compared: found?.compared }
}

const counted = (description: string, value: number, unit: string): InvoiceRecordLine => ({
  description,
  quantity: { value, unit },
})
const shipped = (given: Partial<Shipment>) => ({ shipment: given as Shipment })
const cargo = (kilograms: number, cubicMetres?: number) => ({
  total_weight: { value: kilograms, unit: 'kg' as const },
  ...(cubicMetres !== undefined && { total_volume: { value: cubicMetres, unit: 'cbm' as const } }),
})

const priced = (amount: number, currency: 'EUR' | 'USD' = 'EUR'): InvoiceRecordLine => ({
  description: 'Freight',
  price: { amount, currency },
})

test('the accepted quote is the whole price: a charge in another currency differs from it', () => {
  const quoted = { amount: 100, currency: 'EUR' as const }
  const found = (...lines: InvoiceRecordLine[]) =>
    check('quote', lines, { invoice: { type: 'invoice', lines, quoted } })
  expect(found(priced(100))).toMatchObject({ outcome: 'passed', compared: [{ charged: 100, expected: 100 }] })
  expect(found(priced(100), priced(900, 'USD'))).toMatchObject({
    outcome: 'warning',
    messages: ['900 USD charged, 0 expected.'],
  })
  const passedOn = { ...priced(900, 'USD'), disbursement: true }
  expect(found(priced(100), passedOn)).toMatchObject({ outcome: 'passed' })
})

test('a currency without an exchange rate is reported, since its total in the accounting currency is left out', () => {
  const rates = [{ currency: 'USD' as const, rate: 0.92, date: '2026-03-02' }]
  const accounting = { accounting_currency: 'EUR' as const, rates }
  const lines = [priced(100), priced(900, 'USD')]
  expect(check('exchange_rate', lines, { accounting })).toMatchObject({ outcome: 'passed' })
  expect(check('exchange_rate', lines, { accounting: { ...accounting, rates: [] } })).toMatchObject({
    outcome: 'warning',
    messages: ['There is no exchange rate from USD to EUR: the total in EUR is left out.'],
  })
  expect(check('exchange_rate', lines, {}).outcome).toBe('not_applicable')
  expect(check('exchange_rate', [priced(100)], { accounting }).outcome).toBe('not_applicable')
})

describe('chargeable weight', () => {
  const air = (given: Partial<Shipment>) => shipped({ freight_mode: 'air', ...given })
  const booked = (value: number, unit: 'kg' | 'lbs' = 'kg') => ({
    booking_information: { air_booking: { chargeable_weight: { value, unit } } },
  })

  test.each([
    ['the weight', 400, air({ cargo: cargo(400, 1) })],
    ['the volume at 1:6000', 500, air({ cargo: cargo(400, 3) })],
    ['the volume at 1:5000', 600, air({ cargo: cargo(400, 3) })],
    ['half kilograms, rounded up', 400.5, air({ cargo: cargo(400.2) })],
    ['what was booked', 512.5, air({ cargo: cargo(400, 3), ...booked(512.3) })],
    ['what was booked in pounds', 454, air({ ...booked(1000, 'lbs') })],
  ])('%s passes, charged as %d kg', (_case, charged, facts) => {
    const found = check('chargeable_weight', [counted('Air freight', charged, 'kg')], facts)
    expect(found).toMatchObject({ outcome: 'passed', messages: [], compared: [{ charged, unit: 'kg' }] })
  })

  test.each([
    ['400.5 kg charged, 400 expected.', 400.5, air({ cargo: cargo(400) })],
    ['499.5 kg charged, 500 to 600 expected.', 499.5, air({ cargo: cargo(400, 3) })],
    ['601 kg charged, 500 to 600 expected.', 601, air({ cargo: cargo(400, 3) })],
    ['550 kg charged, 512.5 expected.', 550, air({ cargo: cargo(400, 3), ...booked(512.3) })],
  ])('%s', (message, charged, facts) => {
    const found = check('chargeable_weight', [counted('Air freight', charged, 'kg')], facts)
    expect(found).toMatchObject({ outcome: 'warning', messages: [message] })
  })

  test('kilograms of other charges, and of other modes, are not compared', () => {
    const security = [counted('Security', 1, 'kg')]
    expect(check('chargeable_weight', security, air({ cargo: cargo(400) })).outcome).toBe('not_applicable')
    const ocean = shipped({ freight_mode: 'ocean', cargo: cargo(400) })
    expect(check('chargeable_weight', [counted('Freight', 1, 'kg')], ocean).outcome).toBe('not_applicable')
  })
})

describe('weight or measure', () => {
  const lcl = (given: Partial<Shipment>) => shipped({ freight_mode: 'ocean', load_type: 'lcl', ...given })

  test.each([
    ['cubic metres', 3.2, lcl({ cargo: cargo(1500, 3.2) }), undefined],
    ['tonnes', 4.5, lcl({ cargo: cargo(4500, 3.2) }), undefined],
    ['at least 1', 1, lcl({ cargo: cargo(300, 0.4) }), undefined],
    ['less', 0.4, lcl({ cargo: cargo(300, 0.4) }), '0.4 W/M charged, 1 expected.'],
    ['more', 5, lcl({ cargo: cargo(1500, 3.2) }), '5 W/M charged, 3.2 expected.'],
  ])('%s: %d W/M', (_case, charged, facts, message) => {
    const found = check('weight_or_measure', [counted('Ocean freight', charged, 'W/M')], facts)
    expect(found).toMatchObject({
      outcome: message === undefined ? 'passed' : 'warning',
      messages: message === undefined ? [] : [message],
    })
  })

  test.each([
    ['full containers', shipped({ freight_mode: 'ocean', load_type: 'fcl', cargo: cargo(1500, 3.2) })],
    ['an unknown volume', lcl({ cargo: cargo(1500) })],
  ])('%s: nothing to compare', (_case, facts) => {
    expect(check('weight_or_measure', [counted('Freight', 5, 'W/M')], facts).outcome).toBe('not_applicable')
  })
})

describe('days of free time', () => {
  const clock = (name: FreeTimeClock['clock'], days_over: number) => ({ clock: name, days_over }) as FreeTimeClock
  const clocks = [clock('demurrage', 3), clock('demurrage', 2), clock('detention', 0)]

  test.each([
    ['the days of all containers', [counted('Demurrage', 5, 'days')], []],
    ['several lines together', [counted('Demurrage', 4, 'days'), counted('Surestaries', 1, 'jours')], []],
    ['more days', [counted('Demurrage', 6, 'days')], ['6 days of demurrage charged, 5 expected.']],
    ['days within free time', [counted('Detention', 2, 'days')], ['2 days of detention charged, 0 expected.']],
  ])('%s', (_case, lines, messages) => {
    const outcome = messages.length === 0 ? 'passed' : 'warning'
    expect(check('free_time', lines, { clocks })).toMatchObject({ outcome, messages })
  })

  test('days without a clock are not compared', () => {
    expect(check('free_time', [counted('Storage', 2, 'days')], { clocks }).outcome).toBe('not_applicable')
    expect(check('free_time', [counted('Demurrage', 2, 'flat')], { clocks }).outcome).toBe('not_applicable')
  })
})

describe('incoterms', () => {
  const route = { origin_port_unlocode: 'CNNGB', destination_port_unlocode: 'FRLEH' }
  const buyer = (country: string): Party => ({ name: 'Buyer', address: ['1 rue du Port'], country })

  test.each([
    ['fob', 'FR', 'Ocean freight', undefined],
    ['fob', 'FR', 'Pick-up in Ningbo', 'By FOB, the exporter pays for this; the customer is the importer.'],
    ['exw', 'FR', 'Pick-up in Ningbo', undefined],
    ['cif', 'FR', 'Cargo insurance', 'By CIF, the exporter pays for this; the customer is the importer.'],
    ['fob', 'FR', 'Cargo insurance', undefined],
    ['fob', 'CN', 'Fret maritime', 'By FOB, the importer pays for this; the customer is the exporter.'],
    ['dap', 'CN', 'Import duties', 'By DAP, the importer pays for this; the customer is the exporter.'],
    ['ddp', 'CN', 'Import duties', undefined],
    ['dap', 'CN', 'Delivery order fee', undefined],
  ] as const)('%s, a customer in %s, "%s"', (incoterm, country, description, message) => {
    const facts = { ...shipped({ incoterm, route }), buyer: buyer(country) }
    expect(check('incoterm', [{ description }], facts)).toMatchObject({
      outcome: message === undefined ? 'passed' : 'warning',
      messages: message === undefined ? [] : [message],
    })
  })

  test('a customer in a third country, or without one, has no side', () => {
    const lines = [{ description: 'Ocean freight' }]
    const facts = shipped({ incoterm: 'fob', route })
    expect(check('incoterm', lines, { ...facts, buyer: buyer('US') }).outcome).toBe('not_applicable')
    expect(check('incoterm', lines, facts).outcome).toBe('not_applicable')
  })
})

describe('tax', () => {
  const seller = { name: 'Seller', address: ['Kai 1'], vat_number: 'DE811569869' }
  const buyer = { name: 'Buyer', address: ['1 rue du Port'], vat_number: 'FR40303265045' }

  test.each([
    ['a rate', { vatRate: 19 }, { seller }, undefined],
    ['a category', { vatRate: 0, tax_category: 'export' }, { seller }, undefined],
    ['a disbursement', { vatRate: 0, disbursement: true }, { seller }, undefined],
    ['a seller without VAT', { vatRate: 0 }, {}, undefined],
    ['reverse charge', { tax_category: 'reverse_charge' }, { seller, buyer }, undefined],
    ['neither', { vatRate: 0 }, { seller }, 'The line has 0 % VAT, and no category that says why.'],
    [
      'reverse charge without the number',
      { tax_category: 'reverse_charge' },
      { seller },
      'Reverse charge needs the VAT number of the customer.',
    ],
  ] as const)('%s', (_case, line, facts, message) => {
    expect(check('tax', [{ description: 'Handling', ...line }], facts)).toMatchObject({
      outcome: message === undefined ? 'passed' : 'warning',
      messages: message === undefined ? [] : [message],
    })
  })
})

test('a setting turns a warning into a block, or the check off', () => {
  const facts = { ...nothing, invoice: { type: 'invoice' as const, lines: [{ description: 'Handling', vatRate: 0 }] } }
  const taxed = { ...facts, seller: { name: 'Seller', vat_number: 'DE811569869' } }
  const outcomeOf = (severity: 'off' | 'warn' | 'block') =>
    checkInvoice(taxed, { tax: severity }).find((each) => each.check === 'tax')?.outcome
  expect([outcomeOf('warn'), outcomeOf('block'), outcomeOf('off')]).toEqual(['warning', 'blocked', undefined])
})
