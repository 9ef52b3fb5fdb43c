import { Big } from 'big.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Total } from '../../src/contract/operator/invoices.js'
import { type InvoiceLine, type InvoiceStatus, invoiceStatuses } from '../../src/contract/public/invoice.js'
import type { Price } from '../../src/contract/public/shared-types.js'
import { type ShipmentStatus, shipmentStatuses } from '../../src/contract/public/shipment.js'
import { invoiceMoves } from '../../src/domain/invoices/invoice-status.js'
import {
  completeLines,
  creditExcess,
  isSettled,
  outstanding,
  paymentExcess,
  totalsOf,
} from '../../src/domain/invoices/invoice-totals.js'
import { fitsCurrency } from '../../src/domain/invoices/money.js'
import { shipmentMoves } from '../../src/domain/shipments/shipment-status.js'

const eur = (amount: number): Price => ({ amount, currency: 'EUR' })
const usd = (amount: number): Price => ({ amount, currency: 'USD' })
const times = (value: number, unit_rate: Price): InvoiceLine => ({ quantity: { value, unit: 'kg' }, unit_rate })

function completed(line: InvoiceLine, rates = {}) {
  const { lines, faults } = completeLines([line], rates)
  return faults.length > 0 ? faults : lines[0]?.price
}

describe('the price of a line', () => {
  test('the price of a line is quantity times unit rate, rounded half up to the digits of the currency', () => {
    expect(completed(times(3, eur(0.1)))).toEqual(eur(0.3))
    expect(completed(times(1, eur(0.125)))).toEqual(eur(0.13))
    expect(completed(times(3, eur(0.125)))).toEqual(eur(0.38))
    expect(completed(times(0.5, { amount: 5, currency: 'JPY' }))).toEqual({ amount: 3, currency: 'JPY' })
    expect(completed(times(1, { amount: 0.0015, currency: 'KWD' }))).toEqual({ amount: 0.002, currency: 'KWD' })
  })

  test('the price of a line may be negative or zero', () => {
    expect(completed(times(2, eur(-50)))).toEqual(eur(-100))
    expect(completed(times(0, eur(50)))).toEqual(eur(0))
    expect(completed(times(1, eur(-0.001)))).toEqual(eur(0))
  })

  test('a computed price is inserted in the order of the interface, and the input is not modified', () => {
    const line = { description: 'Handling', ...times(2, eur(10)), vatRate: 19 }
    const { lines } = completeLines([line], {})
    expect(Object.keys(lines[0]!)).toEqual(['description', 'price', 'quantity', 'unit_rate', 'vatRate'])
    expect(line).not.toHaveProperty('price')
  })

  test('a given price must be quantity times unit rate, and the fault states the right amount', () => {
    expect(completed({ ...times(3, eur(0.1)), price: eur(0.3) })).toEqual(eur(0.3))
    const wrong = { ...times(3, eur(0.1)), price: eur(0.31) }
    const right = { ...times(1, eur(1)) }
    expect(completeLines([right, right, right, wrong], {})).toMatchObject({
      lines: [{ price: eur(1) }, { price: eur(1) }, { price: eur(1) }, { price: eur(0.31) }],
      faults: [{ pointer: '/lines/3/price/amount', detail: 'must be 0.30 EUR, the quantity times the unit rate' }],
    })
  })

  test('a price without quantity or unit rate is accepted as it is', () => {
    expect(completed({ price: eur(12.34) })).toEqual(eur(12.34))
    expect(completed({ price: eur(12.34), unit_rate: eur(5) })).toEqual(eur(12.34))
    expect(completed({ price: eur(12.34), quantity: { value: 3 } })).toEqual(eur(12.34))
  })

  test.each([
    [eur(0.125), 'must have no more than the 2 decimals of EUR'],
    [{ amount: 0.5, currency: 'JPY' } as const, 'must have no more than the 0 decimals of JPY'],
    [eur(1e12), 'must be less than 1000000000000'],
    [eur(-1e300), 'must be less than 1000000000000'],
  ])('a price with more digits than its currency or a JSON number can hold is refused: %j', (price, detail) => {
    expect(completed({ price })).toEqual([{ pointer: '/lines/0/price/amount', detail }])
  })

  test('a price that exceeds the exact range of a JSON number is refused', () => {
    const detail = 'times the quantity gives a price that is too large'
    expect(completed(times(1e300, eur(1e300)))).toEqual([{ pointer: '/lines/0/unit_rate/amount', detail }])
    expect(completed({ ...times(1e300, eur(1e300)), price: eur(5) })).toEqual([
      { pointer: '/lines/0/unit_rate/amount', detail },
    ])
  })

  test('a unit rate is converted between dollars and euros with the exchange rate', () => {
    const rates = { usd_to_eur_rate: 0.9123 }
    expect(completed({ ...times(2, usd(100)), price: eur(182.46) }, rates)).toEqual(eur(182.46))
    expect(completed({ ...times(2, eur(100)), price: usd(219.23) }, rates)).toEqual(usd(219.23))
    expect(completed({ ...times(2, usd(100)), price: eur(182.45) }, rates)).toEqual([
      { pointer: '/lines/0/price/amount', detail: 'must be 182.46 EUR, the quantity times the unit rate' },
    ])
  })

  test('a price in another currency is accepted without an exchange rate', () => {
    expect(completed({ ...times(2, usd(100)), price: eur(180) })).toEqual(eur(180))
    const yuan = { amount: 100, currency: 'CNY' } as const
    expect(completed({ ...times(2, yuan), price: eur(25) }, { usd_to_eur_rate: 0.9 })).toEqual(eur(25))
    expect(completed({ ...times(2, yuan), price: eur(25.001) }, { usd_to_eur_rate: 0.9 })).toMatchObject([
      { pointer: '/lines/0/price/amount' },
    ])
  })

  test.each([0, -0.9])('an exchange rate of %d is refused', (usd_to_eur_rate) => {
    expect(completeLines([{ ...times(2, eur(100)), price: usd(219) }], { usd_to_eur_rate }).faults).toEqual([
      { pointer: '/usd_to_eur_rate', detail: 'must be greater than 0' },
    ])
  })

  test('a line needs a price, or a quantity and a unit rate', () => {
    const needsPrice = [{ pointer: '/lines/0/price', detail: 'is required where there is no unit_rate' }]
    expect(completed({ description: 'Handling' })).toEqual(needsPrice)
    expect(completed({ quantity: { value: 2 } })).toEqual(needsPrice)
    expect(completed({ unit_rate: eur(5) })).toEqual([
      { pointer: '/lines/0/quantity/value', detail: 'is required where there is a unit_rate and no price' },
    ])
  })
})

