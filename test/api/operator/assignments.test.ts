import { Big } from 'big.js'
import { expect, test } from 'vitest'
import type { OperatorBody } from '../../../src/contract/operator/operations.js'
import { line } from '../../support/account.js'
import { containerNumber } from '../../support/containers.js'
import { pointersOf, startForwarding } from '../../support/forwarder.js'
import { newOperator } from '../../support/operator.js'
import { startService } from '../../support/service.js'

const service = await startService()
const other = await startService()

const [first, second] = [containerNumber(1), containerNumber(2)]

/** An order with two lines and two shipments, the first with two containers. */
async function start(ordered = 10) {
  const forwarding = await startForwarding(service, 'operations')
  const { call, work, shipment } = forwarding
  const product_lines = [line({ reference: 'A', ordered_quantity: ordered }), line({ reference: 'B/1' })]
  await call('createPurchaseOrder', { body: { reference: 'PO/1', product_lines } })
  const containers = [{ container_number: first }, { container_number: second }]
  const one = await shipment({ status: 'booked', cargo: { containers } })
  const two = await shipment({ status: 'draft' })
  const params = (svc_shipment_id: string, reference = 'A') => ({ reference: 'PO/1', line: reference, svc_shipment_id })

  const assign = (svc_shipment_id: string, body: OperatorBody<'assign'> | number, reference?: string) =>
    work('assign', {
      params: params(svc_shipment_id, reference),
      body: typeof body === 'number' ? { assigned_quantity: body } : body,
    })
  const pack = (svc_shipment_id: string, shipped_order_lines: OperatorBody<'pack'>['shipped_order_lines']) =>
    work('pack', { params: params(svc_shipment_id), body: { shipped_order_lines } })
  const unassign = (svc_shipment_id: string, reference?: string) =>
    work('unassign', { params: params(svc_shipment_id, reference), query: { reason: 'moved' } })
  const order = async () => (await call('getPurchaseOrder', { params: { reference: 'PO/1' } })).body
  const assigned = async () => (await order()).purchase_order_lines[0]?.assigned_order_lines
  const customerUpdates = () =>
    call('updatePurchaseOrder', { body: { reference: 'PO/1', supplier_id: `S${Math.random()}` } })
  return { ...forwarding, one, two, params, assign, pack, unassign, order, assigned, customerUpdates }
}

test('an assigned quantity shows in the order and the shipment at once', async () => {
  const { assign, one, two, assigned, seen, order, operator_id } = await start()
  const made = (await assign(one, 4)).body
  expect(made).toMatchObject({
    id: JSON.stringify(['PO/1', 'A', one]),
    recorded_by: `operator:${operator_id}`,
    record: { reference: 'PO/1', line: 'A', svc_shipment_id: one, assigned_quantity: 4, shipped_order_lines: [] },
  })
  expect(made.order).toEqual(await order())
  expect(await assigned()).toEqual([
    { svc_shipment_id: one, shipment_status: 'booked', assigned_quantity: 4, shipped_order_lines: [] },
  ])
  expect((await seen(one)).purchase_order_references).toEqual(['PO/1'])
  await assign(two, 6)
  expect(await assigned()).toHaveLength(2)
  expect((await seen(two)).purchase_order_references).toEqual(['PO/1'])
})

test('sending an assignment again changes it, or has no effect if it is the same', async () => {
  const { assign, one, assigned, revision, work } = await start()
  const created = (await assign(one, 4)).body
  const before = await revision()
  expect((await assign(one, 4)).body).toEqual(created)
  expect(await revision()).toBe(before)
  await assign(one, 10)
  expect(await assigned()).toMatchObject([{ assigned_quantity: 10 }])
  await assign(one, 0.5)
  expect(await assigned()).toMatchObject([{ assigned_quantity: 0.5 }])
  const history = (await work('getHistory', { params: { kind: 'assignment', id: created.id } })).body
  expect(history.map(({ what }) => what)).toEqual(['updated', 'updated', 'created'])
  expect(history[0]?.changes).toEqual([{ pointer: '/assigned_quantity', before: 10, after: 0.5 }])
})

