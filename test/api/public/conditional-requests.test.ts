import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { operations, type PublicOperation, type ResourceKind } from '../../../src/contract/public/operations.js'
import { type Line, line, newAccount, type TestAccount } from '../../support/account.js'
import {
  everyResource,
  type Identifiers,
  importEverything,
  newIdentifiers,
  type ReadName,
  readInput,
  readNames,
  targetOf,
} from '../../support/every-resource.js'
import { sendRaw } from '../../support/raw-http.js'
import { startService } from '../../support/service.js'

const service = await startService()

async function anAccountWithEverything() {
  const account = await newAccount(service)
  const ids = newIdentifiers()
  await importEverything(service, account, ids, 'first')
  return { account, ids }
}

// For tests that change nothing.
const filled = await anAccountWithEverything()
const empty = await newAccount(service)

async function read<Name extends ReadName>({ call }: TestAccount, name: Name, ids: Identifiers, ifNoneMatch?: string) {
  return call(name, { ...readInput(name, ids), ...(ifNoneMatch !== undefined && { ifNoneMatch }) })
}

async function tagOf(account: TestAccount, name: ReadName, ids: Identifiers): Promise<string> {
  return (await read(account, name, ids)).headers.get('etag') ?? ''
}

test.each(readNames)('HEAD of %s has the headers of GET and no body', async (name) => {
  const { account, ids } = filled
  const headers: [string, string][] = [['Authorization', `Bearer ${account.key}`]]
  const got = await sendRaw(service.baseUrl, { target: targetOf(name, ids), headers })
  const head = await sendRaw(service.baseUrl, { method: 'HEAD', target: targetOf(name, ids), headers })
  expect(got.status).toBe(200)
  expect(head.status).toBe(200)
  expect(head.text).toBe('')
  expect(head.headers.get('x-request-id')).toMatch(/^req_/)
  expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(got.text)))
  const comparable = (result: Headers) => [...result].filter(([header]) => !['date', 'x-request-id'].includes(header))
  expect(comparable(head.headers)).toEqual(comparable(got.headers))
})

test.each(readNames)('HEAD of %s is refused like GET, without a body', async (name) => {
  const ids = newIdentifiers()
  const headers: [string, string][] = [['Authorization', `Bearer ${empty.key}`]]
  const got = await sendRaw(service.baseUrl, { target: targetOf(name, ids), headers })
  const head = await sendRaw(service.baseUrl, { method: 'HEAD', target: targetOf(name, ids), headers })
  expect(head.status).toBe(got.status)
  expect(head.text).toBe('')
  expect((await sendRaw(service.baseUrl, { method: 'HEAD', target: targetOf(name, ids) })).status).toBe(401)
})

// Proposals and messages are not imported, nothing that is imported here is late by a delay, and imported invoices were not
// checked.
const importedReads = readNames.filter(
  (name) => !['listDocumentProposals', 'listMessages', 'simulateDelay', 'getInvoiceChecks'].includes(name),
)

test.each(readNames)('%s returns 304 without a body to a client with the current version', async (name) => {
  const { account, ids } = filled
  const first = await read(account, name, ids)
  const tag = first.headers.get('etag') ?? ''
  expect(tag).toMatch(/^W\/"[\w-]+"$/)
  expect(first.headers.get('cache-control')).toBe('private, no-cache')
  for (const known of [tag, tag.replace('W/', ''), `"other", ${tag}`]) {
    const second = await read(account, name, ids, known)
    expect(second).toMatchObject({ status: 304, text: '' })
    expect(second.headers.get('etag')).toBe(tag)
    expect(second.headers.get('content-type')).toBeNull()
  }
  expect((await read(account, name, ids, '"other"')).text).toBe(first.text)
  expect((await read(account, name, ids)).text).toBe(first.text)
})

test.each(importedReads)('%s returns a new response with another ETag once the resource has changed', async (name) => {
  const { account, ids } = await anAccountWithEverything()
  const before = await read(account, name, ids)
  const tag = before.headers.get('etag') ?? ''
  await importEverything(service, account, ids, 'second')
  const after = await read(account, name, ids, tag)
  expect(after.status).toBe(200)
  expect(after.headers.get('etag')).not.toBe(tag)
  expect(before.text).toContain('first')
  expect(after.text).toContain('second')
  expect(after.text).not.toContain('first')
})

test.each(readNames)('%s keeps its ETag when the same data is imported again', async (name) => {
  const { account, ids } = filled
  const tag = await tagOf(account, name, ids)
  await account.forwarder.imports(...everyResource(ids, 'first'))
  expect((await read(account, name, ids, tag)).status).toBe(304)
})

test.each(readNames)('%s keeps its ETag when only resources of other kinds are added', async (name) => {
  const { account, ids } = await anAccountWithEverything()
  const tag = await tagOf(account, name, ids)
  // Exceptions are not imported, but follow from the others.
  const others: Record<Exclude<ResourceKind, 'exception'>, Line> = {
    shipment: { kind: 'shipment', data: { svc_shipment_id: 'another' } },
    location: { kind: 'location', data: { id: 1 } },
    invoice: { kind: 'invoice', data: { reference: 'another' } },
    tracking: { kind: 'tracking', data: { svc_shipment_id: ids.svc_shipment_id, status: 'delivered' } },
    document: { kind: 'document', data: { id: newIdentifiers().document, name: 'b', content_base64: 'Yg==' } },
    purchase_order: { kind: 'purchase_order', data: { reference: 'another', product_lines: [line()] } },
  }
  for (const [kind, added] of Object.entries(others)) {
    const { kind: own, renderedFrom = [own] }: PublicOperation = operations[name]
    if (renderedFrom.includes(kind as ResourceKind)) continue
    await account.forwarder.imports(added)
    expect((await read(account, name, ids, tag)).status).toBe(304)
  }
})

