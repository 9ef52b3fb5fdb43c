import { expect, test } from 'vitest'
import { newOperator } from '../../support/operator.js'
import { startService } from '../../support/service.js'
import { containers, doorToDoor, imported, on, startTracking } from '../../support/tracking.js'

const service = await startService()
const [first, second] = containers

test('the tracking status follows the events from pending to delivered', async () => {
  const { plan, say, status } = await startTracking(service)
  await plan()
  const way: [step: string, description: string, status: string][] = [
    ['pickup', 'Picked up', 'at_origin'],
    ['origin', 'Gate in', 'at_origin'],
    ['origin', 'Loaded on vessel', 'at_origin'],
    ['origin', 'Vessel departure', 'in_transit'],
    ['hub', 'Vessel arrival', 'at_transshipment'],
    ['hub', 'Discharged', 'at_transshipment'],
    ['hub', 'Departed', 'in_transit'],
    ['destination', 'Vessel arrival', 'arrived'],
    ['destination', 'Customs cleared', 'arrived'],
    ['destination', 'Gate out', 'out_for_delivery'],
    ['delivery', 'Out for delivery', 'out_for_delivery'],
    ['delivery', 'Delivered', 'delivered'],
  ]
  expect(await status()).toBe('pending')
  for (const [index, [step, description, expected]] of way.entries()) {
    await say(step, description, 'estimated', index + 1)
    await say(step, description, 'actual', index + 1)
    expect(await status(), description).toBe(expected)
  }
})

test('only actual events count for the status, and retracting one reverts it', async () => {
  const { plan, say, status, work, params } = await startTracking(service)
  await plan()
  await say('pickup', 'Picked up', 'actual', 1)
  await say('origin', 'Departure', 'planned', 3)
  await say('origin', 'Departure', 'problem', 4)
  expect(await status()).toBe('at_origin')
  await say('origin', 'Departed', 'actual', 5, { event_id: 'gone' })
  expect(await status()).toBe('in_transit')
  await work('retractEvent', { params: { ...params, event_id: 'gone' }, query: { reason: 'still there' } })
  expect(await status()).toBe('at_origin')
})

test('a shipment is where the last of its containers is', async () => {
  const { plan, say, status } = await startTracking(service)
  await plan()
  await say('origin', 'Gate in', 'actual', 1, { container_number: first })
  await say('origin', 'Gate in', 'actual', 1, { container_number: second })
  await say('origin', 'Vessel departure', 'actual', 2)
  expect(await status()).toBe('in_transit')
  await say('destination', 'Vessel arrival', 'actual', 20)
  await say('delivery', 'Delivered', 'actual', 22, { container_number: first })
  expect(await status()).toBe('arrived')
  await say('delivery', 'Delivered', 'actual', 23, { container_number: second })
  expect(await status()).toBe('delivered')
})

test('status and dates agree for every spelling of a delivery step', async () => {
  const { plan, say, status, dates } = await startTracking(service)
  await plan()
  await say('origin', 'On board', 'actual', 2)
  expect([await status(), (await dates())?.departure_date?.status]).toEqual(['at_origin', 'estimated'])
  await say('origin', 'Sailed', 'actual', 3)
  expect([await status(), (await dates())?.departure_date?.status]).toEqual(['in_transit', 'actual'])
  await say('delivery', 'Handed over to the consignee', 'actual', 9)
  expect([await status(), (await dates())?.delivery_date?.status]).toEqual(['delivered', 'actual'])
})

test('an inland terminal counts by its position in the route', async () => {
  const { plan, say, status } = await startTracking(service)
  const [, origin, , destination, delivery] = doorToDoor.steps
  if (!origin || !destination || !delivery) throw new Error('the plan has them')
  const terminal = (id: string) => ({ id, type: 'inland_terminal' as const })
  await plan({ steps: [terminal('depot'), origin, destination, terminal('ramp'), delivery] })
  await say('depot', 'Departed', 'actual', 1)
  expect(await status()).toBe('at_origin')
  await say('destination', 'Gate out', 'actual', 10)
  expect(await status()).toBe('in_transit')
  await say('ramp', 'Arrived', 'actual', 11)
  expect(await status()).toBe('arrived')
  await say('ramp', 'Gate out', 'actual', 12)
  expect(await status()).toBe('out_for_delivery')
})

