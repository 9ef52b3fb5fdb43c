import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { send } from '../../../src/client/client.js'
import { line } from '../../support/account.js'
import { startForwarding } from '../../support/forwarder.js'
import { newOperator } from '../../support/operator.js'
import { startService } from '../../support/service.js'

const service = await startService()
const other = await startService()

const replayed = ({ headers }: { headers: Headers }) => headers.get('idempotent-replayed')

test('a retry gets the first response with its headers, and changes nothing', async () => {
  const { work, revision, call } = await startForwarding(service)
  const idempotencyKey = randomUUID()
  const first = await work('createShipment', { body: { name: 'A' }, idempotencyKey })
  const before = await revision()
  const again = await work('createShipment', { body: { name: 'A' }, idempotencyKey })
  expect([again.status, again.text]).toEqual([201, first.text])
  expect(again.headers.get('location')).toBe(first.headers.get('location'))
  expect([replayed(first), replayed(again)]).toEqual([null, 'true'])
  expect(await revision()).toBe(before)
  expect((await call('listShipments')).body).toHaveLength(1)
})

test('concurrent retries on two services create one shipment', async () => {
  const { slug, operatorKey, call } = await startForwarding(service)
  const idempotencyKey = randomUUID()
  const responses = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      const { baseUrl } = index % 2 === 0 ? service : other
      const response = await fetch(`${baseUrl}/ops/v1/accounts/${slug}/shipments`, {
        method: 'POST',
        body: JSON.stringify({ name: 'A' }),
        headers: {
          authorization: `Bearer ${operatorKey}`,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
        },
      })
      return `${response.status} ${await response.text()}`
    }),
  )
  expect(new Set(responses).size).toBe(1)
  expect((await call('listShipments')).body).toHaveLength(1)
})

test('reusing a key with another body, path or query is refused', async () => {
  const { work, shipment, revision } = await startForwarding(service)
  const [one, two] = [await shipment(), await shipment()]
  const idempotencyKey = randomUUID()
  const body = { status: 'booked' as const }
  await work('moveShipment', { params: { svc_shipment_id: one }, body, idempotencyKey })
  const before = await revision()
  const reason = { ...body, reason: 'r' }
  expect(await work('moveShipment', { params: { svc_shipment_id: one }, body: reason, idempotencyKey })).toBeRefused(
    'idempotency_key_reused',
  )
  expect(await work('moveShipment', { params: { svc_shipment_id: two }, body, idempotencyKey })).toBeRefused(
    'idempotency_key_reused',
  )
  expect(await work('createLocation', { body: { name: 'N' }, idempotencyKey })).toBeRefused('idempotency_key_reused')
  expect(await revision()).toBe(before)
})

test('a write without a body can be retried like any other', async () => {
  const { work, call, shipment } = await startForwarding(service)
  const svc_shipment_id = await shipment()
  await call('createPurchaseOrder', { body: { reference: 'P', product_lines: [line({ reference: '1' })] } })
  const params = { reference: 'P', line: '1', svc_shipment_id }
  await work('assign', { params, body: { assigned_quantity: 1 } })
  const idempotencyKey = randomUUID()
  const query = { reason: 'r' }
  const first = await work('unassign', { params, query, idempotencyKey })
  const again = await work('unassign', { params, query, idempotencyKey })
  expect([again.status, again.text, replayed(again)]).toEqual([200, first.text, 'true'])
  expect(await work('unassign', { params, query: { reason: 'other' }, idempotencyKey })).toBeRefused(
    'idempotency_key_reused',
  )
})

test('a refusal is replayed, too, but an invalid request may be sent again with changes', async () => {
  const { work, shipment, call } = await startForwarding(service)
  const svc_shipment_id = await shipment()
  await call('createPurchaseOrder', { body: { reference: 'P', product_lines: [line({ reference: '1' })] } })
  const params = { reference: 'P', line: '1', svc_shipment_id }
  const idempotencyKey = randomUUID()
  const first = await work('assign', { params, body: { assigned_quantity: 11 }, idempotencyKey })
  const again = await work('assign', { params, body: { assigned_quantity: 11 }, idempotencyKey })
  expect(first).toBeRefused('quantity_exceeded')
  expect([again.text, replayed(again)]).toEqual([first.text, 'true'])
  const key = randomUUID()
  const cancel = { status: 'cancelled' as const }
  expect(await work('moveShipment', { params: { svc_shipment_id }, body: cancel, idempotencyKey: key })).toBeRefused(
    'invalid_request',
  )
  const good = { ...cancel, reason: 'r' }
  expect((await work('moveShipment', { params: { svc_shipment_id }, body: good, idempotencyKey: key })).status).toBe(
    200,
  )
})

test('idempotency keys are separate for each operator and account, and from those of customers', async () => {
  const { slug, work, call } = await startForwarding(service)
  const stranger = await startForwarding(service)
  const colleague = await newOperator(service)
  const idempotencyKey = 'the-same'
  const body = { name: 'A' }
  const ids = [
    (await work('createShipment', { body, idempotencyKey })).body.id,
    (await colleague.ops('createShipment', slug, { body, idempotencyKey })).body.id,
    (await stranger.work('createShipment', { body, idempotencyKey })).body.id,
  ]
  expect(new Set(ids).size).toBe(3)
  const order = { reference: 'P', product_lines: [line()] }
  expect((await call('createPurchaseOrder', { body: order, idempotencyKey })).status).toBe(201)
})

test('creating an account can be retried safely', async () => {
  const { ops } = await newOperator(service)
  const body = { slug: `retry-${randomBytes(6).toString('hex')}`, name: 'N' }
  const idempotencyKey = randomUUID()
  const responses = await Promise.all([1, 2, 3].map(() => ops('createAccount', undefined, { body, idempotencyKey })))
  expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(responses[0]?.status).toBe(201)
  expect(responses.filter((result) => replayed(result) === 'true')).toHaveLength(2)
})

test('a retried key creation returns the same key, which is never stored in plain text', async () => {
  const { work, id, slug } = await startForwarding(service)
  const idempotencyKey = randomUUID()
  const first = await work('createKey', { body: { name: 'ERP' }, idempotencyKey })
  const again = await work('createKey', { body: { name: 'ERP' }, idempotencyKey })
  expect([again.status, again.text, replayed(again)]).toEqual([201, first.text, 'true'])
  const { key } = first.body
  expect((await send({ baseUrl: service.baseUrl, key }, 'listLocations')).status).toBe(200)
  const kept = await service.db<{ body: string }[]>`select body from idempotency_keys where account_id = ${id}`
  expect(kept).toHaveLength(1)
  expect(JSON.stringify(kept)).not.toContain(key)
  const logged = await service.db`select record from changes where account_id = ${id}`
  expect(JSON.stringify(logged)).not.toContain(key)
  const colleague = await newOperator(service)
  const theirs = await colleague.ops('createKey', slug, { body: { name: 'ERP' }, idempotencyKey })
  expect(theirs.body.key).not.toBe(key)
})

test('an idempotency key that is too long or not printable is refused', async () => {
  const { work, revision } = await startForwarding(service)
  const before = await revision()
  for (const idempotencyKey of ['x'.repeat(256), 'ä']) {
    expect(await work('createShipment', { body: {}, idempotencyKey })).toBeRefused('invalid_request')
  }
  expect(await revision()).toBe(before)
})
