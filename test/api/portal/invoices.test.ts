import { expect, test } from 'vitest'
import type { PortalQuery } from '../../../src/contract/portal/operations.js'
import type { Invoice, InvoiceRecord } from '../../../src/contract/public/invoice.js'
import type { Currency } from '../../../src/contract/public/shared-types.js'
import { totalsOf } from '../../../src/domain/invoices/invoice-totals.js'
import { newAccount, type TestAccount } from '../../support/account.js'
import { charge, startInvoicing } from '../../support/invoices.js'
import { newOperator } from '../../support/operator.js'
import { textOf } from '../../support/pdf-text.js'
import { newPerson, type TestPerson } from '../../support/person.js'
import { startService } from '../../support/service.js'

const service = await startService()
const today = new Date().toISOString().slice(0, 10)

/** The date a number of days from today. */
function day(days: number): string {
  return new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10)
}

type Search = NonNullable<PortalQuery<'findInvoices'>>

/** All pages of a search. */
async function findAll({ portal }: TestPerson, query: Search, take = 7): Promise<string[]> {
  const found: string[] = []
  let after: string | undefined
  do {
    const { body, status, text } = await portal('findInvoices', { query: { ...query, take, ...(after && { after }) } })
    expect(status, text).toBe(200)
    found.push(...body.invoices.map(({ reference }) => reference))
    after = body.next
  } while (after !== undefined)
  return found
}

const statuses = [
  'available',
  'due',
  'in_modification',
  'litigious',
  'new',
  'paid',
  'partially_paid',
  'write_off',
] as const
const currencies: Currency[] = ['EUR', 'USD', 'JPY', 'KWD']

function anInvoice(index: number): InvoiceRecord {
  const currency = currencies[index % 4] as Currency
  return {
    reference: `REF-${String(index).padStart(4, '0')}`,
    ...(index % 5 > 0 && { number: `N${(index * 7) % 1000}-${index}` }),
    type: index % 6 === 0 ? 'credit_note' : 'invoice',
    ...(index % 9 > 0 && { status: statuses[index % 8] }),
    sent_date: `2026-01-${String((index % 27) + 1).padStart(2, '0')}T10:00:00Z`,
    ...(index % 4 > 0 && { due_date: day((index % 50) - 25) }),
    lines: [charge(index + 0.5, currency), ...(index % 3 === 0 ? [charge(3, 'EUR', 20)] : [])],
  }
}

async function startReading(count: number) {
  const account = await newAccount(service)
  const records = Array.from({ length: count }, (_, index) => anInvoice(index))
  const drafts: InvoiceRecord[] = [{ reference: 'DRAFT-1', draft: true, status: 'new', lines: [charge(1)] }]
  await account.forwarder.imports(...[...records, ...drafts].map((data) => ({ kind: 'invoice', data }) as const))
  const person = await newPerson(service, account, 'viewer')
  return { account, records, person, all: await listAll(account) }
}

async function listAll({ call }: TestAccount): Promise<Invoice[]> {
  return (await call('listInvoices')).body
}

const isOpen = ({ type, status }: Invoice) => type !== 'credit_note' && status !== 'paid' && status !== 'write_off'
const isOverdue = (invoice: Invoice) => isOpen(invoice) && invoice.due_date !== undefined && invoice.due_date < today

const filters: [Search, (invoice: Invoice) => boolean][] = [
  [{}, () => true],
  [{ state: 'open' }, isOpen],
  [{ state: 'overdue' }, isOverdue],
  [{ state: 'settled' }, ({ status }) => status === 'paid' || status === 'write_off'],
  [{ status: 'due' }, ({ status }) => status === 'due'],
  [{ status: 'due,paid' }, ({ status }) => status === 'due' || status === 'paid'],
  [{ type: 'credit_note' }, ({ type }) => type === 'credit_note'],
  [{ type: 'invoice' }, ({ type }) => type === 'invoice'],
  [{ currency: 'EUR' }, ({ lines = [] }) => lines.some(({ price }) => price?.currency === 'EUR')],
  [{ currency: 'KWD', state: 'open' }, (one) => isOpen(one) && one.lines?.[0]?.price?.currency === 'KWD'],
  [{ q: 'ref 001' }, ({ reference }) => reference.startsWith('REF-001')],
  [{ q: 'N7' }, ({ number = '' }) => number.startsWith('N7')],
  [
    { q: 'ref', status: 'litigious', type: 'invoice' },
    ({ type, status }) => type === 'invoice' && status === 'litigious',
  ],
  [{ q: 'nothing of the kind' }, () => false],
]