test('a negative quantity is one fault: its price is not required', () => {
  expect(completed({ ...times(-1, eur(5)), price: eur(5) })).toEqual([
    { pointer: '/lines/0/quantity/value', detail: 'must be 0 or more' },
  ])
})

test('all faults of all lines are reported together, each with its pointer', () => {
  const { faults } = completeLines(
    [times(-1, eur(5)), { ...times(1, eur(5)), vatRate: 100.1 }, { vatRate: -1 }, { price: eur(1), vatRate: 100 }],
    {},
  )
  expect(faults).toEqual([
    { pointer: '/lines/0/quantity/value', detail: 'must be 0 or more' },
    { pointer: '/lines/1/vatRate', detail: 'must be 100 or less' },
    { pointer: '/lines/2/vatRate', detail: 'must be 0 or more' },
    { pointer: '/lines/2/price', detail: 'is required where there is no unit_rate' },
  ])
})

describe('totals', () => {
  test('totals are computed per currency in the order of appearance, with VAT per rate', () => {
    const lines = [
      { price: usd(100), vatRate: 0 },
      { price: eur(10), vatRate: 19 },
      { price: eur(20) },
      { price: eur(0.1), vatRate: 19 },
      { description: 'imported without a price', vatRate: 7 },
      { price: usd(-0.5), vatRate: 0 },
    ]
    expect(totalsOf(lines)).toEqual([
      { currency: 'USD', net: 99.5, vat: [{ rate: 0, net: 99.5, amount: 0 }], gross: 99.5 },
      {
        currency: 'EUR',
        net: 30.1,
        vat: [
          { rate: 0, net: 20, amount: 0 },
          { rate: 19, net: 10.1, amount: 1.92 },
        ],
        gross: 32.02,
      },
    ])
    expect(totalsOf([])).toEqual([])
  })

  test('VAT is computed on the sum, not per line', () => {
    const lines = Array.from({ length: 3 }, () => ({ price: eur(0.13), vatRate: 19 }))
    // 0.0247 per line would add up to 0.06.
    expect(totalsOf(lines)).toMatchObject([{ net: 0.39, vat: [{ amount: 0.07 }], gross: 0.46 }])
  })

  test('VAT is rounded half up', () => {
    expect(totalsOf([{ price: eur(0.5), vatRate: 5 }])).toMatchObject([{ vat: [{ amount: 0.03 }] }])
    expect(totalsOf([{ price: eur(0.7), vatRate: 5 }])).toMatchObject([{ vat: [{ amount: 0.04 }] }])
  })

  test('totals have the decimals of their currency, even if imported prices have more', () => {
    expect(totalsOf([{ price: eur(0.125) }, { price: eur(0.25) }])).toMatchObject([{ net: 0.38, gross: 0.38 }])
  })

  test('totals of very large stored prices are finite numbers', () => {
    const largest = Number.MAX_VALUE
    const [total] = totalsOf([
      { price: eur(1e308), vatRate: 1e308 },
      { price: eur(1e308), vatRate: 1e308 },
    ])
    expect(total).toEqual({
      currency: 'EUR',
      net: largest,
      vat: [{ rate: 1e308, net: largest, amount: largest }],
      gross: largest,
    })
    expect(totalsOf([{ price: eur(-1e308) }, { price: eur(-1e308) }])).toMatchObject([{ gross: -largest }])
    expect(outstanding([total!], [], [eur(-1e308)])).toEqual([eur(largest)])
    expect(outstanding([total!], [[total!]], [])).toEqual([eur(0)])
  })
})

