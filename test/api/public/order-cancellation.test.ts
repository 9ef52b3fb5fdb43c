import { expect, test } from 'vitest'
import { line, newAccount } from '../../support/account.js'
import { evaluate } from '../../support/exceptions.js'
import { newOperator } from '../../support/operator.js'
import { newPerson } from '../../support/portal.js'
import { startService } from '../../support/service.js'

/** Cancelled orders: an extension, which leaves the shapes of orders as they are. */

const service = await startService()
const { ops } = await newOperator(service)
const reference = 'PO-1'
const params = { reference }

/** An order whose goods should have left the factory, and a shipment. */
async function anOrder() {
  const account = await newAccount(service)
  await evaluate(service, account.id, '2026-01-02T00:00:00Z')
  await account.forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'S1', status: 'booked' } },
    {
      kind: 'purchase_order',
      data: {
        reference,
        desired_ex_factory_date: '2026-01-02',
        desired_delivery_date: '2026-02-01',
        product_lines: [line({ reference: '1', ordered_quantity: 10 })],
      },
    },
  )
  const assign = () =>
    ops('assign', account.slug, {
      params: { reference, line: '1', svc_shipment_id: 'S1' },
      body: { assigned_quantity: 4 },
    })
  return { ...account, assign }
}

test('a cancelled order keeps its shape, and nothing of it is expected, late or waiting any more', async () => {
  const { call, slug, id } = await anOrder()
  await evaluate(service, id, '2026-03-01T00:00:00Z')
  const risks = async (state: 'open' | 'closed') =>
    (await call('listExceptions', { query: { kind: 'order_at_risk', state } })).body
  expect((await risks('open')).length).toBeGreaterThan(0)
  const before = await call('getPurchaseOrder', { params })
  expect((await call('listInbound')).body).toHaveLength(1)

  const cancelled = await call('cancelPurchaseOrder', { params, body: { reason: 'Ordered twice' } })
  expect(cancelled).toMatchObject({ status: 200, body: { reference, reason: 'Ordered twice' } })
  const { cancelled_at } = cancelled.body
  expect((await call('getPurchaseOrder', { params })).body).toEqual(before.body)
  expect((await call('listInbound', { query: { delivered: 'any' } })).body).toEqual([])
  const { body: arrivals } = await call('getOrderArrivals', { params })
  expect(arrivals).toMatchObject({
    date_status: 'unknown',
    unassigned_quantity: 0,
    cancellation: { cancelled_at, reason: 'Ordered twice' },
  })
  expect(arrivals).not.toHaveProperty('days_late')
  await evaluate(service, id, '2026-03-01T00:00:00Z')
  expect(await risks('open')).toEqual([])
  expect((await risks('closed'))[0]).toMatchObject({
    closed: { how: 'cleared', reason: 'The order was cancelled.' },
  })
  const waiting = await ops('findOpenOrders', undefined, { query: { account: slug } })
  expect(waiting.body.orders).toEqual([])
  const { ask } = await newPerson(service, { id }, 'viewer')
  const list = (state: string) => ask('findPurchaseOrders', { query: { state } })
  expect((await list('cancelled')).body).toMatchObject({
    purchase_orders: [{ po_number: reference }],
    arrivals: [{ reference, cancelled: true }],
  })
  expect((await list('open')).body.purchase_orders).toEqual([])
})

test('cancelling is an event, is kept in the history, and has no effect the second time', async () => {
  const { call, slug } = await anOrder()
  const first = await call('cancelPurchaseOrder', { params, body: {} })
  const second = await call('cancelPurchaseOrder', { params, body: { reason: 'Again' } })
  expect(second.body).toEqual(first.body)
  const { body } = await call('listEvents', { query: { types: 'purchase_order.updated' } })
  expect(body.events).toMatchObject([{ object: { id: reference }, changed: ['cancellation'] }])
  const version = await ops('getPurchaseOrder', slug, { params })
  expect(version.body.record.cancellation).toEqual({ cancelled_at: first.body.cancelled_at })
})

test('an order is not cancelled while a shipment brings some of it, but after that shipment is', async () => {
  const { call, slug, assign } = await anOrder()
  await assign()
  expect(await call('cancelPurchaseOrder', { params, body: {} })).toBeRefused('purchase_order_assigned')
  await ops('moveShipment', slug, {
    params: { svc_shipment_id: 'S1' },
    body: { status: 'cancelled', reason: 'No goods' },
  })
  const cancelled = await ops('cancelPurchaseOrder', slug, {
    params,
    body: { reason: 'No goods' },
  })
  expect(cancelled).toMatchObject({ status: 200, body: { record: { cancellation: { reason: 'No goods' } } } })
})

test('a cancelled order can be neither changed nor assigned, in an import neither', async () => {
  const { call, assign, slug, forwarder } = await anOrder()
  await call('cancelPurchaseOrder', { params, body: {} })
  const update = await call('updatePurchaseOrder', { body: { reference, supplier_id: 'Another' } })
  expect(update).toBeRefused('purchase_order_cancelled')
  expect(await assign()).toBeRefused('purchase_order_cancelled')
  const several = await ops('addOrderLines', slug, {
    params: { svc_shipment_id: 'S1' },
    body: { order_lines: [{ reference, line: '1', assigned_quantity: 1 }] },
  })
  expect(several.status).toBe(400)
  const { faults } = await forwarder.triesToImport({
    kind: 'assignment',
    data: { reference, line: '1', svc_shipment_id: 'S1', assigned_quantity: 1 },
  })
  expect(faults).toHaveLength(1)
})

test('an order that does not exist, or is of another account, cannot be cancelled', async () => {
  const { call } = await newAccount(service)
  expect(await call('cancelPurchaseOrder', { params, body: {} })).toBeRefused('purchase_order_not_found')
})
