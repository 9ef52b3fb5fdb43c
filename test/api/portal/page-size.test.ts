import { expect, test } from 'vitest'
import { type Line, newAccount } from '../../support/account.js'
import { charge } from '../../support/invoices.js'
import { newPerson } from '../../support/portal.js'
import { startService } from '../../support/service.js'

/** Texts have no length limit, so pages are limited by bytes as well. */

const service = await startService()
const numbers = Array.from({ length: 24 }, (_, index) => String(index).padStart(2, '0'))
const long = 'x'.repeat(600_000)
const account = await newAccount(service)
const invoiceOf = (number: string): Line => ({
  kind: 'invoice',
  data: { reference: `I-${number}`, number, lines: [{ ...charge(1), description: long }] },
})
const shipmentOf = (number: string): Line => ({
  kind: 'shipment',
  data: {
    svc_shipment_id: `S-${number}`,
    name: number,
    specific_instructions: long,
    status: 'booked',
    // The first is the latest.
    desired_delivery_date: new Date(Date.UTC(2020, 0, Number(number) + 1)).toISOString().slice(0, 10),
  },
})
await account.forwarder.imports(...numbers.map(invoiceOf), ...numbers.map(shipmentOf))
const { ask } = await newPerson(service, account, 'viewer')

type Page = { ids: string[]; bytes: number; count: { value: number; exact: boolean }; next: string | undefined }

async function everyPage(read: (after: { after?: string }) => Promise<Page>): Promise<Page[]> {
  const pages = [await read({})]
  for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next) pages.push(await read({ after: next }))
  return pages
}

const invoices = (query: object) =>
  everyPage(async (after) => {
    const { body, bytes } = await ask('findInvoices', { query: { take: 100, ...query, ...after } })
    const ids = body.invoices.map(({ reference }) => reference)
    return { ids, bytes: bytes.length, count: body.count, next: body.next }
  })
const shipments = (query: object) =>
  everyPage(async (after) => {
    const { body, bytes } = await ask('findShipments', { query: { take: 100, ...query, ...after } })
    const ids = body.shipments.map(({ svc_shipment_id }) => svc_shipment_id)
    return { ids, bytes: bytes.length, count: body.count, next: body.next }
  })

// Scanned in order, gathered by a condition, and merged from two scans.
test.each([
  ['invoices', invoices, { sort: 'number' }, 'I-'],
  ['open invoices', invoices, { sort: 'number', state: 'open' }, 'I-'],
  ['shipments', shipments, { sort: 'name' }, 'S-'],
  ['shipments of a status', shipments, { sort: 'name', status: 'booked' }, 'S-'],
  ['shipments by how late they are', shipments, { sort: 'late', late: 'true' }, 'S-'],
] as const)('a page of long %s ends where it is full, and goes on there', async (_, read, query, kind) => {
  const pages = await read(query)
  for (const { ids, bytes } of pages) {
    expect(ids.length).toBeGreaterThan(0)
    // The last row may exceed the limit.
    expect(bytes).toBeLessThan(4 * 1024 * 1024 + 700_000)
  }
  expect(pages.length).toBeGreaterThan(2)
  expect(pages.flatMap(({ ids }) => ids)).toEqual(numbers.map((number) => `${kind}${number}`))
  for (const { count } of pages) expect(count.value).toBeLessThanOrEqual(numbers.length)
  expect(pages.at(-1)?.count).toEqual({ value: numbers.length, exact: true })
})

test('an export and a global search find all long rows', async () => {
  const { bytes } = await ask('exportShipments', { query: { format: 'csv', sort: 'name' } })
  for (const number of numbers) expect(bytes.includes(`S-${number}`)).toBe(true)
  const { hits } = (await ask('search', { query: { q: '07' } })).body
  expect(hits.map(({ id }) => id)).toEqual(expect.arrayContaining(['S-07', 'I-07']))
})