test.each(['getShipment', 'getPurchaseOrder', 'getLocation', 'getInvoice', 'getTracking'] as const)(
  '%s keeps its ETag when another resource of its kind changes',
  async (name) => {
    const { account, ids } = await anAccountWithEverything()
    const tag = await tagOf(account, name, ids)
    await account.forwarder.imports(...everyResource(newIdentifiers(), 'another'))
    expect((await read(account, name, ids, tag)).status).toBe(304)
  },
)

test('the ETag of a shipment changes with the related data that it shows', async () => {
  const { account, ids } = await anAccountWithEverything()
  const tag = await tagOf(account, 'getShipment', ids)
  await account.forwarder.imports({
    kind: 'invoice',
    data: { reference: 'I2', number: 'N2', status: 'due', svc_shipment_id: ids.svc_shipment_id },
  })
  const after = await read(account, 'getShipment', ids, tag)
  expect(after.status).toBe(200)
  expect(after.body.invoice_references).toContain('N2')
})

test('an ETag of one account does not match in another', async () => {
  const ids = newIdentifiers()
  const [one, other] = [await newAccount(service), await newAccount(service)]
  for (const account of [one, other]) await importEverything(service, account, ids, account.slug)
  for (const name of importedReads) {
    const result = await read(other, name, ids, await tagOf(one, name, ids))
    expect(result.status).toBe(200)
    expect(result.text).toContain(other.slug)
  }
})

test('the ETag of an invoice number changes when it refers to another invoice', async () => {
  const { call, forwarder } = await newAccount(service)
  await forwarder.imports(
    { kind: 'invoice', data: { reference: 'A', number: 'N', sent_date: '2026-02-01T00:00:00Z' } },
    { kind: 'invoice', data: { reference: 'B', number: 'N', sent_date: '2026-01-01T00:00:00Z' } },
  )
  const first = await call('getInvoice', { params: { reference: 'N' } })
  expect(first.body.reference).toBe('A')
  await forwarder.imports({ kind: 'invoice', data: { reference: 'A', number: 'M', sent_date: '2026-02-01T00:00:00Z' } })
  const ifNoneMatch = first.headers.get('etag') ?? ''
  const second = await call('getInvoice', { params: { reference: 'N' }, ifNoneMatch })
  expect(second.status).toBe(200)
  expect(second.body.reference).toBe('B')
})

test.each([
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
] as const)('a response compressed with %s has the same content', async (encoding, decompress) => {
  const account = await newAccount(service)
  const ids = newIdentifiers()
  await account.forwarder.imports(...tenDocuments())
  await importEverything(service, account, ids, 'x'.repeat(2000))
  // An exception names what it needs, and is too short.
  for (const name of importedReads.filter((each) => operations[each].kind !== 'exception')) {
    const plain = await read(account, name, ids)
    const response = await rawFetch(account, targetOf(name, ids), encoding)
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect(response.headers.get('vary')).toContain('accept-encoding')
    expect(response.headers.get('etag')).toBe(plain.headers.get('etag'))
    expect(decompress(response.bytes).toString()).toBe(plain.text)
  }
})

test('short responses, and those to clients without compression, are sent uncompressed', async () => {
  const account = await newAccount(service)
  const ids = newIdentifiers()
  await account.forwarder.imports(...everyResource(ids, 'x'.repeat(2000)))
  const plain = await read(account, 'getShipment', ids)
  for (const encoding of ['identity', 'zstd', '']) {
    const response = await rawFetch(account, targetOf('getShipment', ids), encoding)
    expect(response.headers.get('content-encoding')).toBeNull()
    expect(response.bytes.toString()).toBe(plain.text)
  }
  const short = await rawFetch(empty, '/v1/locations', 'gzip')
  expect(short.headers.get('content-encoding')).toBeNull()
  expect(short.bytes.toString()).toBe('[]')
})

function tenDocuments(): Line[] {
  return Array.from({ length: 10 }, () => ({
    kind: 'document',
    data: { id: newIdentifiers().document, name: 'b', content_base64: 'Yg==' },
  }))
}

/** `fetch` would decompress. */
async function rawFetch({ key }: TestAccount, target: string, encoding: string) {
  const result = await sendRaw(service.baseUrl, {
    target,
    headers: [
      ['Authorization', `Bearer ${key}`],
      ['Accept-Encoding', encoding],
    ],
  })
  expect(result.status).toBe(200)
  return result
}

test('If-None-Match: * matches any existing resource, and no missing one', async () => {
  const { call, forwarder } = await newAccount(service)
  expect(await call('listShipments', { ifNoneMatch: '*' })).toBeRefused('no_shipments_found')
  await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S' } })
  expect((await call('listShipments', { ifNoneMatch: '*' })).status).toBe(304)
  expect((await call('getShipment', { params: { svc_shipment_id: 'S' }, ifNoneMatch: '*' })).status).toBe(304)
  const other = await call('getShipment', { params: { svc_shipment_id: 'T' }, ifNoneMatch: '*' })
  expect(other).toBeRefused('shipment_not_found')
})

test('every response varies by Accept-Encoding', async () => {
  const { call, forwarder } = await newAccount(service)
  await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S' } })
  const full = await call('listShipments')
  const unchanged = await call('listShipments', { ifNoneMatch: full.headers.get('etag') ?? '' })
  expect([full.headers.get('vary'), unchanged.headers.get('vary')]).toEqual(['accept-encoding', 'accept-encoding'])
})