test('assigned never exceeds ordered: the refusal states the excess, and nothing changes', async () => {
  const { assign, one, two, assigned, revision } = await start()
  await assign(one, 7)
  const before = [await revision(), await assigned()]
  const refused = await assign(two, 4.5)
  expect(refused).toBeRefused('quantity_exceeded')
  expect(refused.problem.detail).toBe(
    'This brings the assigned quantity of the line to 11.5 of 10 ordered: 1.5 too many.',
  )
  expect(await assign(one, 10.001)).toBeRefused('quantity_exceeded')
  expect([await revision(), await assigned()]).toEqual(before)
  expect((await assign(two, 3)).status).toBe(200)
  expect((await assign(one, 10, 'B/1')).status).toBe(200)
})

test('quantities are decimal, not binary fractions: 0.1 plus 0.2 is 0.3', async () => {
  const { assign, one, two, assigned } = await start(0.3)
  expect((await assign(one, 0.1)).status).toBe(200)
  expect((await assign(two, 0.2)).status).toBe(200)
  expect((await assigned())?.map(({ assigned_quantity }) => assigned_quantity).toSorted()).toEqual([0.1, 0.2])
  const refused = await assign(two, 0.2000000001)
  expect(refused.problem.detail).toContain('0.0000000001 too many')
})

test('packed lines show in the order and in the container, and shipped never exceeds assigned', async () => {
  const { assign, pack, one, assigned, seen, revision } = await start()
  await assign(one, 6)
  const shipped_order_lines = [
    { container_number: first, shipped_quantity: 2.5, packaging_type: 'pallet' as const, number_of_packages: 2 },
    { container_number: second, shipped_quantity: 3.5 },
  ]
  expect((await pack(one, shipped_order_lines)).body.record.shipped_order_lines).toEqual(shipped_order_lines)
  expect(await assigned()).toMatchObject([{ assigned_quantity: 6, shipped_order_lines }])
  expect((await seen(one)).cargo?.containers).toEqual([
    { container_number: first, purchase_order_references: ['PO/1'] },
    { container_number: second, purchase_order_references: ['PO/1'] },
  ])

  const before = await revision()
  const refused = await pack(one, [
    { container_number: first, shipped_quantity: 4 },
    { container_number: first, shipped_quantity: 2.25 },
  ])
  expect(refused).toBeRefused('quantity_exceeded')
  expect(refused.problem.detail).toBe('This ships 6.25 of 6 assigned: 0.25 too many.')
  expect(await assign(one, 5)).toBeRefused('quantity_exceeded')
  expect(await assign(one, { assigned_quantity: 1, shipped_order_lines })).toBeRefused('quantity_exceeded')
  expect(await revision()).toBe(before)

  expect((await assign(one, 8)).body.record).toMatchObject({ assigned_quantity: 8, shipped_order_lines })
  await assign(one, { assigned_quantity: 8, shipped_order_lines: [] })
  expect((await seen(one)).cargo?.containers).toEqual([{ container_number: first }, { container_number: second }])
})

test('order lines can only be packed into containers of their shipment', async () => {
  const { assign, pack, one, two, revision } = await start()
  await assign(one, 2)
  await assign(two, 2)
  const before = await revision()
  const strange = await pack(one, [{ shipped_quantity: 1 }, { container_number: containerNumber(3) }])
  expect(pointersOf(strange)).toEqual(['/shipped_order_lines/1/container_number'])
  expect(pointersOf(await pack(two, [{ container_number: first }]))).toEqual([
    '/shipped_order_lines/0/container_number',
  ])
  const assigning = await assign(two, { assigned_quantity: 1, shipped_order_lines: [{ container_number: first }] })
  expect(pointersOf(assigning)).toEqual(['/shipped_order_lines/0/container_number'])
  expect(await revision()).toBe(before)
})

test('imported packing is kept when the quantity changes', async () => {
  const { forwarder, one, params, work } = await start()
  const shipped_order_lines = [{ container_number: 'CONT-1', shipped_quantity: 1 }]
  await forwarder.imports({ kind: 'assignment', data: { ...params(one), assigned_quantity: 2, shipped_order_lines } })
  const changed = await work('assign', { params: params(one), body: { assigned_quantity: 3 } })
  expect(changed.body.record).toMatchObject({ assigned_quantity: 3, shipped_order_lines })
})

