import { expect, test } from 'vitest'
import { type ShipmentStatus, shipmentStatuses } from '../../../src/contract/public/shipment.js'
import { line } from '../../support/account.js'
import { pointersOf, startForwarding } from '../../support/forwarder.js'
import { startService } from '../../support/service.js'

const service = await startService()

// The allowed transitions without a correction, written out.
const allowed: Record<ShipmentStatus, ShipmentStatus[]> = {
  draft: ['booking_request', 'awaiting_booking', 'booked', 'in_progress', 'finished', 'cancelled'],
  booking_request: ['awaiting_booking', 'booked', 'in_progress', 'finished', 'cancelled'],
  awaiting_booking: ['booked', 'in_progress', 'finished', 'cancelled'],
  booked: ['in_progress', 'finished', 'cancelled'],
  in_progress: ['finished', 'cancelled'],
  finished: [],
  cancelled: [],
}

test.each(shipmentStatuses)('from %s only the allowed statuses may follow, and a refusal names them', async (from) => {
  const { work, forwarder, seen, revision } = await startForwarding(service)
  for (const to of shipmentStatuses) {
    const svc_shipment_id = `S-${to}`
    await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id, status: from } })
    const before = await revision()
    const moved = await work('moveShipment', { params: { svc_shipment_id }, body: { status: to, reason: 'because' } })
    if (allowed[from].includes(to)) {
      expect(moved.body.record.status).toBe(to)
      expect((await seen(svc_shipment_id)).status).toBe(to)
    } else {
      expect(moved).toBeRefused('transition_not_allowed')
      for (const status of allowed[from]) expect(moved.problem.detail).toContain(status)
      if (allowed[from].length === 0) expect(moved.problem.detail).toContain('final')
      expect((await seen(svc_shipment_id)).status).toBe(from)
      expect(await revision()).toBe(before)
    }
  }
})

test('a cancellation needs a reason, which the history shows', async () => {
  const { work, shipment, seen, revision } = await startForwarding(service)
  const svc_shipment_id = await shipment({ status: 'booked' })
  const before = await revision()
  const silent = await work('moveShipment', { params: { svc_shipment_id }, body: { status: 'cancelled' } })
  expect(pointersOf(silent)).toEqual(['/reason'])
  expect(await revision()).toBe(before)
  const body = { status: 'cancelled' as const, reason: 'The customer withdrew the order' }
  const cancelled = await work('moveShipment', { params: { svc_shipment_id }, body })
  expect(cancelled.body).toMatchObject({ reason: body.reason, record: { status: 'cancelled' } })
  expect((await seen(svc_shipment_id)).status).toBe('cancelled')
  const [entry] = (await work('getHistory', { params: { kind: 'shipment', id: svc_shipment_id } })).body
  expect(entry).toMatchObject({
    what: 'updated',
    reason: body.reason,
    changes: [{ pointer: '/status', before: 'booked', after: 'cancelled' }],
  })
})

test('an explicit correction can set any other status, needs a reason, and is marked as a correction', async () => {
  const { work, shipment, seen, revision } = await startForwarding(service)
  const svc_shipment_id = await shipment({ status: 'in_progress' })
  const params = { svc_shipment_id }
  await work('moveShipment', { params, body: { status: 'finished' } })
  const silent = await work('moveShipment', { params, body: { status: 'booked', correction: true } })
  expect(pointersOf(silent)).toEqual(['/reason'])
  const body = { status: 'booked' as const, correction: true, reason: 'Finished by mistake' }
  expect((await work('moveShipment', { params, body })).body.record.status).toBe('booked')
  expect((await seen(svc_shipment_id)).status).toBe('booked')
  const [entry, before] = (await work('getHistory', { params: { kind: 'shipment', id: svc_shipment_id } })).body
  expect(entry).toMatchObject({ what: 'corrected', reason: body.reason })
  expect(before?.what).toBe('updated')

  const now = await revision()
  expect(await work('moveShipment', { params, body })).toBeRefused('transition_not_allowed')
  expect(await revision()).toBe(now)
})

test('an imported shipment without a status may get any', async () => {
  const { work, forwarder, seen } = await startForwarding(service)
  await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S' } })
  await work('moveShipment', { params: { svc_shipment_id: 'S' }, body: { status: 'in_progress' } })
  expect((await seen('S')).status).toBe('in_progress')
})

test('orders show the new status of their shipments', async () => {
  const { work, shipment, call } = await startForwarding(service)
  const svc_shipment_id = await shipment({ status: 'booked' })
  await call('createPurchaseOrder', { body: { reference: 'P', product_lines: [line({ reference: '1' })] } })
  await work('assign', { params: { reference: 'P', line: '1', svc_shipment_id }, body: { assigned_quantity: 2 } })
  const statusShown = async () => {
    const order = (await call('getPurchaseOrder', { params: { reference: 'P' } })).body
    return order.purchase_order_lines[0]?.assigned_order_lines?.[0]?.shipment_status
  }
  expect(await statusShown()).toBe('booked')
  await work('moveShipment', { params: { svc_shipment_id }, body: { status: 'in_progress' } })
  expect(await statusShown()).toBe('in_progress')
  const cancel = { status: 'cancelled' as const, reason: 'lost' }
  await work('moveShipment', { params: { svc_shipment_id }, body: cancel })
  expect(await statusShown()).toBe('cancelled')
})