test('the tracking of a cancelled shipment is cancelled, and follows its events again when the cancellation is corrected', async () => {
  const { plan, say, status, work, params, tracked } = await startTracking(service)
  await plan()
  await say('origin', 'Departed', 'actual', 1)
  await work('moveShipment', { params, body: { status: 'cancelled', reason: 'sunk' } })
  expect(await status()).toBe('cancelled')
  await say('origin', 'Departed', 'estimated', 2)
  expect(await status()).toBe('cancelled')
  expect((await tracked()).tracking_steps?.[1]?.events).toHaveLength(2)
  await work('moveShipment', { params, body: { status: 'in_progress', correction: true, reason: 'afloat' } })
  expect(await status()).toBe('in_transit')
})

test('a shipment that is cancelled before it is tracked has cancelled tracking', async () => {
  const { plan, status, work, params } = await startTracking(service)
  await work('moveShipment', { params, body: { status: 'cancelled', reason: 'no' } })
  await plan()
  expect(await status()).toBe('cancelled')
})

test('actual dates take precedence over estimated over planned, a problem shows until it is resolved, and newer statements replace older ones', async () => {
  const { plan, say, dates, work, params } = await startTracking(service)
  await plan()
  const departure = async () => (await dates())?.departure_date
  await say('origin', 'Departure', 'planned', 5)
  expect(await departure()).toEqual({ date: on(5), status: 'planned' })
  await say('origin', 'Departure', 'estimated', 7)
  await say('origin', 'Departure', 'planned', 6)
  expect(await departure()).toEqual({ date: on(7), status: 'estimated' })
  await say('origin', 'Departure', 'estimated', 4)
  expect(await departure()).toEqual({ date: on(4), status: 'estimated' })
  await say('origin', 'Held by customs', 'problem', 8, { event_id: 'held' })
  expect(await departure()).toEqual({ date: on(4), status: 'problem' })
  await say('origin', 'Gate in', 'actual', 3)
  expect(await departure()).toEqual({ date: on(4), status: 'problem' })
  await say('origin', 'Departure', 'actual', 9, { container_number: first })
  await say('origin', 'Departure', 'actual', 10, { container_number: second, event_id: 'second' })
  expect(await departure()).toEqual({ date: on(10), status: 'actual' })
  const body = { step: 'origin', description: 'Departure', date: on(8), status: 'actual' as const, reason: 'typo' }
  await work('correctEvent', { params: { ...params, event_id: 'second' }, body: { ...body, container_number: second } })
  expect(await departure()).toEqual({ date: on(9), status: 'actual' })
})

test('initial dates are the first expected ones, and move only when the event that set them is withdrawn', async () => {
  const { plan, say, tracked, work, params } = await startTracking(service)
  await plan()
  expect(await tracked()).not.toHaveProperty('initial_dates')
  await say('origin', 'Departure', 'planned', 5, { event_id: 'etd' })
  expect((await tracked()).initial_dates).toEqual({ etd: on(5) })
  await say('origin', 'Departure', 'estimated', 7)
  await say('destination', 'Arrival', 'estimated', 20)
  await say('pickup', 'Pick-up', 'planned', 2)
  await say('delivery', 'Delivered', 'actual', 25)
  const all = { eta: on(20), etd: on(5), pickup: on(2) }
  expect((await tracked()).initial_dates).toEqual(all)
  await say('destination', 'Arrival', 'actual', 22)
  await work('retractEvent', { params: { ...params, event_id: 'etd' }, query: { reason: 'wrong vessel' } })
  expect((await tracked()).initial_dates).toEqual({ ...all, etd: on(7) })
})

test('imported tracking can be edited: its events have ids and stay unchanged, and new ones are appended', async () => {
  const { forwarder, svc_shipment_id, state, tracked, say, work, params } = await startTracking(service)
  await forwarder.imports(imported(svc_shipment_id))
  const before = await tracked()
  expect((await state()).steps.map(({ id, events }) => [id, events.map(({ event_id }) => event_id)])).toEqual([
    ['1', ['1.1']],
    ['2', ['2.1', '2.2']],
  ])
  await say('2', 'Vessel arrival', 'actual', 22)
  await work('addPosition', { params, body: { latitude: 3, longitude: 4 } })
  const after = await tracked()
  expect(after.tracking_steps?.[1]?.events?.slice(0, 2)).toEqual(before.tracking_steps?.[1]?.events)
  expect(after.tracking_steps?.[1]?.events).toHaveLength(3)
  expect(after.status).toBe('arrived')
  expect(after.ocean_coordinates).toHaveLength(2)
  expect(after.initial_dates).toEqual({ eta: on(20) })
})

