import { expect, test } from 'vitest'
import type { InvoiceRecord } from '../../src/contract/public/invoice.js'
import { importLines } from '../../src/ingest/lines/import.js'
import type { Line } from '../support/account.js'
import { charge, startInvoicing } from '../support/invoices.js'
import { startService } from '../support/service.js'

const service = await startService()

// Series are the forwarder's, not an account's: each test has years of its own.
const inYear = (year: number) => ({ sent_date: `${year}-06-01T12:00:00Z` })
const invoiceLine = (data: InvoiceRecord): Line => ({ kind: 'invoice', data })
const issued = (reference: string, number?: string, more: Partial<InvoiceRecord> = {}): Line =>
  invoiceLine({ reference, number, type: 'invoice', status: 'available', ...more })

async function start() {
  const account = await startInvoicing(service)
  /** The faults of an import that is refused for them, as `line pointer: detail`. */
  async function faultsOf(...lines: Line[]): Promise<string[]> {
    const before = await account.revision()
    const { outcome, faults } = await account.forwarder.triesToImport(...lines)
    expect(outcome.kept).toBe(faults.length === 0)
    if (!outcome.kept) expect(await account.revision()).toBe(before)
    return faults.map(({ line, pointer, detail }) => `${line} ${pointer}: ${detail}`)
  }
  return { ...account, faultsOf }
}

test('an import makes no draft of what was issued, which stays and cannot be discarded', async () => {
  const { faultsOf, draft, issue, slug, ops, get } = await start()
  const reference = await draft(charge(10))
  const { record } = await issue(reference, inYear(1920))
  expect(await faultsOf(invoiceLine({ reference, draft: true }))).toEqual([
    '1 /data/draft: the invoice was issued: it cannot be a draft again',
  ])
  expect(await faultsOf(invoiceLine({ ...record, draft: true }), invoiceLine(record))).toHaveLength(1)
  expect(await ops('discardDraft', slug, { params: { reference } })).toBeRefused('invoice_issued')
  expect((await get(reference)).record).toEqual(record)
})

test('a number that was given is neither changed nor dropped by an import; one from elsewhere may be', async () => {
  const { faultsOf, draft, issue, get, forwarder } = await start()
  const reference = await draft(charge(10))
  const { record } = await issue(reference, inYear(1921))
  const { number, ...unnumbered } = record
  expect(number).toBe('INV-1921-000001')
  const must = '/data/number: must stay INV-1921-000001: what was given stands'
  expect(await faultsOf(invoiceLine(unnumbered))).toEqual([`1 ${must}`])
  expect(await faultsOf(invoiceLine({ ...record, number: 'INV-1921-000007' }))).toEqual([`1 ${must}`])
  expect(await faultsOf(invoiceLine({ ...record, number: 'OLD-7' }))).toEqual([`1 ${must}`])
  await forwarder.imports(invoiceLine({ ...record, due_date: '1921-07-01' }))
  expect((await get(reference)).record).toMatchObject({ number, due_date: '1921-07-01' })
  await forwarder.imports(issued('E', 'OLD-1'))
  await forwarder.imports(issued('E', 'OLD-2'))
  await forwarder.imports(issued('E', 'INV-1921-000002'))
  expect(await faultsOf(issued('E', 'OLD-2'))).toHaveLength(1)
})

test('a number of our series is that of one invoice', async () => {
  const { faultsOf, draft, issue, forwarder } = await start()
  const reference = await draft(charge(10))
  await issue(reference, inYear(1922))
  expect(await faultsOf(issued('B', 'INV-1922-000001'))).toEqual([
    `1 /data/number: is the number of the invoice ${reference}`,
  ])
  expect(await faultsOf(issued('INV-1922-000001', 'X'))).toEqual([
    `1 /data/reference: is the number of the invoice ${reference}`,
  ])
  expect(
    await faultsOf(issued('B', 'INV-1922-000002'), issued('C', 'CN-1922-000002'), issued('D', 'INV-1922-000002')),
  ).toEqual(['3 /data/number: is the number of line 1 already'])
  // Of several lines for one invoice the last one counts; where it does not hold, the one before.
  await forwarder.imports(
    issued('B', 'INV-1922-000003'),
    issued('C', 'INV-1922-000003'),
    issued('B', 'INV-1922-000004'),
  )
  expect(
    await faultsOf(issued('E', 'INV-1922-000003'), issued('E', 'INV-1922-000004'), issued('E', 'INV-1922-000005')),
  ).toEqual([])
  expect(await faultsOf(issued('F', 'INV-1922-000005'), issued('F', 'INV-1922-000004'))).toEqual([
    '2 /data/number: is the number of the invoice B',
    '1 /data/number: is the number of the invoice E',
  ])
  // Systems from which data comes may have given one number twice.
  expect(await faultsOf(issued('G', 'OLD-1'), issued('H', 'OLD-1'))).toEqual([])
})