const orders: [Search, (one: Invoice, other: Invoice) => number][] = [
  [
    { sort: 'due' },
    (one, other) => byText(one.due_date, other.due_date, 1) || byText(one.reference, other.reference, 1),
  ],
  [
    { sort: 'due', order: 'desc' },
    (one, other) => byText(one.due_date, other.due_date, -1) || byText(one.reference, other.reference, -1),
  ],
  [
    { sort: 'number' },
    (one, other) => byText(one.number, other.number, 1) || byText(one.reference, other.reference, 1),
  ],
  [
    { sort: 'number', order: 'desc' },
    (one, other) => byText(one.number, other.number, -1) || byText(one.reference, other.reference, -1),
  ],
  [{ sort: 'amount' }, (one, other) => byAmount(one, other, 1) || byText(one.reference, other.reference, 1)],
  [
    { sort: 'amount', order: 'desc' },
    (one, other) => byAmount(one, other, -1) || byText(one.reference, other.reference, -1),
  ],
]

function byAmount(one: Invoice, other: Invoice, direction: 1 | -1): number {
  const [amount, others] = [one, other].map(({ type, lines = [] }) => {
    const gross = totalsOf(lines).map((total) => total.gross)
    return gross.length === 0 ? undefined : Math.max(...gross) * (type === 'credit_note' ? -1 : 1)
  })
  if (amount === undefined || others === undefined) return Number(amount === undefined) - Number(others === undefined)
  return (amount - others) * direction
}

/** Missing values are sorted last. */
function byText(one: string | undefined, other: string | undefined, direction: 1 | -1): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined)
  return (one < other ? -1 : one > other ? 1 : 0) * direction
}

type Orders = typeof orders

async function expectFound(person: TestPerson, all: Invoice[], tried: typeof filters, sorts: Orders, take: number) {
  for (const [filter, matches] of tried) {
    const wanted = all.filter(matches).map(({ reference }) => reference)
    expect(await findAll(person, filter, take), JSON.stringify(filter)).toEqual(wanted)
    expect(await findAll(person, { ...filter, sort: 'newest', order: 'asc' }, take)).toEqual(wanted.toReversed())
    for (const [order, compare] of sorts) {
      const sorted = all.filter(matches).toSorted(compare)
      const found = await findAll(person, { ...filter, ...order }, take)
      expect(found, JSON.stringify({ ...filter, ...order })).toEqual(sorted.map(({ reference }) => reference))
    }
  }
}

test('every filter and order finds what a scan of the whole list finds, page by page', async () => {
  const { person, all } = await startReading(60)
  await expectFound(person, all, filters, orders, 7)
})

test('every filter finds what a scan finds with more results than are gathered at once', async () => {
  const { person, all } = await startReading(1800)
  const wide = filters.filter(([filter]) => !filter.q && !filter.status)
  await expectFound(person, all, wide.slice(0, 3), orders.slice(1, 3), 100)
  await expectFound(person, all, wide.slice(4), orders.slice(0, 1), 100)
  const { body } = await person.portal('findInvoices', { query: { type: 'invoice', take: 5 } })
  expect(body.count.exact).toBe(false)
  expect((await person.portal('findInvoices', { query: { take: 5 } })).body.count).toEqual({ value: 1800, exact: true })
})

test('a search returns the bodies of the public interface unchanged, and no drafts', async () => {
  const { account, person, all } = await startReading(20)
  const { body, text } = await person.portal('findInvoices', {})
  expect(body.count).toEqual({ value: 20, exact: true })
  expect(body.next).toBeUndefined()
  expect(text).toContain((await account.call('listInvoices')).text.slice(1, -1))
  expect(all).toHaveLength(20)
  expect(text).not.toContain('DRAFT-1')
  expect((await person.portal('findInvoices', { query: { q: 'draft' } })).body.invoices).toEqual([])
  for (const name of ['getInvoiceStanding', 'getInvoicePdf'] as const) {
    expect(await person.portal(name, { params: { reference: 'DRAFT-1' } })).toBeRefused('invoice_not_found')
  }
})

