import { afterEach, expect, inject, test, vi } from 'vitest'
import { openDatabase } from '../../src/database/database.js'
import { newAccount } from '../support/account.js'
import { countQueries } from '../support/query-counter.js'
import { startService } from '../support/service.js'

/** The cost of a read: queries are counted in the driver, JSON work at JSON itself. */

const counted = countQueries(openDatabase({ url: inject('databaseUrl') }, { connections: 1 }))
const service = await startService({ db: counted.db, cacheBytes: 1_000_000 })

afterEach(() => vi.restoreAllMocks())

test.each([
  '/v1/shipments?take=100',
  '/v1/shipments/S-7',
  '/v1/purchaseOrders',
  '/v1/purchaseOrders/P-7',
  '/v1/tracking/S-7',
  '/v1/locations',
  '/v1/locations/7',
  '/v1/invoices',
  '/v1/invoices/I-7',
])(
  'the first read of %s takes two queries, a repeated one only the revision lookup; no JSON is parsed or built',
  async (path) => {
    const { key, forwarder } = await newAccount(service)
    const ids = Array.from({ length: 100 }, (_, index) => index)
    await forwarder.imports(
      ...ids.map((id) => ({ kind: 'shipment' as const, data: { svc_shipment_id: `S-${id}`, name: 'x' } })),
      ...ids.map((id) => ({
        kind: 'purchase_order' as const,
        data: { reference: `P-${id}`, product_lines: [{ ordered_quantity: 1, product: { sku: 'a' } }] },
      })),
      ...ids.map((id) => ({ kind: 'location' as const, data: { id, name: 'a place' } })),
      ...ids.map((id) => ({ kind: 'invoice' as const, data: { reference: `I-${id}`, status: 'due' as const } })),
      { kind: 'tracking', data: { svc_shipment_id: 'S-7', status: 'pending' } },
    )
    const read = () =>
      fetch(service.baseUrl + path, { headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' } })
    await (
      await fetch(`${service.baseUrl}/v1/documents`, { headers: { authorization: `Bearer ${key}` } })
    ).arrayBuffer()

    const parse = vi.spyOn(JSON, 'parse')
    const stringify = vi.spyOn(JSON, 'stringify')
    const before = counted.count()
    const response = await read()
    const body = await response.text()
    expect(response.status).toBe(200)
    expect(body.length).toBeGreaterThan(20)
    expect(counted.count() - before).toBe(2)
    const again = await read()
    expect(await again.text()).toBe(body)
    expect(again.headers.get('etag')).toBe(response.headers.get('etag'))
    expect(counted.count() - before).toBe(3)
    expect(parse).not.toHaveBeenCalled()
    // The logger quotes the request id, which is a string; nothing else is serialized as JSON.
    expect(stringify.mock.calls.filter(([value]) => typeof value !== 'string')).toEqual([])
  },
)

test('a conditional request for an unchanged list takes one query', async () => {
  const { key, forwarder } = await newAccount(service)
  await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S-1' } })
  const headers: Record<string, string> = { authorization: `Bearer ${key}` }
  const first = await fetch(`${service.baseUrl}/v1/shipments`, { headers })
  await first.arrayBuffer()
  const before = counted.count()
  const second = await fetch(`${service.baseUrl}/v1/shipments`, {
    headers: { ...headers, 'if-none-match': first.headers.get('etag') ?? '' },
  })
  expect(second.status).toBe(304)
  expect(counted.count() - before).toBe(1)
})

test('a known key is not looked up again where responses are not cached', async () => {
  const uncached = await startService({ db: counted.db, cacheBytes: 0 })
  const { key, forwarder } = await newAccount(service)
  await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S-1', name: 'x' } })
  const read = async () => {
    const response = await fetch(`${uncached.baseUrl}/v1/shipments/S-1`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(await response.text()).toContain('S-1')
    return [counted.countOf('keys.hash'), counted.countOf('join shipments using')]
  }
  const [keys = 0, bodies = 0] = await read()
  expect(await read()).toEqual([keys, bodies + 1])
})