test('what belongs to an invoice whose line does not hold is rejected with it, and the rest may be kept', async () => {
  const { slug, draft, issue, call } = await start()
  await issue(await draft(charge(10)), inYear(1923))
  const lines: Line[] = [
    issued('B', 'INV-1923-000001'),
    { kind: 'payment', data: { payment_id: 'P', reference: 'B', amount: 1, currency: 'EUR', paid_on: '1923-07-01' } },
    invoiceLine({ reference: 'C', type: 'credit_note', credited_invoice: 'B' }),
    issued('D', 'INV-1923-000002'),
  ]
  const text = lines.map((line) => JSON.stringify({ ...line, account: slug })).join('\n')
  const { kept, rejectedLines } = await importLines(service, bytesOf(text), {
    folder: undefined,
    skipInvalid: true,
    author: 'test',
    onFault: () => {},
  })
  expect({ kept, rejectedLines }).toEqual({ kept: true, rejectedLines: new Set([1, 2, 3]) })
  expect((await call('listInvoices')).body).toHaveLength(2)
})

test('a number far beyond its series is a fault: all later ones would follow it', async () => {
  const { faultsOf, draft, issue } = await start()
  const far = 'is more than 1000000 beyond the last of its series, which would go on from there'
  expect(await faultsOf(issued('A', 'INV-1924-999999999'))).toEqual([`1 /data/number: ${far}`])
  expect(await faultsOf(issued('INV-1924-1000001'))).toEqual([`1 /data/reference: ${far}`])
  expect(await faultsOf(issued('A', 'INV-1924-1000000'))).toEqual([])
  expect(await faultsOf(issued('B', 'CN-1924-1000001'))).toEqual([`1 /data/number: ${far}`])
  expect(await faultsOf(issued('B', 'INV-1924-2000000'))).toEqual([])
  expect((await issue(await draft(charge(1)), inYear(1924))).record.number).toBe('INV-1924-2000001')
})

test('a reference that has the form of our numbers counts as one', async () => {
  const { forwarder, draft, issue } = await start()
  const other = await start()
  await forwarder.imports(issued('INV-1925-000004'), issued('INV-1925-000002', 'INV-1925-000002'))
  expect((await other.issue(await other.draft(charge(1)), inYear(1925))).record.number).toBe('INV-1925-000005')
  expect((await issue(await draft(charge(1)), inYear(1925))).record.number).toBe('INV-1925-000006')
})

test('a draft has no number of our series, neither as its number nor as its reference', async () => {
  const { faultsOf, slug, ops, draft, issue, expectRefused, invoice } = await start()
  const detail = 'has the form of the numbers that are given on issue'
  expect(await faultsOf(invoiceLine({ reference: 'A', number: 'INV-1926-000001', draft: true }))).toEqual([
    `1 /data/number: ${detail}`,
  ])
  expect(await faultsOf(invoiceLine({ reference: 'CN-1926-000001', draft: true }))).toEqual([
    `1 /data/reference: ${detail}`,
  ])
  const lines = [charge(1)]
  const drafted = await ops('draftInvoice', slug, { body: { reference: 'INV-1926-000001', lines } })
  expect(drafted).toBeRefused('invalid_request')
  expect(drafted.problem.errors).toEqual([
    { pointer: '/reference', detail: 'must not have the form of the numbers that are given on issue' },
  ])
  const reference = await invoice(charge(10))
  const credit = () =>
    ops('draftCreditNote', slug, { params: { reference }, body: { reference: 'CN-1926-000001', lines } })
  await expectRefused(credit, 'invalid_request')
  // Of another form, it is no number of ours.
  expect((await ops('draftInvoice', slug, { body: { reference: 'INV-1926-0001', lines } })).status).toBe(201)
  expect((await issue(await draft(charge(1)), inYear(1926))).record.number).toBe('INV-1926-000001')
})

test('numbers that cannot be added up are faults of an import, each with its place', async () => {
  const { faultsOf, get, id, slug, ops } = await start()
  const price = { amount: 1e308, currency: 'EUR' as const }
  const line = { price, unit_rate: price, quantity: { value: -1e15 }, vatRate: 1e308 }
  const detail = 'must be between -1e15 and 1e15'
  expect(await faultsOf(issued('A', undefined, { lines: [{}, line], usd_to_eur_rate: 1e300 }))).toEqual([
    `1 /data/usd_to_eur_rate: ${detail}`,
    `1 /data/lines/1/price/amount: ${detail}`,
    `1 /data/lines/1/quantity/value: ${detail}`,
    `1 /data/lines/1/unit_rate/amount: ${detail}`,
    `1 /data/lines/1/vatRate: ${detail}`,
  ])
  const large = { price: { ...price, amount: 9e14 }, vatRate: 9e14 }
  expect(await faultsOf(issued('A', undefined, { lines: [large, large] }))).toEqual([])
  expect((await get('A')).totals).toMatchObject([{ net: 1.8e15, gross: expect.closeTo(1.62e28, -20) }])
  // As in a database that took them in before they were faults.
  const old = { reference: 'A', type: 'invoice', status: 'available', lines: [line, line] }
  await service.db`
    update changes set record = ${JSON.stringify(old)} where account_id = ${id} and kind = 'invoice' and id = 'A'`
  expect((await ops('listInvoices', slug)).body).toMatchObject([{ totals: [{ gross: Number.MAX_VALUE }] }])
  expect((await ops('getInvoicePdf', slug, { params: { reference: 'A' } })).status).toBe(200)
})

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}