test('a change is found at once, and a removed invoice no longer', async () => {
  const invoicing = await startInvoicing(service)
  const person = await newPerson(service, invoicing, 'viewer')
  const reference = await invoicing.draft(charge(10))
  expect(await findAll(person, {})).toEqual([])
  const { record } = await invoicing.issue(reference)
  expect(await findAll(person, { q: record.number, state: 'open' })).toEqual([reference])
  expect(await findAll(person, { q: 's 1' })).toEqual([reference])
  await invoicing.pay(reference, 10)
  expect(await findAll(person, { state: 'open' })).toEqual([])
  expect(await findAll(person, { state: 'settled' })).toEqual([reference])
})

test('invalid parameters are named', async () => {
  const { person } = await startReading(3)
  const bad: [Record<string, unknown>, string][] = [
    [{ sort: 'price' }, '/sort'],
    [{ status: 'due,payed' }, '/status'],
    [{ currency: 'XXX' }, '/currency'],
    [{ take: 0 }, '/take'],
    [{ after: 'nonsense' }, '/after'],
    [{ after: Buffer.from('["2026-02-30","a",0]').toString('base64url'), sort: 'due' }, '/after'],
    [{ after: Buffer.from('["x","a",0]').toString('base64url') }, '/after'],
    [{ colour: 'red' }, '/colour'],
  ]
  for (const [query, pointer] of bad) {
    const refused = await person.portal('findInvoices', { query })
    expect(refused, JSON.stringify(query)).toBeRefused('invalid_request')
    expect(refused.problem.errors?.map((fault) => fault.pointer)).toEqual([pointer])
  }
})

test('totals equal a plain sum by currency and age, minus payments and credit notes', async () => {
  const { id, forwarder } = await newAccount(service)
  const person = await newPerson(service, { id }, 'viewer')
  const ages = [-1000, -91, -90, -61, -60, -31, -30, -1, 0, 1, 30, undefined]
  const invoices = ages.flatMap((age, index) =>
    (['EUR', 'USD'] as const).map((currency, which) => ({
      reference: `I-${index}-${which}`,
      type: 'invoice' as const,
      status: 'due' as const,
      ...(age !== undefined && { due_date: day(age) }),
      lines: [charge(0.1 + index, currency, 20), charge(0.2, currency), charge(0.1, currency)],
    })),
  )
  const others: InvoiceRecord[] = [
    { reference: 'PAID', type: 'invoice', status: 'paid', due_date: day(-5), lines: [charge(1000)] },
    { reference: 'LOST', type: 'invoice', status: 'write_off', due_date: day(-5), lines: [charge(1000)] },
    { reference: 'NEXT', type: 'invoice', status: 'new', due_date: day(-5), draft: true, lines: [charge(1000)] },
    { reference: 'C-1', type: 'credit_note', status: 'available', credited_invoice: 'I-1-0', lines: [charge(0.3)] },
    { reference: 'C-2', type: 'credit_note', status: 'available', lines: [charge(500)] },
  ]
  const payments = [
    { payment_id: 'P-1', reference: 'I-1-0', amount: 0.1, currency: 'EUR' as const, paid_on: day(-2) },
    { payment_id: 'P-2', reference: 'I-2-1', amount: 2, currency: 'USD' as const, paid_on: day(-2) },
    // An overpayment of one invoice does not reduce another.
    { payment_id: 'P-3', reference: 'I-3-1', amount: 100, currency: 'USD' as const, paid_on: day(-2) },
  ]
  await forwarder.imports(
    ...[...invoices, ...others].map((data) => ({ kind: 'invoice', data }) as const),
    ...payments.map((data) => ({ kind: 'payment', data }) as const),
  )
  const { body } = await person.portal('getInvoiceTotals')

  // In whole hundredths: 20 % of full cents has no halves to round.
  const cents = (amount: number) => Math.round(amount * 100)
  const tax = (net: number) => {
    const [whole, rest] = [Math.floor(net / 5), net % 5]
    return rest * 2 > 5 || (rest * 2 === 5 && whole % 2 === 1) ? whole + 1 : whole
  }
  const expected = (['EUR', 'USD'] as const).map((currency) => {
    const owed = invoices
      .filter(({ lines }) => lines[0]?.price.currency === currency)
      .map(({ reference, due_date, lines }) => {
        const [taxed, ...plain] = lines.map(({ price }) => cents(price.amount)) as [number, ...number[]]
        const gross = taxed + tax(taxed) + plain.reduce((sum, amount) => sum + amount, 0)
        const paid = payments
          .filter((each) => each.reference === reference)
          .reduce((sum, { amount }) => sum + cents(amount), 0)
        const credited = reference === 'I-1-0' ? 30 : 0
        const late = due_date === undefined ? 0 : (Date.parse(today) - Date.parse(due_date)) / 86_400_000
        return { late, left: gross - paid - credited }
      })
      .filter(({ left }) => left > 0)
    const bucket = (from: number, to: number) => {
      const within = owed.filter(({ late }) => late >= from && late <= to)
      return { amount: within.reduce((sum, { left }) => sum + left, 0) / 100, count: within.length }
    }
    return {
      currency,
      not_due: bucket(Number.NEGATIVE_INFINITY, 0),
      overdue_1_to_30: bucket(1, 30),
      overdue_31_to_60: bucket(31, 60),
      overdue_61_to_90: bucket(61, 90),
      overdue_beyond_90: bucket(91, Number.POSITIVE_INFINITY),
    }
  })
  expect(body).toEqual({ today, currencies: expected, exact: true })
  expect(body.currencies.map((each) => each.not_due.count)).toEqual([4, 4])
})

