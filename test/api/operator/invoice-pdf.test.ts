import { expect, inject, test } from 'vitest'
import { Refusal } from '../../../src/contract/refusals.js'
import type { InvoiceDocument } from '../../../src/pdf/invoice-pdf.js'
import { defaultLimits, startPrinter } from '../../../src/pdf/printer.js'
import { charge, price, startInvoicing } from '../../support/invoices.js'
import { newOperator } from '../../support/operator.js'
import { textOf } from '../../support/pdf-text.js'
import { startServing, temporaryFolder } from '../../support/program.js'
import { startService } from '../../support/service.js'

const service = await startService()

const short = documentOf(1)
const long = documentOf(1000, 'a\n'.repeat(500))

function documentOf(count: number, description = 'Freight'): InvoiceDocument {
  const lines = Array.from({ length: count }, () => ({ description, price: price(1) }))
  return {
    invoice: { reference: 'R-1', lines },
    totals: [],
    payments: [],
    credit_notes: [],
    account_name: 'Beacon Trading GmbH',
    forwarder_name: 'Northgate Forwarding',
    isDraft: false,
  }
}

test('other requests are served while a long invoice is printed', async () => {
  const { slug, ops, forwarder, call } = await startInvoicing(service)
  const lines = Array.from({ length: 1000 }, () => ({ description: 'word '.repeat(200), price: price(1) }))
  const { status, body } = await ops('draftInvoice', slug, { body: { lines } })
  expect(status).toBe(201)
  await forwarder.imports({
    kind: 'invoice',
    data: { reference: 'I', lines: Array.from({ length: 10 }, () => ({ description: 'x'.repeat(60_000) })) },
  })
  for (const reference of [body.id, 'I']) {
    let printed = false
    const pdf = ops('getInvoicePdf', slug, { params: { reference } }).finally(() => {
      printed = true
    })
    let answered = 0
    for (; !printed; answered += 1) await call('listLocations')
    expect((await pdf).status).toBe(200)
    // While only pages are laid out, one or two more requests may be in flight.
    if (reference === body.id) expect(answered).toBeGreaterThan(20)
  }
})

test('the built program prints PDFs and exits on a stop signal', async () => {
  const { slug, invoice } = await startInvoicing(service)
  const reference = await invoice(charge(10))
  const { key } = await newOperator(service, 'viewer')
  const env = { DATABASE_URL: inject('databaseUrl'), WAYBILL_DATA_DIR: await temporaryFolder() }
  const { baseUrl, kill, ended } = await startServing({ env })
  const response = await fetch(`${baseUrl}/ops/v1/accounts/${slug}/invoices/${reference}/pdf`, {
    headers: { authorization: `Bearer ${key}` },
  })
  expect(response.status).toBe(200)
  expect(textOf(Buffer.from(await response.arrayBuffer()))).toContain('Amount due10.00 EUR')
  kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0, signal: null })
})

test('lines of a draft have a limited total length', async () => {
  const { slug, ops, expectRefused } = await startInvoicing(service)
  const line = { ...charge(1), description: 'd'.repeat(1000), category: 'c'.repeat(100) }
  const quantity = { value: 1, unit: 'u'.repeat(100) }
  expect((await ops('draftInvoice', slug, { body: { lines: [{ ...line, quantity }] } })).status).toBe(201)
  const longer = { ...line, description: `${line.description}d`, category: `${line.category}c` }
  const body = { lines: [{ ...longer, quantity: { value: 1, unit: `${quantity.unit}u` } }] }
  await expectRefused(() => ops('draftInvoice', slug, { body }), 'invalid_request')
  const { problem } = await ops('draftInvoice', slug, { body })
  expect(problem.errors?.map(({ pointer }) => pointer).toSorted()).toEqual([
    '/lines/0/category',
    '/lines/0/description',
    '/lines/0/quantity/unit',
  ])
})

test('concurrent documents are all printed with their own content', async () => {
  const print = startPrinter()
  const names = ['One', 'Two', 'Three']
  const pdfs = await Promise.all(names.map((account_name) => print(1, { ...short, account_name })))
  expect(pdfs.map(textOf)).toEqual(names.map((name) => expect.stringContaining(name)))
})

test('a document that needs too much time or memory is refused, and later ones are printed', async () => {
  const hasty = startPrinter({ milliseconds: 1 })
  const refused = await Promise.allSettled([hasty(1, short), hasty(2, short)])
  for (const result of refused) expect(result).toMatchObject({ reason: { code: 'invoice_not_printable' } })
  // One document must not delay those of other accounts for longer.
  expect(defaultLimits.milliseconds).toBeLessThanOrEqual(30_000)
  const narrow = startPrinter({ megabytes: 48 })
  const [first, second] = await Promise.allSettled([narrow(1, long), narrow(1, short)])
  expect(first).toMatchObject({ reason: { code: 'invoice_not_printable' } })
  expect(second.status).toBe('fulfilled')
})

test('a document that cannot be printed fails without affecting others', async () => {
  const print = startPrinter()
  const broken = { ...short, payments: [{ ...price(Number.NaN), paid_on: '2026-01-01' }] }
  const [failed, printed] = await Promise.allSettled([print(1, broken), print(1, short)])
  expect(failed).toMatchObject({
    status: 'rejected',
    reason: expect.not.toSatisfy((error) => error instanceof Refusal),
  })
  expect(printed.status).toBe('fulfilled')
})

test('a document beyond the share of its account is refused with 503, one of another account is printed', async () => {
  const print = startPrinter({ documents: 3 })
  const named = (account_name: string) => ({ ...short, account_name })
  const flood = ['One', 'Two', 'Three', 'Four'].map((name) => print(1, named(name)))
  const order: string[] = []
  const watched = [...flood, print(2, named('Other'))].map((printed, index) =>
    printed.finally(() => order.push(['One', 'Two', 'Three', 'Four', 'Other'][index] as string)),
  )
  const responses = await Promise.allSettled(watched)
  expect(responses.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  expect(responses[3]).toMatchObject({ reason: { code: 'service_unavailable' } })
  // Accounts take turns: the other one does not wait for all documents of the first.
  expect(order).toEqual(['Four', 'One', 'Two', 'Other', 'Three'])
  await print(1, named('Five'))
})

test('a document is printed once while nothing that it shows changes, and concurrent requests share it', async () => {
  const print = startPrinter()
  const [first, second] = await Promise.all([print(1, short), print(1, short)])
  expect(second).toBe(first)
  expect(await print(1, short)).toBe(first)
  expect(await print(1, { ...short, account_name: 'Renamed' })).not.toBe(first)
  expect(await print(2, short)).not.toBe(first)
})

test('printed documents are kept within a limit of memory, the last used ones', async () => {
  const bytes = (await startPrinter()(1, short)).length
  const print = startPrinter({ keptBytes: Math.floor(bytes * 1.5) })
  const first = await print(1, short)
  await print(2, short)
  expect(await print(1, short)).not.toBe(first)
})