test('an order with an assigned line refuses updates by its customer until the last line is unassigned', async () => {
  const { assign, unassign, one, two, customerUpdates, order, seen } = await start()
  expect((await customerUpdates()).status).toBe(200)
  await assign(one, 2)
  await assign(two, 1, 'B/1')
  expect(await customerUpdates()).toBeRefused('purchase_order_assigned')
  expect((await unassign(one)).body).toEqual({ removed: JSON.stringify(['PO/1', 'A', one]) })
  expect((await seen(one)).purchase_order_references).toEqual([])
  expect(await customerUpdates()).toBeRefused('purchase_order_assigned')
  await unassign(two, 'B/1')
  expect((await order()).purchase_order_lines.map((each) => each.assigned_order_lines)).toEqual([[], []])
  expect((await customerUpdates()).status).toBe(200)
})

test('a removed assignment stays in the history with its reason, and can be assigned again', async () => {
  const { assign, unassign, one, work, assigned } = await start()
  const { id } = (await assign(one, 2)).body
  await unassign(one)
  expect(await unassign(one)).toBeRefused('assignment_not_found')
  await assign(one, 3)
  expect(await assigned()).toMatchObject([{ assigned_quantity: 3 }])
  const history = (await work('getHistory', { params: { kind: 'assignment', id } })).body
  expect(history.map(({ what, reason }) => [what, reason])).toEqual([
    ['created', undefined],
    ['removed', 'moved'],
    ['created', undefined],
  ])
  expect(history[1]).not.toHaveProperty('record')
})

test('nothing can be assigned to or packed on a cancelled shipment, but assignments can be removed', async () => {
  const { assign, pack, unassign, one, two, work, assigned } = await start()
  await assign(one, 2)
  for (const svc_shipment_id of [one, two]) {
    const body = { status: 'cancelled' as const, reason: 'lost' }
    await work('moveShipment', { params: { svc_shipment_id }, body })
  }
  expect(await assign(two, 1)).toBeRefused('shipment_cancelled')
  expect(await assign(one, 1)).toBeRefused('shipment_cancelled')
  expect(await pack(one, [])).toBeRefused('shipment_cancelled')
  expect(await assigned()).toMatchObject([{ assigned_quantity: 2, shipment_status: 'cancelled' }])
  expect((await unassign(one)).status).toBe(200)
  expect(await assigned()).toEqual([])
})

test('an unknown order, line, shipment or assignment is refused with 404', async () => {
  const { work, one, params, shipment, assign } = await start()
  const stranger = await start()
  const body = { assigned_quantity: 1 }
  const unknown = { reference: 'PO/2', line: 'A', svc_shipment_id: one }
  expect(await work('assign', { params: unknown, body })).toBeRefused('purchase_order_not_found')
  expect(await work('assign', { params: params(one, 'C'), body })).toBeRefused('line_not_found')
  expect(await assign('SHP-NONE', 1)).toBeRefused('shipment_not_found')
  expect(await assign(stranger.one, 1)).toBeRefused('shipment_not_found')
  const pack = { shipped_order_lines: [] }
  expect(await work('pack', { params: params(await shipment()), body: pack })).toBeRefused('assignment_not_found')
  expect(await work('unassign', { params: params(one) })).toBeRefused('assignment_not_found')
})

test('identifiers of 255 characters can be assigned and have a history, unless their bytes exceed the key limit', async () => {
  const { call, work, forwarder } = await startForwarding(service, 'admin')
  // All different: the database compresses repetitive values, which would fit.
  const name = (from: number) =>
    Array.from({ length: 255 }, (_, n) => String.fromCodePoint(from + ((n * 89) % 700))).join('')
  const params = { reference: name(0x4e00), line: name(0x5200), svc_shipment_id: name(0x5600) }
  const far = { ...params, line: name(0x1f300), svc_shipment_id: name(0x1f600) }
  const product_lines = [params, far].map(({ line: reference }) => line({ reference }))
  await call('createPurchaseOrder', { body: { reference: params.reference, product_lines } })
  for (const { svc_shipment_id } of [params, far]) await work('createShipment', { body: { svc_shipment_id } })

  const assigned = await work('assign', { params, body: { assigned_quantity: 1 } })
  expect(assigned.status).toBe(200)
  const history = await work('getHistory', { params: { kind: 'assignment', id: assigned.body.id } })
  expect(history.body.map(({ what }) => what)).toEqual(['created'])
  expect((await work('unassign', { params })).body).toEqual({ removed: assigned.body.id })

  const refused = await work('assign', { params: far, body: { assigned_quantity: 1 } })
  expect(refused).toBeRefused('invalid_request')
  expect(pointersOf(refused)).toEqual(['/svc_shipment_id'])
  const { faults } = await forwarder.triesToImport({ kind: 'assignment', data: { ...far, assigned_quantity: 1 } })
  expect(faults.map(({ pointer }) => pointer)).toEqual(['/data/svc_shipment_id'])
})

