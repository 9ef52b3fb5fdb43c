import { expect, test } from 'vitest'
import { startService } from '../../support/service.js'
import { on, startTracking } from '../../support/tracking.js'

const service = await startService()

test('an event with a code counts by it, whatever its text', async () => {
  const { plan, work, params, dates, tracked } = await startTracking(service)
  await plan()
  const event = { step: 'origin', description: 'Leinen los', date: on(3), status: 'actual' as const }
  const { body } = await work('addEvent', { params, body: { ...event, code: 'DEPARTED', issued_at: on(3) } })
  expect(body).not.toHaveProperty('warnings')
  expect((await dates())?.departure_date).toEqual({ date: on(3), status: 'actual' })
  const shown = (await tracked()).tracking_steps?.[1]?.events?.[0]
  expect(shown).toEqual({ description: 'Leinen los', date: on(3), status: 'actual' })
})

test('an unrecognised text is shown, moves nothing, and gets a warning', async () => {
  const { plan, say, dates, status, tracked } = await startTracking(service)
  await plan()
  const { body } = await say('destination', 'Leinen fest', 'actual', 9)
  expect(body.warnings).toEqual([expect.objectContaining({ pointer: '/description' })])
  expect([await status(), await dates()]).toEqual(['pending', undefined])
  expect((await tracked()).tracking_steps?.[3]?.events).toHaveLength(1)
})

test('an actual date in the future is kept back until it is corrected', async () => {
  const { plan, work, params, dates, status, tracked } = await startTracking(service)
  await plan()
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  const event = { step: 'destination', description: 'Vessel arrived', status: 'actual' as const }
  const { body } = await work('addEvent', { params, body: { ...event, event_id: 'early', date: tomorrow } })
  expect(body.warnings).toEqual([expect.objectContaining({ pointer: '/date' })])
  expect(body.steps[3]?.events[0]).toHaveProperty('quarantine')
  expect([await status(), await dates()]).toEqual(['pending', undefined])
  expect((await tracked()).tracking_steps?.[3]?.events).toEqual([])
  const corrected = { ...event, date: on(9), reason: 'a typo' }
  await work('correctEvent', { params: { ...params, event_id: 'early' }, body: corrected })
  expect((await dates())?.arrival_date).toEqual({ date: on(9), status: 'actual' })
})

test('an imported actual date in the future is kept back, and counts once it has passed', async () => {
  const { forwarder, svc_shipment_id, dates } = await startTracking(service)
  const arrival = (date: string) => ({
    kind: 'tracking' as const,
    data: {
      svc_shipment_id,
      tracking_steps: [
        { type: 'destination_port' as const, events: [{ description: 'Arrived', date, status: 'actual' as const }] },
      ],
    },
  })
  await forwarder.imports(arrival(new Date(Date.now() + 86_400_000).toISOString()))
  expect(await dates()).toBeUndefined()
  await forwarder.imports(arrival(on(9)))
  expect((await dates())?.arrival_date).toEqual({ date: on(9), status: 'actual' })
})

test('the estimate that was issued last counts, in whatever order estimates come', async () => {
  const { plan, work, params, dates } = await startTracking(service)
  await plan()
  const event = { step: 'destination', description: 'Arrival', code: 'ARRIVED' as const, status: 'estimated' as const }
  await work('addEvent', { params, body: { ...event, date: on(25), issued_at: on(12) } })
  await work('addEvent', { params, body: { ...event, date: on(21), issued_at: on(10) } })
  expect((await dates())?.arrival_date).toEqual({ date: on(25), status: 'estimated' })
})

test('a booked shipment that moves is in progress, and a hold does not move it', async () => {
  const { plan, say, seen, svc_shipment_id } = await startTracking(service)
  await plan()
  await say('origin', 'Customs hold', 'actual', 1)
  expect((await seen(svc_shipment_id)).status).toBe('booked')
  await say('origin', 'Gate in', 'actual', 2)
  expect((await seen(svc_shipment_id)).status).toBe('in_progress')
})

test('what trucks, trains and barges do at the ports moves no shipment by sea, in events as in imported lines', async () => {
  const { plan, say, dates, status, forwarder, shipment, seen } = await startTracking(service)
  await plan()
  const { body } = await say('origin', 'Truck departed', 'actual', 1)
  expect(body.warnings).toEqual([expect.objectContaining({ pointer: '/description' })])
  await say('origin', 'Rail departed', 'actual', 2)
  await say('destination', 'Barge arrived', 'actual', 9)
  expect([await status(), await dates()]).toEqual(['pending', undefined])
  const byRail = await shipment({ freight_mode: 'rail' })
  const bySea = await shipment({ freight_mode: 'ocean' })
  for (const svc_shipment_id of [byRail, bySea])
    await forwarder.imports({
      kind: 'tracking',
      data: {
        svc_shipment_id,
        tracking_steps: [
          { type: 'origin_port', events: [{ description: 'Train departed', date: on(3), status: 'actual' }] },
          { type: 'destination_port', events: [{ description: 'Vessel arrival', date: on(9), status: 'planned' }] },
        ],
      },
    })
  expect((await seen(byRail)).main_tracking_dates?.departure_date).toEqual({ date: on(3), status: 'actual' })
  expect((await seen(bySea)).main_tracking_dates).not.toHaveProperty('departure_date')
})

test('by rail, what trains do is recognised, and gets no warning', async () => {
  const { work, shipment } = await startTracking(service)
  const params = { svc_shipment_id: await shipment({ freight_mode: 'rail' }) }
  await work('planTracking', {
    params,
    body: { steps: [{ id: 'origin', type: 'origin_port', port: { unlocode: 'CN/NGB' } }] },
  })
  const event = { step: 'origin', description: 'Train departed', date: on(3), status: 'actual' as const }
  const { body } = await work('addEvent', { params, body: event })
  expect(body).not.toHaveProperty('warnings')
})