test('an imported event can be corrected and retracted like any other, and each event has its author', async () => {
  const { forwarder, svc_shipment_id, state, tracked, work, params, operator_id } = await startTracking(service)
  await forwarder.imports(imported(svc_shipment_id))
  const body = { step: '2', description: 'Berthed', date: on(23), status: 'actual' as const, source: 'Port' }
  await work('correctEvent', {
    params: { ...params, event_id: '2.2' },
    body: { ...body, container_number: 'CONT-1', reason: 'berthed' },
  })
  expect((await state()).steps[1]?.events).toMatchObject([
    { event_id: '2.1', recorded_by: 'test' },
    { event_id: '2.2', recorded_by: `operator:${operator_id}`, description: 'Berthed', source: 'Port' },
  ])
  expect((await tracked()).tracking_steps?.[1]?.events?.[1]).toEqual({
    description: 'Berthed',
    container_number: 'CONT-1',
    date: on(23),
    status: 'actual',
  })
  await work('retractEvent', { params: { ...params, event_id: '2.1' }, query: { reason: 'outdated' } })
  expect((await state()).steps[1]?.events.map(({ event_id }) => event_id)).toEqual(['2.2'])
  const history = (await work('getTrackingHistory', { params })).body
  expect(history.map(({ kind, what, reason }) => [kind, what, reason])).toEqual([
    ['tracking', 'created', undefined],
    ['tracking', 'corrected', 'berthed'],
    ['tracking', 'corrected', 'outdated'],
  ])
})

test('nothing is overwritten: the history has every statement in order, with author and reason', async () => {
  const { plan, say, work, params, slug, operator_id } = await startTracking(service)
  const colleague = await newOperator(service, 'operations')
  await plan()
  await say('origin', 'Departure', 'planned', 5, { event_id: 'one', source: 'Carrier' })
  const body = { step: 'origin', description: 'Departure', date: on(6), status: 'planned' as const, reason: 'misread' }
  await colleague.ops('correctEvent', slug, { params: { ...params, event_id: 'one' }, body })
  await work('retractEvent', { params: { ...params, event_id: 'one' }, query: { reason: 'other vessel' } })
  const history = (await work('getTrackingHistory', { params })).body
  const events = history.filter(({ kind }) => kind === 'tracking_event')
  expect(events.map(({ what, reason, recorded_by }) => [what, reason, recorded_by])).toEqual([
    ['created', undefined, `operator:${operator_id}`],
    ['corrected', 'misread', `operator:${colleague.operator_id}`],
    ['removed', 'other vessel', `operator:${operator_id}`],
  ])
  expect(events[0]?.record).toMatchObject({ date: on(5), source: 'Carrier' })
  expect(events[1]?.record).toMatchObject({ date: on(6) })
  expect(events[2]).not.toHaveProperty('record')
  const revisions = history.map(({ revision }) => revision)
  expect(revisions).toEqual(revisions.toSorted((one, other) => one - other))
  const page = (await work('getTrackingHistory', { params, query: { skip: 1, take: 2 } })).body
  expect(page).toEqual(history.slice(1, 3))
})

test('tracking as of a time is exactly what was known then', async () => {
  const { plan, say, work, params, tracked, state, lastChange } = await startTracking(service)
  const steps: { as_of: string; shown: unknown; state: unknown }[] = []
  const note = async () => {
    steps.push({ as_of: await lastChange(), shown: await tracked(), state: await state() })
  }
  await plan()
  await note()
  await say('origin', 'Departure', 'planned', 5, { event_id: 'one' })
  await note()
  await work('addPosition', { params, body: { latitude: 1, longitude: 1 } })
  await note()
  const body = { step: 'hub', description: 'Arrived', date: on(6), status: 'actual' as const, reason: 'misread' }
  await work('correctEvent', { params: { ...params, event_id: 'one' }, body })
  await note()
  await work('retractEvent', { params: { ...params, event_id: 'one' }, query: { reason: 'r' } })
  await note()
  await plan({ steps: doorToDoor.steps.toReversed() })
  await note()
  await work('moveShipment', { params, body: { status: 'cancelled', reason: 'r' } })
  await note()
  for (const { as_of, shown, state: known } of steps) {
    const response = (await work('getTracking', { params, query: { as_of } })).body
    expect(response.shown).toEqual(shown)
    expect(response).toEqual(known)
  }
  const early = await work('getTracking', { params, query: { as_of: '2020-01-01T00:00:00Z' } })
  expect(early).toBeRefused('version_not_found')
})