test('sums are exact decimals', async () => {
  const { id, forwarder } = await newAccount(service)
  const person = await newPerson(service, { id }, 'viewer')
  const amounts = Array.from({ length: 150 }, (_, index) => ({ reference: `I-${index}`, lines: [charge(0.1)] }))
  await forwarder.imports(...amounts.map((data) => ({ kind: 'invoice', data }) as const))
  const { body } = await person.portal('getInvoiceTotals')
  expect(body.currencies).toMatchObject([{ currency: 'EUR', not_due: { amount: 15, count: 150 } }])
})

test('with more than 2,000 open invoices, those due first are summed, and the response says so', async () => {
  const { id, forwarder } = await newAccount(service)
  const person = await newPerson(service, { id }, 'viewer')
  const invoices = Array.from({ length: 2001 }, (_, index) => ({
    reference: `I-${index}`,
    due_date: day(index - 10),
    lines: [charge(0.01)],
  }))
  await forwarder.imports(...invoices.map((data) => ({ kind: 'invoice', data }) as const))
  const { body } = await person.portal('getInvoiceTotals')
  expect(body.exact).toBe(false)
  expect(body.currencies).toMatchObject([
    { not_due: { amount: 19.9, count: 1990 }, overdue_1_to_30: { amount: 0.1, count: 10 } },
  ])
})

test('the standing of an invoice has its totals, payments, credits and outstanding amount', async () => {
  const invoicing = await startInvoicing(service)
  const person = await newPerson(service, invoicing, 'viewer')
  const reference = await invoicing.invoice(charge(100, 'EUR', 20), charge(50), charge(7, 'USD'))
  await invoicing.pay(reference, 60, 'EUR', { payment_id: 'PAY-1' })
  const { body: note } = await invoicing.credit(reference, charge(10, 'EUR', 20))
  await invoicing.credit(reference, charge(1, 'EUR', 20))
  const { number } = (await invoicing.issue(note.id)).record
  const issued = (await invoicing.get(reference)).record
  const { body } = await person.portal('getInvoiceStanding', { params: { reference } })
  const price = (amount: number, currency = 'EUR') => ({ amount, currency })
  expect(body).toEqual({
    totals: [
      { net: price(150), vat: price(20), gross: price(170) },
      { net: price(7, 'USD'), vat: price(0, 'USD'), gross: price(7, 'USD') },
    ],
    paid: [price(60)],
    credited: [price(12)],
    balance: [price(98), price(7, 'USD')],
    payments: [{ amount: price(60), paid_on: '2026-04-01', reference: 'PAY-1' }],
    credit_notes: [{ reference: note.id, number }],
  })
  const byNumber = await person.portal('getInvoiceStanding', { params: { reference: issued.number as string } })
  expect(byNumber.body).toEqual(body)
  // The same on the list; a credit note is set off against its invoice.
  const { body: listed } = await person.portal('findInvoices', {})
  expect(listed.invoices).toHaveLength(2)
  expect(listed.outstanding).toEqual([{ reference, amounts: body.balance }])
  const ofNote = await person.portal('getInvoiceStanding', { params: { reference: note.id } })
  expect(ofNote.body.credits).toEqual({ reference, number: issued.number })
})

