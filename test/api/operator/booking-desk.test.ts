import { expect, test } from 'vitest'
import { containerNumber } from '../../support/containers.js'
import { pointersOf, startForwarding } from '../../support/forwarder.js'
import { newOperator } from '../../support/operator.js'
import { ownDatabase } from '../../support/own-database.js'
import { startService } from '../../support/service.js'

const service = await startService({ db: await ownDatabase('booking_desk') })
const { ops } = await newOperator(service)

/** A customer with two orders of two lines each. */
async function start() {
  const forwarding = await startForwarding(service, 'operations')
  const { call, slug } = forwarding
  for (const [reference, day] of [
    ['PO/late', '2026-09-01'],
    ['PO/early', '2026-05-01'],
    ['PO/someday', undefined],
  ] as const) {
    const product_lines = [
      { reference: '1', ordered_quantity: 10, product: { sku: `LAMP-${reference}`, name: 'Lamp' } },
      { reference: '2', ordered_quantity: 0.3, product: { sku: 'CORD' } },
    ]
    await call('createPurchaseOrder', {
      body: { reference, product_lines, ...(day !== undefined && { desired_ex_factory_date: day }) },
    })
  }
  const open = async (query: object = {}) => {
    const { body } = await ops('findOpenOrders', undefined, { query: { account: slug, ...query } })
    return body
  }
  const names = async (query: object = {}) => (await open(query)).orders.map(({ reference }) => reference)
  return { ...forwarding, open, names }
}

test('orders of all customers wait until everything of every line is assigned, those that are wanted first come first', async () => {
  const { open, names, work, slug, shipment } = await start()
  const other = await start()
  expect(await names()).toEqual(['PO/early', 'PO/late', 'PO/someday'])
  expect((await open()).orders[0]).toEqual({
    account: slug,
    account_name: expect.any(String),
    reference: 'PO/early',
    state: 'open',
    desired_ex_factory_date: '2026-05-01',
    lines: [
      { line: '1', sku: 'LAMP-PO/early', name: 'Lamp', ordered_quantity: 10, open_quantity: 10 },
      { line: '2', sku: 'CORD', ordered_quantity: 0.3, open_quantity: 0.3 },
    ],
  })
  expect(await names({ q: 'lamp-po/late' })).toEqual(['PO/late'])
  const first = await open({ take: 1 })
  const second = await open({ take: 1, after: first.next })
  expect((await open({ take: 1, after: second.next })).orders).toMatchObject([{ reference: 'PO/someday' }])
  expect(await open({ take: 2, after: second.next })).not.toHaveProperty('next')

  // More than ordered of one line does not hide what is open of another: the sum of the order would be complete.
  const one = await shipment({ status: 'booked' })
  const params = { reference: 'PO/early', line: '1', svc_shipment_id: one }
  const body = { assigned_quantity: 10.3, over_shipment_reason: 'Spare parts' }
  expect((await work('assign', { params, body })).status).toBe(200)
  expect((await open({ state: 'partly_assigned' })).orders).toMatchObject([
    { reference: 'PO/early', state: 'partly_assigned', lines: [{ line: '2', open_quantity: 0.3 }] },
  ])
  expect(await names({ state: 'open' })).toEqual(['PO/late', 'PO/someday'])
  await work('assign', { params: { ...params, line: '2' }, body: { assigned_quantity: 0.3 } })
  expect(await names()).toEqual(['PO/late', 'PO/someday'])
  // A cancelled shipment gives its quantities back.
  await work('moveShipment', { params: { svc_shipment_id: one }, body: { status: 'cancelled', reason: 'Strike' } })
  expect(await names()).toEqual(['PO/early', 'PO/late', 'PO/someday'])

  const { body: all } = await ops('findOpenOrders', undefined, { query: { take: 100 } })
  expect(new Set(all.orders.map((order) => order.account))).toContain(other.slug)
  expect(await ops('findOpenOrders', undefined, { query: { account: 'nobody' } })).toBeRefused('account_not_found')
  const after = Buffer.from('["x","y",1]').toString('base64url')
  expect(await ops('findOpenOrders', undefined, { query: { after } })).toBeRefused('invalid_request')
})