test.each([0, -1, 1e16, '1', null])('a quantity of %j is refused', async (assigned_quantity) => {
  const { tries, params, one } = await start()
  const refused = await tries('assign', { params: params(one), body: { assigned_quantity } })
  expect(pointersOf(refused)).toEqual(['/assigned_quantity'])
})

test('orders are listed newest first, as record and as the account sees them', async () => {
  const { work, call, assign, one, order, operator_id } = await start()
  await call('createPurchaseOrder', { body: { reference: 'PO/2', product_lines: [line()] } })
  await assign(one, 2)
  const listed = (await work('listPurchaseOrders')).body
  expect(listed.map(({ id }) => id)).toEqual(['PO/2', 'PO/1'])
  expect(listed[1]?.shown).toEqual(await order())
  expect(listed[1]?.record).toMatchObject({ reference: 'PO/1', product_lines: [{ reference: 'A' }, {}] })
  expect(listed[1]?.recorded_by).toMatch(/^key:key_/)
  expect(listed[1]?.recorded_by).not.toContain(operator_id)
  expect((await work('getPurchaseOrder', { params: { reference: 'PO/1' } })).body).toEqual(listed[1])
  expect(await work('getPurchaseOrder', { params: { reference: 'PO/3' } })).toBeRefused('purchase_order_not_found')
})

test('20 concurrent assignments of one line, on two services, never exceed the ordered quantity', async () => {
  const { slug, shipment, params, assigned, call } = await start(10)
  const shipments = await Promise.all(Array.from({ length: 20 }, () => shipment()))
  const operators = await Promise.all(
    shipments.map((_, index) => newOperator(index % 2 === 0 ? service : other, 'operations')),
  )
  const responses = await Promise.all(
    operators.map(({ ops }, index) =>
      ops('assign', slug, {
        params: params(shipments[index] as string),
        body: { assigned_quantity: 1.1 },
      }),
    ),
  )
  const made = responses.filter(({ status }) => status === 200)
  expect(made).toHaveLength(9)
  for (const refused of responses.filter((response) => !made.includes(response))) {
    expect(refused).toBeRefused('quantity_exceeded')
    expect(refused.problem.detail).toContain('1 too many')
  }
  const quantities = ((await assigned()) ?? []).map(({ assigned_quantity }) => assigned_quantity)
  expect(quantities.reduce((sum, quantity) => sum.plus(quantity), new Big(0)).toNumber()).toBe(9.9)
  const shown = (await call('listShipments', { query: { skip: 0, take: 100 } })).body
  expect(shown.filter((each) => each.purchase_order_references?.includes('PO/1'))).toHaveLength(9)
})

test('a concurrent assignment and order update, on two services, take effect one after the other', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { slug, one, params, callAt, order } = await start()
    const operator = await newOperator(service, 'operations')
    const body = { reference: 'PO/1', product_lines: [line({ reference: 'Z' })] }
    const [assigned, updated] = await Promise.all([
      operator.ops('assign', slug, { params: params(one), body: { assigned_quantity: 1 } }),
      callAt(other, 'updatePurchaseOrder', { body }),
    ])
    if (assigned.status === 200) {
      expect(updated).toBeRefused('purchase_order_assigned')
      expect((await order()).purchase_order_lines[0]?.assigned_order_lines).toHaveLength(1)
    } else {
      expect(assigned).toBeRefused('line_not_found')
      expect(updated.status).toBe(200)
      expect((await order()).purchase_order_lines).toHaveLength(1)
    }
  }
})
