import { expect, test } from 'vitest'
import { line } from '../../support/account.js'
import { startForwarding } from '../../support/forwarder.js'
import { startService } from '../../support/service.js'

const service = await startService()

/** An account with an order of 100 pieces and two shipments. */
async function start() {
  const forwarding = await startForwarding(service)
  const { forwarder, work, tries, slug, call } = forwarding
  const order = { reference: 'P-1', product_lines: [line({ reference: '1', ordered_quantity: 100 })] }
  await forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'S-1', status: 'booked' } },
    { kind: 'shipment', data: { svc_shipment_id: 'S-2', status: 'booked' } },
    { kind: 'purchase_order', data: order },
  )
  const assign = (svc_shipment_id: string, assigned_quantity: number, more: object = {}) =>
    tries('assign', {
      params: { reference: 'P-1', line: '1', svc_shipment_id },
      body: { assigned_quantity, ...more },
    })
  const tolerate = (over_shipment_percent: number) => work('updateAccount', { body: { over_shipment_percent } })
  const assigned = async () =>
    (await call('getPurchaseOrder', { params: { reference: 'P-1' } })).body.purchase_order_lines[0]
      ?.assigned_order_lines
  return { ...forwarding, slug, order, assign, tolerate, assigned }
}

test('more than ordered is assigned within the tolerance of the account, and not beyond', async () => {
  const { assign, tolerate, work } = await start()
  expect(await assign('S-1', 101)).toBeRefused('quantity_exceeded')
  expect((await tolerate(5)).body.over_shipment_percent).toBe(5)
  expect((await work('getAccount')).body.over_shipment_percent).toBe(5)
  expect((await assign('S-1', 105)).status).toBe(200)
  expect(await assign('S-1', 105.1)).toBeRefused('quantity_exceeded')
  expect(await assign('S-2', 1)).toBeRefused('quantity_exceeded')
})

test.each([-1, 101, 'five'])('a tolerance of %s percent is refused', async (percent) => {
  const { tries } = await start()
  const refused = await tries('updateAccount', { body: { over_shipment_percent: percent } })
  expect(refused.problem.errors?.[0]?.pointer).toBe('/over_shipment_percent')
})

test('an operator assigns more with a reason, which the record keeps and later imports respect', async () => {
  const { assign, forwarder, order, work } = await start()
  const over_shipment_reason = 'The buyer agreed by mail on 3 November'
  const written = await assign('S-1', 130, { over_shipment_reason })
  expect(written.body.record).toMatchObject({ assigned_quantity: 130, over_shipment_reason })
  const history = await work('getHistory', { params: { kind: 'assignment', id: written.body.id } })
  expect(JSON.stringify(history.body)).toContain(over_shipment_reason)
  // The next one needs its own reason.
  expect(await assign('S-2', 1)).toBeRefused('quantity_exceeded')
  await forwarder.imports({ kind: 'purchase_order', data: { ...order, supplier_id: 'Acme' } })
  // Within the limit again, there is nothing to give a reason for.
  const lower = await assign('S-1', 90, { over_shipment_reason })
  expect(lower.body.record).not.toHaveProperty('over_shipment_reason')
})

test('a cancelled shipment gives its quantities back', async () => {
  const { assign, work, assigned, forwarder } = await start()
  expect((await assign('S-1', 100)).status).toBe(200)
  expect(await assign('S-2', 1)).toBeRefused('quantity_exceeded')
  await work('moveShipment', {
    params: { svc_shipment_id: 'S-1' },
    body: { status: 'cancelled', reason: 'Booked twice' },
  })
  expect((await assign('S-2', 100)).status).toBe(200)
  expect((await assigned())?.map((each) => [each.shipment_status, each.assigned_quantity])).toEqual([
    ['cancelled', 100],
    ['booked', 100],
  ])
  const back = { status: 'booked', reason: 'It sails after all', correction: true } as const
  expect(await work('moveShipment', { params: { svc_shipment_id: 'S-1' }, body: back })).toBeRefused(
    'quantity_exceeded',
  )
  // The same by import, where the file itself cancels.
  await forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'S-2', status: 'cancelled' } },
    { kind: 'shipment', data: { svc_shipment_id: 'S-3', status: 'booked' } },
    { kind: 'assignment', data: { reference: 'P-1', line: '1', svc_shipment_id: 'S-3', assigned_quantity: 100 } },
  )
  const { faults } = await forwarder.triesToImport({
    kind: 'assignment',
    data: { reference: 'P-1', line: '1', svc_shipment_id: 'S-3', assigned_quantity: 101 },
  })
  expect(faults.map(({ pointer }) => pointer)).toEqual(['/data/assigned_quantity'])
})

test('an import is held to the tolerance, or gives a reason', async () => {
  const { forwarder, tolerate } = await start()
  await tolerate(10)
  const assignment = (assigned_quantity: number, more: object = {}) => ({
    kind: 'assignment' as const,
    data: { reference: 'P-1', line: '1', svc_shipment_id: 'S-1', assigned_quantity, ...more },
  })
  await forwarder.imports(assignment(110))
  expect((await forwarder.triesToImport(assignment(111))).faults).toHaveLength(1)
  await forwarder.imports(assignment(111, { over_shipment_reason: 'A full pallet' }))
})

test('a share of a container counts no TEU', async () => {
  const { forwarder, seen } = await start()
  const cargo = { containers: [{ container_type: 'forty_foot_standard' as const }] }
  await forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'L', load_type: 'lcl', cargo } },
    { kind: 'shipment', data: { svc_shipment_id: 'F', load_type: 'fcl', cargo } },
  )
  expect((await seen('L')).cargo).not.toHaveProperty('total_teus')
  expect((await seen('F')).cargo?.total_teus).toBe(2)
})