test('a shipment is created with lines of several orders, or not at all', async () => {
  const { work, tries, call, names, seen } = await start()
  const [first, second] = [containerNumber(1), containerNumber(2)]
  const cargo = { containers: [{ container_number: first }, { container_number: second }] }
  const of = (reference: string, on: string, assigned_quantity: number) => ({ reference, line: on, assigned_quantity })
  const wrong = await tries('createShipment', {
    body: {
      svc_shipment_id: 'S1',
      cargo,
      order_lines: [
        of('PO/early', '1', 10),
        of('PO/early', '1', 10),
        of('PO/late', '1', 10.5),
        of('PO/late', '9', 1),
        of('PO/none', '1', 1),
        { ...of('PO/late', '2', 0.3), shipped_order_lines: [{ container_number: 'NONE', shipped_quantity: 1 }] },
      ],
    },
  })
  expect(wrong).toBeRefused('invalid_request')
  expect(pointersOf(wrong)).toEqual([
    '/order_lines/1',
    '/order_lines/2/assigned_quantity',
    '/order_lines/3/line',
    '/order_lines/4/reference',
    '/order_lines/5/shipped_order_lines',
    '/order_lines/5/shipped_order_lines/0/container_number',
  ])
  expect(await tries('getShipment', { params: { svc_shipment_id: 'S1' } })).toBeRefused('shipment_not_found')

  const packed = [
    { container_number: first, shipped_quantity: 4 },
    { container_number: second, shipped_quantity: 2 },
  ]
  const made = await work('createShipment', {
    body: {
      svc_shipment_id: 'S1',
      cargo,
      order_lines: [
        { ...of('PO/early', '1', 6), shipped_order_lines: packed },
        of('PO/early', '2', 0.3),
        { ...of('PO/late', '1', 10.5), over_shipment_reason: 'Full pallet' },
      ],
    },
  })
  expect(made.status).toBe(201)
  expect((await seen('S1')).purchase_order_references).toEqual(['PO/early', 'PO/late'])
  expect((await seen('S1')).cargo?.containers?.[1]?.purchase_order_references).toEqual(['PO/early'])
  const { body: order } = await call('getPurchaseOrder', { params: { reference: 'PO/early' } })
  expect(order.purchase_order_lines[0]?.assigned_order_lines).toMatchObject([
    { svc_shipment_id: 'S1', assigned_quantity: 6, shipped_order_lines: packed },
  ])
  expect(await names()).toEqual(['PO/early', 'PO/late', 'PO/someday'])

  // What is added comes on top of what the shipment has.
  const params = { svc_shipment_id: 'S1' }
  const added = await work('addOrderLines', { params, body: { order_lines: [of('PO/early', '1', 4)] } })
  expect(added.body).toEqual((await work('listOrderLines', { params })).body)
  expect(
    added.body.map(({ record, open_quantity }) => [
      record.reference,
      record.line,
      record.assigned_quantity,
      open_quantity,
    ]),
  ).toEqual([
    ['PO/early', '1', 10, 0],
    ['PO/early', '2', 0.3, 0],
    ['PO/late', '1', 10.5, 0],
  ])
  expect(added.body[0]?.record.shipped_order_lines).toEqual(packed)
  expect(await names()).toEqual(['PO/late', 'PO/someday'])
  const more = { params, body: { order_lines: [of('PO/early', '1', 1)] } }
  expect(pointersOf(await tries('addOrderLines', more))).toEqual(['/order_lines/0/assigned_quantity'])
  await work('moveShipment', { params, body: { status: 'cancelled', reason: 'Strike' } })
  expect(await tries('addOrderLines', more)).toBeRefused('shipment_cancelled')
})

test('an assignment that somebody else has changed meanwhile is not overwritten', async () => {
  const { work, tries, shipment } = await start()
  const svc_shipment_id = await shipment({ status: 'booked' })
  const params = { reference: 'PO/early', line: '1', svc_shipment_id }
  const assign = (assigned_quantity: number, revision: number) =>
    tries('assign', { params, query: { revision }, body: { assigned_quantity } })
  const { revision } = (await work('assign', { params, query: { revision: 0 }, body: { assigned_quantity: 3 } })).body
  expect(await assign(4, 0)).toBeRefused('assignment_changed')
  const changed = (await work('assign', { params, query: { revision }, body: { assigned_quantity: 4 } })).body
  expect(await assign(5, revision)).toBeRefused('assignment_changed')
  const packing = { params, query: { revision }, body: { shipped_order_lines: [{ shipped_quantity: 1 }] } }
  expect(await tries('pack', packing)).toBeRefused('assignment_changed')
  expect(await tries('unassign', { params, query: { revision } })).toBeRefused('assignment_changed')
  const [now] = (await work('listOrderLines', { params: { svc_shipment_id } })).body
  expect(now).toMatchObject({ revision: changed.revision, record: { assigned_quantity: 4 }, open_quantity: 6 })
  expect((await work('unassign', { params, query: { revision: changed.revision } })).status).toBe(200)
})
