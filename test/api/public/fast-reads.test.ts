import { expect, test } from 'vitest'
import { issueKey } from '../../../src/usecases/accounts/create-key.js'
import { revokeAnyKey } from '../../../src/usecases/accounts/revoke-key.js'
import { line, newAccount, type TestAccount } from '../../support/account.js'
import { readSamples, valueIn } from '../../support/metrics.js'
import { newOperator } from '../../support/operator.js'
import { type RunningService, startService } from '../../support/service.js'

/** Cached responses equal uncached ones, on every process. */

const cacheBytes = 1_000_000
const service = await startService({ cacheBytes })
const other = await startService({ cacheBytes })
const uncached = await startService({ cacheBytes: 0 })
const limited = await startService({ rateLimit: 3, cacheBytes })

async function read({ baseUrl }: RunningService, key: string, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(baseUrl + path, {
    headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity', ...headers },
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

async function withShipment(): Promise<TestAccount> {
  const account = await newAccount(service)
  await account.forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S', name: 'first' } })
  return account
}

const oneShipment = '/v1/shipments/S'

test('a cached response has the same body and headers as the original', async () => {
  const { key } = await withShipment()
  const [made, cached] = [await read(service, key, oneShipment), await read(service, key, oneShipment)]
  expect(cached.text).toBe(made.text)
  const names = (headers: Headers) => [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
  expect(names(cached.headers)).toEqual(names(made.headers))
  expect(cached.headers.get('x-request-id')).toMatch(/^req_\w+$/)
  const etag = made.headers.get('etag') as string
  const unchanged = await read(service, key, oneShipment, { 'if-none-match': etag })
  expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([304, '', etag])
})

test('a write is visible to the next read on every process, even if the response was cached', async () => {
  const { key, forwarder, call } = await withShipment()
  for (let round = 0; round < 20; round += 1) {
    for (const at of [service, other]) await read(at, key, oneShipment)
    await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S', name: `round ${round}` } })
    for (const at of [service, other, uncached]) {
      expect(JSON.parse((await read(at, key, oneShipment)).text)).toMatchObject({ name: `round ${round}` })
    }
  }
  expect(JSON.parse((await read(other, key, '/v1/purchaseOrders')).text)).toEqual([])
  await call('createPurchaseOrder', { body: { reference: 'P', product_lines: [line()] } })
  expect(JSON.parse((await read(other, key, '/v1/purchaseOrders')).text)).toHaveLength(1)
})

test('a revoked key and a suspended account stop at once, even if their responses are cached', async () => {
  const { key, key_id, id, slug } = await withShipment()
  const second = await issueKey(service.db, id, { scopes: ['read'] })
  for (const each of [key, second.key]) for (let count = 0; count < 2; count += 1) await read(other, each, oneShipment)
  await revokeAnyKey(service.db, key_id)
  expect((await read(other, key, oneShipment)).status).toBe(401)
  expect((await read(other, second.key, oneShipment)).status).toBe(200)
  const { ops } = await newOperator(service)
  await ops('updateAccount', slug, { body: { suspended: true } })
  expect((await read(other, second.key, oneShipment)).status).toBe(403)
  await ops('updateAccount', slug, { body: { suspended: false } })
  expect((await read(other, second.key, oneShipment)).status).toBe(200)
})

test('a cached response is served to its account only', async () => {
  const [one, two] = [await withShipment(), await newAccount(service)]
  for (let count = 0; count < 2; count += 1) expect((await read(service, one.key, oneShipment)).status).toBe(200)
  for (let count = 0; count < 2; count += 1) expect((await read(service, two.key, oneShipment)).status).toBe(404)
})

test('a key without the scope is refused even if the response is cached', async () => {
  const { key, id } = await withShipment()
  const { key: writing } = await issueKey(service.db, id, { scopes: ['write'] })
  await read(service, key, oneShipment)
  for (let count = 0; count < 2; count += 1) expect((await read(service, writing, oneShipment)).status).toBe(403)
})

test('cached responses count against the rate limit', async () => {
  const { key } = await withShipment()
  const statuses: number[] = []
  for (let count = 0; count < 5; count += 1) statuses.push((await read(limited, key, oneShipment)).status)
  // A new minute may start in between.
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(1)
  expect(statuses.slice(0, 2)).toEqual([200, 200])
})

test('a compressed cached response has the same content as the plain one', async () => {
  const { key, forwarder } = await newAccount(service)
  await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S', name: 'x'.repeat(5000) } })
  const plain = await read(service, key, oneShipment)
  for (let count = 0; count < 5; count += 1) {
    const response = await fetch(service.baseUrl + oneShipment, {
      headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'gzip' },
    })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(await response.text()).toBe(plain.text)
    expect(response.headers.get('etag')).toBe(plain.headers.get('etag'))
  }
})

test.each([
  ['cached', service],
  ['uncached', uncached],
])('of many concurrent reads each gets its own response, %s', async (_where, at) => {
  const accounts = await Promise.all([1, 2, 3].map(() => newAccount(service)))
  const ids = Array.from({ length: 30 }, (_, index) => `S-${index}`)
  for (const { slug, forwarder } of accounts) {
    const shipments = ids.map((id) => ({
      svc_shipment_id: id,
      name: `${slug} ${id}`,
      created_at: '2026-01-01T00:00:00Z',
    }))
    await forwarder.imports(
      ...shipments.map((data) => ({ kind: 'shipment' as const, data })),
      { kind: 'purchase_order', data: { reference: 'P', supplier_id: slug, product_lines: [line()] } },
      { kind: 'tracking', data: { svc_shipment_id: 'S-1', status: 'pending' } },
    )
  }
  const named = (slug: string, from: number, to: number) =>
    ids
      .toSorted()
      .slice(from, to)
      .map((id) => ({ name: `${slug} ${id}` }))
  const requests = accounts.flatMap(({ key, slug }) => [
    ...ids.map((id) => ({ key, path: `/v1/shipments/${id}`, result: { svc_shipment_id: id, name: `${slug} ${id}` } })),
    { key, path: '/v1/shipments', result: named(slug, 0, 10) },
    { key, path: '/v1/shipments?take=3', result: named(slug, 0, 3) },
    { key, path: '/v1/shipments?take=100', result: named(slug, 0, 30) },
    { key, path: '/v1/shipments?skip=28&take=100', result: named(slug, 28, 30) },
    { key, path: '/v1/shipments?skip=30', result: { code: 'no_shipments_found' } },
    { key, path: '/v1/shipments/none', result: { code: 'shipment_not_found' } },
    { key, path: '/v1/purchaseOrders/P', result: { supplier_name: slug } },
    { key, path: '/v1/tracking/S-1', result: { svc_shipment_id: 'S-1' } },
    { key, path: '/v1/tracking/S-2', result: { code: 'tracking_not_found' } },
  ])
  for (let round = 0; round < 2; round += 1) {
    const results = await Promise.all(requests.map(({ key, path }) => read(at, key, path)))
    for (const [index, { text }] of results.entries()) {
      expect(JSON.parse(text)).toMatchObject(requests[index]?.result as object)
      if (Array.isArray(requests[index]?.result)) expect(JSON.parse(text)).toHaveLength(requests[index].result.length)
    }
  }
})

test('one response is cached once, however its URL is written', async () => {
  const spelling = await startService({ cacheBytes })
  const { key, forwarder } = await newAccount(spelling)
  await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S/1', name: 'first' } })
  const cachedBytes = async () => valueIn(await readSamples(spelling.baseUrl), 'waybill_response_cache_bytes')
  const expectOneResponse = async (...paths: string[]) => {
    const texts: string[] = [(await read(spelling, key, paths[0] as string)).text]
    const before = await cachedBytes()
    for (const path of paths) texts.push((await read(spelling, key, path)).text)
    expect(await cachedBytes()).toBe(before)
    expect(new Set(texts).size).toBe(1)
  }
  await expectOneResponse(
    '/v1/shipments',
    '/v1/shipments?',
    '/v1/shipments?&&&',
    '/v1/shipments?take=10',
    '/v1/shipments?take=010&skip=0',
    '/v1/shipments?%74ake=%31%30',
  )
  await expectOneResponse('/v1/shipments?skip=0&take=5', '/v1/shipments?take=5', '/v1/shipments?take=0005&&')
  await expectOneResponse('/v1/shipments/S%2F1', '/v1/shipments/%53%2f1', '/v1/shipments/S%2F1?&')
})
