import { randomUUID } from 'node:crypto'
import { get as httpGet, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { type Line, line, newAccount, type TestAccount } from '../../support/account.js'
import { startService } from '../../support/service.js'

const service = await startService()
const count = 3000

/** Identifiers sorted by bytes, imported in another order. */
const identifiers = Array.from({ length: count }, (_, index) => `X-${String(index).padStart(5, '0')}`)
const shuffled = identifiers.toSorted((one, other) => (one.slice(-2) + one < other.slice(-2) + other ? -1 : 1))

async function importEach(account: TestAccount, lineOf: (id: string) => Line): Promise<void> {
  await account.forwarder.imports(...shuffled.map(lineOf))
}

test('a list of 3,000 orders is complete, in order, without duplicates, and streamed', async () => {
  const account = await newAccount(service)
  await importEach(account, (reference) => ({
    kind: 'purchase_order',
    data: { reference, product_lines: [line()] },
  }))
  const { body, headers } = await account.call('listPurchaseOrders')
  expect(body.map(({ po_number }) => po_number)).toEqual(identifiers)
  // Its length was unknown at the start.
  expect(headers.get('content-length')).toBeNull()
})

test('pages of a thousand add up to the whole list', async () => {
  const account = await newAccount(service)
  const dayOf = (reference: string) => `2026-01-1${reference.at(-1)}`
  await importEach(account, (reference) => ({
    kind: 'invoice',
    data: { reference, sent_date: `${dayOf(reference)}T00:00:00Z` },
  }))
  const newestFirst = identifiers.toSorted((one, other) => dayOf(other).localeCompare(dayOf(one)))
  const whole = (await account.call('listInvoices')).body
  const pages = []
  for (const skip of [0, 1000, 2000, 3000]) {
    const page = (await account.call('listInvoices', { query: { skip, take: 1000 } })).body
    expect(page).toHaveLength(skip < count ? 1000 : 0)
    pages.push(...page)
  }
  expect(pages).toEqual(whole)
  expect(whole.map(({ reference }) => reference)).toEqual(newestFirst)
  expect((await account.call('listInvoices', { query: { skip: 2990 } })).body).toEqual(whole.slice(2990))
})

test('long lists of locations and documents are complete and in order', async () => {
  const account = await newAccount(service)
  const ids = Array.from({ length: 1200 }, (_, index) => ({ location: index * 7, document: randomUUID() }))
  await account.forwarder.imports(
    ...ids.toReversed().flatMap(({ location, document }): Line[] => [
      { kind: 'location', data: { id: location } },
      { kind: 'document', data: { id: document, name: 'a', uploaded_at: '2026-01-01', content_base64: 'YQ==' } },
    ]),
  )
  expect((await account.call('listLocations')).body.map(({ id }) => id)).toEqual(ids.map(({ location }) => location))
  expect((await account.call('listDocuments')).body.map(({ id }) => id)).toEqual(
    ids.map(({ document }) => document).toSorted(),
  )
})

test.each([499, 500, 501, 1000])('a list of %i, around the chunk length, has no gaps or duplicates', async (length) => {
  const account = await newAccount(service)
  const wanted = identifiers.slice(0, length)
  await account.forwarder.imports(
    ...wanted.map((reference): Line => ({ kind: 'purchase_order', data: { reference, product_lines: [line()] } })),
  )
  expect((await account.call('listPurchaseOrders')).body.map(({ po_number }) => po_number)).toEqual(wanted)
  const page = (await account.call('listPurchaseOrders', { query: { take: 500 } })).body
  expect(page.map(({ po_number }) => po_number)).toEqual(wanted.slice(0, 500))
})

test('a slow client holds no database connection', async () => {
  const account = await newAccount(service)
  const description = 'x'.repeat(20_000)
  await account.forwarder.imports(
    ...identifiers
      .slice(0, 1500)
      .map((reference): Line => ({ kind: 'invoice', data: { reference, lines: [{ description }] } })),
  )
  // More clients than database connections, each paused in the middle of 30 MB.
  const slow = await Promise.all(Array.from({ length: 8 }, () => startAndPause(account)))
  expect((await account.call('listLocations')).status).toBe(200)
  for (const response of slow) response.destroy()
})

function startAndPause({ key }: TestAccount): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${key}` }
  return new Promise((resolve, reject) => {
    const request = httpGet(`${service.baseUrl}/v1/invoices`, { headers }, (response) => {
      response.on('error', () => {})
      response.once('data', () => {
        response.pause()
        resolve(response)
      })
    })
    request.on('error', reject)
  })
}

test('a client that disconnects in the middle of a list has no effect on others', async () => {
  const account = await newAccount(service)
  await importEach(account, (reference) => ({ kind: 'invoice', data: { reference } }))
  for (let attempt = 0; attempt < 8; attempt += 1) (await startAndPause(account)).destroy()
  expect((await account.call('listInvoices')).body).toHaveLength(count)
})
