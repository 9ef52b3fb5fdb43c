import { expect, inject, test } from 'vitest'
import { Refusal } from '../src/contract/refusals.js'
import type { InvoicePaper } from '../src/paper/invoice-pdf.js'
import { startPrinter } from '../src/paper/printer.js'
import { charge, price, startInvoicing } from './support/invoices.js'
import { newOperator } from './support/operator.js'
import { textOf } from './support/pdf-text.js'
import { startServing, temporaryFolder } from './support/program.js'
import { startService } from './support/service.js'

const service = await startService()

const short = paperOf(1)
const long = paperOf(1000, 'a\n'.repeat(500))

function paperOf(count: number, description = 'Freight'): InvoicePaper {
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

test('while a long invoice is printed, others are answered', async () => {
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
    // While nothing but pages is worked on, one or two that were on their way.
    if (reference === body.id) expect(answered).toBeGreaterThan(20)
  }
})

test('the program as it is built prints, and ends when it is told to', async () => {
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

test('lines of a draft have room for a text, and not for more', async () => {
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

test('several papers at once are all printed, each with what is its own', async () => {
  const print = startPrinter()
  const names = ['One', 'Two', 'Three']
  const pdfs = await Promise.all(names.map((account_name) => print({ ...short, account_name })))
  expect(pdfs.map(textOf)).toEqual(names.map((name) => expect.stringContaining(name)))
})

test('a paper that needs too much time or memory is refused, and those after it are printed', async () => {
  const hasty = startPrinter({ milliseconds: 1, megabytes: 512, papers: 5 })
  const refused = await Promise.allSettled([hasty(short), hasty(short)])
  for (const answer of refused) expect(answer).toMatchObject({ reason: { code: 'invoice_not_printable' } })
  const narrow = startPrinter({ milliseconds: 60_000, megabytes: 48, papers: 5 })
  const [first, second] = await Promise.allSettled([narrow(long), narrow(short)])
  expect(first).toMatchObject({ reason: { code: 'invoice_not_printable' } })
  expect(second.status).toBe('fulfilled')
})

test('a paper that cannot be printed fails alone', async () => {
  const print = startPrinter()
  const broken = { ...short, payments: [{ ...price(Number.NaN), paid_on: '2026-01-01' }] }
  const [failed, printed] = await Promise.allSettled([print(broken), print(short)])
  expect(failed).toMatchObject({
    status: 'rejected',
    reason: expect.not.toSatisfy((error) => error instanceof Refusal),
  })
  expect(printed.status).toBe('fulfilled')
})

test('when many papers wait, one more is asked to come again', async () => {
  const print = startPrinter({ milliseconds: 60_000, megabytes: 512, papers: 2 })
  const answers = await Promise.allSettled([print(short), print(short), print(short)])
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  expect(answers[2]).toMatchObject({ reason: { code: 'service_unavailable' } })
  await print(short)
})