test('the gross total of a credit note is the same on the list, in its standing and for the forwarder', async () => {
  const invoicing = await startInvoicing(service)
  const person = await newPerson(service, invoicing, 'viewer')
  const line = charge(10.13, 'EUR', 20)
  const reference = await invoicing.invoice(line, line)
  const notes = [(await invoicing.credit(reference, line)).body.id, (await invoicing.credit(reference, line)).body.id]
  for (const note of notes) await invoicing.issue(note)
  const { body: listed } = await person.portal('findInvoices', {})
  const grossOf = (of: string) => listed.gross.find((each) => each.reference === of)?.amounts
  const price = (amount: number) => ({ amount, currency: 'EUR' })
  // The last one gives back what is left of the tax: a cent less than its lines add up to.
  expect([reference, ...notes].map(grossOf)).toEqual([[price(24.31)], [price(12.16)], [price(12.15)]])
  const { body: standing } = await person.portal('getInvoiceStanding', { params: { reference: notes[1] as string } })
  expect(standing.totals.map(({ gross }) => gross)).toEqual(grossOf(notes[1] as string))
  const { text: sheet } = await person.portal('exportInvoices', { query: { format: 'csv', q: notes[1] as string } })
  expect(sheet).toContain('12.15')
})

test('an invoice imported as paid has nothing outstanding', async () => {
  const { id, forwarder } = await newAccount(service)
  const person = await newPerson(service, { id }, 'viewer')
  await forwarder.imports({ kind: 'invoice', data: { reference: 'I-1', status: 'paid', lines: [charge(10)] } })
  const { body } = await person.portal('getInvoiceStanding', { params: { reference: 'I-1' } })
  expect(body).toMatchObject({ totals: [{ gross: { amount: 10 } }], paid: [], balance: [{ amount: 0 }] })
  expect((await person.portal('findInvoices', {})).body.outstanding).toEqual([])
})

/** The PDF as operators get it. */
async function fetchPdf(slug: string, reference: string): Promise<{ bytes: Buffer }> {
  const { key } = await newOperator(service, 'finance')
  const address = `${service.baseUrl}/ops/v1/accounts/${slug}/invoices/${reference}/pdf`
  const response = await fetch(address, { headers: { authorization: `Bearer ${key}` } })
  expect(response.status).toBe(200)
  return { bytes: Buffer.from(await response.arrayBuffer()) }
}

test('the PDF equals the one of the operator interface, by reference and by number', async () => {
  const invoicing = await startInvoicing(service)
  const person = await newPerson(service, invoicing, 'viewer')
  const reference = await invoicing.invoice(charge(100, 'EUR', 20))
  const number = (await invoicing.get(reference)).record.number as string
  await invoicing.pay(reference, 20)
  const printed = await person.portal('getInvoicePdf', { params: { reference } })
  expect(printed.headers.get('content-type')).toBe('application/pdf')
  expect(printed.headers.get('content-length')).toBe(String(printed.bytes.length))
  expect(printed.headers.get('content-disposition')).toContain(`attachment; filename="${number}.pdf"`)
  const text = textOf(printed.bytes)
  expect(text).toContain(number)
  expect(text).toContain(`Account ${invoicing.slug}`)
  const { bytes } = await fetchPdf(invoicing.slug, reference)
  expect(text).toBe(textOf(bytes))
  const byNumber = await person.portal('getInvoicePdf', { params: { reference: number } })
  expect(textOf(byNumber.bytes)).toBe(text)
})

test('invoices of another account are not found, counted, summed or printed', async () => {
  const theirs = await startInvoicing(service)
  const reference = await theirs.invoice(charge(100))
  const { id } = await newAccount(service)
  const person = await newPerson(service, { id }, 'admin')
  expect((await person.portal('findInvoices', { query: { q: reference } })).body).toEqual({
    invoices: [],
    outstanding: [],
    gross: [],
    count: { value: 0, exact: true },
  })
  expect((await person.portal('getInvoiceTotals')).body.currencies).toEqual([])
  for (const name of ['getInvoiceStanding', 'getInvoicePdf'] as const) {
    expect(await person.portal(name, { params: { reference } })).toBeRefused('invoice_not_found')
  }
})