const line = fc.record(
  {
    quantity: fc.record({ value: fc.integer({ min: 0, max: 100_000 }).map((n) => n / 1000) }),
    unit_rate: fc.record({
      amount: fc.integer({ min: -100_000, max: 10_000_000 }).map((n) => n / 1000),
      currency: fc.constantFrom('EUR', 'USD', 'JPY', 'KWD'),
    }),
    vatRate: fc.constantFrom(0, 5.5, 7, 19, 20, 100),
  },
  { requiredKeys: ['quantity', 'unit_rate'] },
) as fc.Arbitrary<InvoiceLine>

test('completing lines is idempotent, and their totals add up exactly', () => {
  fc.assert(
    fc.property(fc.array(line), (sent) => {
      const { lines, faults } = completeLines(sent, {})
      expect(faults).toEqual([])
      expect(completeLines(lines, {})).toEqual({ lines, faults: [] })
      for (const { currency, net, vat, gross } of totalsOf(lines)) {
        const prices = lines.filter(({ price }) => price?.currency === currency).map(({ price }) => price!.amount)
        expect(net).toBe(exactSum(prices))
        expect(net).toBe(exactSum(vat.map((part) => part.net)))
        expect(gross).toBe(exactSum([net, ...vat.map(({ amount }) => amount)]))
        expect(fitsCurrency(new Big(gross), currency)).toBe(true)
      }
    }),
  )
})

test('an invoice is settled by a payment of the outstanding amount, and not by a cent less', () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1 }), fc.array(line), (asked, credit) => {
      const totals = totalsOf(completeLines(asked, {}).lines)
      const credited = [totalsOf(completeLines(credit, {}).lines)]
      const owed = outstanding(totals, credited, []).filter(({ amount }) => amount > 0)
      expect(isSettled(totals, outstanding(totals, credited, owed))).toBe(true)
      for (const price of owed) {
        expect(paymentExcess(owed, price)).toBeUndefined()
        const less = owed.map((one) => (one === price ? { ...one, amount: exactSum([one.amount, -0.001]) } : one))
        expect(isSettled(totals, outstanding(totals, credited, less))).toBe(false)
      }
    }),
  )
})

function exactSum(amounts: number[]): number {
  return amounts.reduce((sum, amount) => sum.plus(amount), new Big(0)).toNumber() + 0
}

const asks = (...prices: Price[]): Total[] => totalsOf(prices.map((price) => ({ price })))

test('outstanding is gross minus credit notes minus payments, for each currency', () => {
  const totals = asks(eur(100.3), usd(50))
  expect(outstanding(totals, [], [])).toEqual([eur(100.3), usd(50)])
  expect(outstanding(totals, [asks(eur(10.1)), asks(eur(0.1))], [eur(90), usd(50)])).toEqual([eur(0.1), usd(0)])
  expect(outstanding(asks(eur(1)), [], [usd(1)])).toEqual([eur(1), usd(-1)])
})

test('an invoice is settled when nothing is left in any currency', () => {
  const totals = asks(eur(0.3), usd(50))
  expect(isSettled(totals, outstanding(totals, [], [eur(0.1), eur(0.2)]))).toBe(false)
  expect(isSettled(totals, outstanding(totals, [asks(usd(50))], [eur(0.1), eur(0.2)]))).toBe(true)
  expect(isSettled(asks(eur(1)), outstanding(asks(eur(1)), [], [usd(2)]))).toBe(false)
})

test('an invoice without any price is not settled: its total is unknown', () => {
  expect(isSettled(totalsOf([{ description: 'Handling' }]), [])).toBe(false)
  expect(isSettled(asks(eur(0)), outstanding(asks(eur(0)), [], []))).toBe(true)
})

test('credit notes together never exceed the invoice', () => {
  const invoice = asks(eur(100))
  expect(creditExcess(invoice, [], asks(eur(100)))).toEqual([])
  expect(creditExcess(invoice, [asks(eur(99.9))], asks(eur(0.1)))).toEqual([])
  expect(creditExcess(invoice, [asks(eur(99.9))], asks(eur(0.3)))).toEqual([eur(0.2)])
  expect(creditExcess(invoice, [], asks(eur(100.01), usd(5)))).toEqual([eur(0.01), usd(5)])
  // An excess of earlier credit notes does not count for the next one.
  expect(creditExcess(invoice, [asks(eur(110))], asks(eur(5)))).toEqual([eur(5)])
})

test('a payment never exceeds what is owed in its currency', () => {
  expect(paymentExcess([eur(0.3)], eur(0.3))).toBeUndefined()
  expect(paymentExcess([eur(0.3)], eur(0.4))).toEqual(eur(0.1))
  expect(paymentExcess([eur(0.3)], usd(0.1))).toEqual(usd(0.1))
  expect(paymentExcess([eur(-5)], eur(1))).toEqual(eur(1))
})

describe('the status of an invoice', () => {
  const path: InvoiceStatus[] = ['new', 'available', 'due', 'partially_paid', 'paid']
  const aside = new Set<InvoiceStatus>(['in_modification', 'litigious'])
  const status = fc.constantFrom(...invoiceStatuses)

  test('the moves of an invoice are those of the decision table', () => {
    expect(Object.fromEntries(invoiceStatuses.map((from) => [from, invoiceMoves(from)]))).toEqual({
      new: ['available', 'due', 'write_off'],
      available: ['due', 'partially_paid', 'paid', 'in_modification', 'litigious', 'write_off'],
      due: ['partially_paid', 'paid', 'in_modification', 'litigious', 'write_off'],
      partially_paid: ['paid', 'in_modification', 'litigious', 'write_off'],
      in_modification: ['available', 'due', 'write_off'],
      litigious: ['available', 'due', 'write_off'],
      paid: [],
      write_off: [],
    })
  })

  test('an invoice never moves backwards, and is modified or disputed only after it was issued', () => {
    fc.assert(
      fc.property(status, status, (from, to) => {
        if (!invoiceMoves(from).includes(to)) return
        expect(to).not.toBe(from)
        if (path.includes(from) && path.includes(to)) expect(path.indexOf(to)).toBeGreaterThan(path.indexOf(from))
        if (aside.has(to)) expect(['available', 'due', 'partially_paid']).toContain(from)
        if (aside.has(from)) expect(['available', 'due', 'write_off']).toContain(to)
      }),
    )
  })

  test('an invoice is final once paid or written off, and can be written off until then', () => {
    for (const from of invoiceStatuses) {
      const isFinal = from === 'paid' || from === 'write_off'
      expect(invoiceMoves(from).includes('write_off'), from).toBe(!isFinal)
      expect(invoiceMoves(from).length === 0, from).toBe(isFinal)
    }
  })
})

describe('the status of a shipment', () => {
  const path: ShipmentStatus[] = ['draft', 'booking_request', 'awaiting_booking', 'booked', 'in_progress', 'finished']

  test('a shipment moves forwards by any number of steps, and never backwards', () => {
    const status = fc.constantFrom(...shipmentStatuses)
    fc.assert(
      fc.property(status, status, (from, to) => {
        const isFinal = from === 'finished' || from === 'cancelled'
        const isForward = to === 'cancelled' || path.indexOf(to) > path.indexOf(from)
        expect(shipmentMoves(from).includes(to), `${from} to ${to}`).toBe(!isFinal && isForward)
      }),
    )
  })

  test('every sequence of moves of a shipment ends in a final status', () => {
    const move = fc.array(fc.nat(), { minLength: shipmentStatuses.length, maxLength: shipmentStatuses.length })
    fc.assert(
      fc.property(fc.constantFrom(...shipmentStatuses), move, (start, choices) => {
        let at = start
        for (const choice of choices) {
          const moves = shipmentMoves(at)
          at = moves[choice % moves.length] ?? at
        }
        expect(['finished', 'cancelled']).toContain(at)
      }),
    )
  })
})
