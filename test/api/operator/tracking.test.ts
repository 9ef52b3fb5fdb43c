import { expect, test } from 'vitest'
import { containerNumber } from '../../support/containers.js'
import { pointersOf } from '../../support/forwarder.js'
import { startService } from '../../support/service.js'
import { containers, doorToDoor, on, startTracking } from '../../support/tracking.js'

const service = await startService()

test('a plan shows its steps with their locations, and no events', async () => {
  const { plan, tracked, svc_shipment_id, seen, operator_id } = await startTracking(service)
  const planned = (await plan()).body
  expect(await tracked()).toEqual({
    svc_shipment_id,
    status: 'pending',
    tracking_steps: [
      { type: 'pickup', location: { id: 1, name: 'Factory' } },
      { type: 'origin_port', port: { unlocode: 'CN/NGB', city: 'Ningbo', country: 'CN' } },
      { type: 'transshipment_port', port: { unlocode: 'SG/SIN' } },
      { type: 'destination_port', port: { unlocode: 'DE/HAM' } },
      { type: 'delivery', location: { id: 2, name: 'Shop' } },
    ],
  })
  expect(planned.shown).toEqual(await tracked())
  expect(planned.recorded_by).toBe(`operator:${operator_id}`)
  expect(planned.steps.map(({ id, events }) => [id, events])).toEqual(
    ['pickup', 'origin', 'hub', 'destination', 'delivery'].map((id) => [id, []]),
  )
  expect(await seen(svc_shipment_id)).not.toHaveProperty('main_tracking_dates')
})

test.each([
  [{ steps: [] }, ['/steps']],
  [{ steps: [{ type: 'pickup', port: { unlocode: 'CN/NGB' } }] }, ['/steps/0/port']],
  [{ steps: [{ type: 'origin_port', location_id: 1 }] }, ['/steps/0/location_id']],
  [{ steps: [{ type: 'pickup', location_id: 77 }] }, ['/steps/0/location_id']],
  [{ steps: [{ type: 'warehouse' }] }, ['/steps/0/type']],
  [{ steps: [{ type: 'origin_port', port: { unlocode: 'CNNGB' } }] }, ['/steps/0/port/unlocode']],
  [
    {
      steps: [
        { type: 'pickup', id: 'a' },
        { type: 'delivery', id: 'a' },
      ],
    },
    ['/steps/1/id'],
  ],
])('the plan %j is refused', async (body, pointers) => {
  const { tries, params, revision } = await startTracking(service)
  const before = await revision()
  expect(pointersOf(await tries('planTracking', { params, body }))).toEqual(pointers)
  expect(await revision()).toBe(before)
})

test('a new plan keeps the events of its remaining steps, and cannot drop steps with events', async () => {
  const { plan, say, tracked, revision } = await startTracking(service)
  await plan()
  await say('destination', 'Vessel arrival', 'estimated', 20)
  const { steps } = doorToDoor
  const without = await plan({ steps: steps.filter(({ id }) => id !== 'destination') })
  expect(without).toBeRefused('step_has_events')
  expect(without.problem.detail).toContain('destination')
  await plan({ steps: steps.filter(({ id }) => id !== 'hub') })
  expect((await tracked()).tracking_steps?.map(({ type, events }) => [type, events?.length])).toEqual([
    ['pickup', undefined],
    ['origin_port', undefined],
    ['destination_port', 1],
    ['delivery', undefined],
  ])
  const before = await revision()
  expect((await plan({ steps: steps.filter(({ id }) => id !== 'hub') })).status).toBe(200)
  expect(await revision()).toBe(before)
})

test('a plan keeps a location as it was planned until it is set again', async () => {
  const { plan, work, tracked, revision } = await startTracking(service)
  await plan()
  const factory = async () => (await tracked()).tracking_steps?.[0]?.location?.name
  await work('replaceLocation', { params: { id: '1' }, body: { name: 'New factory' } })
  expect(await factory()).toBe('Factory')
  const before = await revision()
  await plan()
  expect(await revision()).toBe(before + 1)
  expect(await factory()).toBe('New factory')
})

test('steps without a name are identified by type and location: events never move to another step', async () => {
  const { plan, say, tracked } = await startTracking(service)
  const origin = { type: 'origin_port' as const, port: { unlocode: 'CN/NGB' } }
  const destination = { type: 'destination_port' as const, port: { unlocode: 'DE/HAM' } }
  const first = (await plan({ steps: [origin, destination] })).body
  expect(first.steps.map(({ id }) => id)).toEqual(['1', '2'])
  await say('2', 'Vessel arrival', 'estimated', 20)

  const second = (await plan({ steps: [{ type: 'pickup' }, origin, destination] })).body
  expect(second.steps.map(({ id, type }) => [id, type])).toEqual([
    ['3', 'pickup'],
    ['1', 'origin_port'],
    ['2', 'destination_port'],
  ])
  expect((await tracked()).tracking_steps?.[2]?.events).toMatchObject([{ description: 'Vessel arrival' }])
  const elsewhere = { ...destination, port: { unlocode: 'NL/RTM' } }
  expect(await plan({ steps: [origin, elsewhere] })).toBeRefused('step_has_events')
  await plan({ steps: [origin, { ...elsewhere, id: '2' }] })
  expect((await tracked()).tracking_steps?.[1]).toMatchObject({
    port: { unlocode: 'NL/RTM' },
    events: [{ description: 'Vessel arrival' }],
  })
})

test('an event shows at its step as reported, with the local time of the location', async () => {
  const { plan, say, tracked, state, operator_id } = await startTracking(service)
  await plan()
  const container_number = containers[0]
  const added = await say('origin', 'Gate in', 'actual', 5, { container_number, source: 'Nordsee Line' })
  expect(added.status).toBe(201)
  const event = { description: 'Gate in', container_number, date: on(5), status: 'actual' }
  expect((await tracked()).tracking_steps?.[1]?.events).toEqual([event])
  expect((await state()).steps[1]?.events).toEqual([
    {
      ...event,
      event_id: expect.stringMatching(/^evt_/) as string,
      revision: expect.any(Number) as number,
      recorded_at: expect.any(String) as string,
      recorded_by: `operator:${operator_id}`,
      source: 'Nordsee Line',
    },
  ])
})

test('an event must belong to a step of the plan and a container of the shipment', async () => {
  const { plan, say, revision, work, params, shipment } = await startTracking(service)
  expect(await say('origin', 'x', 'actual', 1)).toBeRefused('tracking_not_found')
  await plan()
  const before = await revision()
  const wrong = await say('harbour', 'x', 'actual', 1)
  expect(wrong.problem.errors).toEqual([
    { pointer: '/step', detail: 'the plan has no such step; it has: pickup, origin, hub, destination, delivery' },
  ])
  const strange = await say('origin', 'x', 'actual', 1, { container_number: containerNumber(9) })
  expect(pointersOf(strange)).toEqual(['/container_number'])
  expect(strange.problem.errors?.[0]?.detail).toContain(containers.join(', '))
  const body = { step: 'origin', description: '', status: 'actual' as const, date: '2026-02-30T00:00:00Z' }
  expect(pointersOf(await work('addEvent', { params, body })).toSorted()).toEqual(['/date', '/description'])
  expect(await revision()).toBe(before)
  const bare = { svc_shipment_id: await shipment() }
  expect(await work('addEvent', { params: bare, body: { ...body, description: 'x', date: on(1) } })).toBeRefused(
    'tracking_not_found',
  )
})

test('an event identifier can be given, and never used again', async () => {
  const { plan, say, work, params, revision } = await startTracking(service)
  await plan()
  await say('origin', 'Gate in', 'actual', 5, { event_id: 'EDI/1' })
  expect(await say('origin', 'Again', 'actual', 5, { event_id: 'EDI/1' })).toBeRefused('event_exists')
  await work('retractEvent', { params: { ...params, event_id: 'EDI/1' }, query: { reason: 'wrong' } })
  const before = await revision()
  expect(await say('origin', 'Again', 'actual', 5, { event_id: 'EDI/1' })).toBeRefused('event_exists')
  expect(await revision()).toBe(before)
})

test('a corrected event keeps its position, and may move to another step', async () => {
  const { plan, say, tracked, work, params } = await startTracking(service)
  await plan()
  await say('origin', 'Gate in', 'actual', 5, { event_id: 'one' })
  await say('origin', 'Departure', 'planned', 8, { event_id: 'two' })
  const correct = (event_id: string, step: string, description: string) =>
    work('correctEvent', {
      params: { ...params, event_id },
      body: { step, description, date: on(6), status: 'actual', reason: 'misread' },
    })
  await correct('one', 'origin', 'Gate in at terminal 2')
  const events = async (index: number) =>
    (await tracked()).tracking_steps?.[index]?.events?.map(({ description }) => description)
  expect(await events(1)).toEqual(['Gate in at terminal 2', 'Departure'])
  await correct('one', 'hub', 'Discharged')
  expect(await events(1)).toEqual(['Departure'])
  expect(await events(2)).toEqual(['Discharged'])
  expect(await correct('three', 'hub', 'x')).toBeRefused('event_not_found')
  expect(pointersOf(await correct('one', 'nowhere', 'x'))).toEqual(['/step'])
})

test('a retracted event disappears for the account, and cannot be retracted or corrected again', async () => {
  const { plan, say, tracked, dates, work, params } = await startTracking(service)
  await plan()
  await say('origin', 'Departure', 'planned', 8, { event_id: 'one' })
  await say('origin', 'Departure', 'estimated', 9, { event_id: 'two' })
  expect((await dates())?.departure_date).toEqual({ date: on(9), status: 'estimated' })
  const event = { ...params, event_id: 'two' }
  const retracted = await work('retractEvent', { params: event, query: { reason: 'of another vessel' } })
  expect(retracted.body.shown).toEqual(await tracked())
  expect((await dates())?.departure_date).toEqual({ date: on(8), status: 'planned' })
  expect(await work('retractEvent', { params: event, query: { reason: 'again' } })).toBeRefused('event_not_found')
  const body = { step: 'origin', description: 'x', date: on(9), status: 'actual' as const, reason: 'r' }
  expect(await work('correctEvent', { params: event, body })).toBeRefused('event_not_found')
})

test('corrections and retractions need a reason', async () => {
  const { plan, say, tries, params } = await startTracking(service)
  await plan()
  await say('origin', 'Departure', 'planned', 8, { event_id: 'one' })
  const event = { ...params, event_id: 'one' }
  const body = { step: 'origin', description: 'x', date: on(9), status: 'actual' }
  expect(pointersOf(await tries('correctEvent', { params: event, body }))).toEqual(['/reason'])
  expect(pointersOf(await tries('retractEvent', { params: event }))).toEqual(['/reason'])
})

test('vessel positions are appended in the order of arrival, as decimals', async () => {
  const { plan, work, params, tracked } = await startTracking(service)
  await plan()
  const add = (latitude: number, longitude: number) =>
    work('addPosition', { params, body: { latitude, longitude, at: on(9), source: 'AIS' } })
  await add(29.9, 122.3)
  await add(0.0000001, -180)
  const third = await add(-34.25, 18)
  expect(third.status).toBe(201)
  expect((await tracked()).ocean_coordinates).toEqual([
    { latitude: '29.9', longitude: '122.3' },
    { latitude: '0.0000001', longitude: '-180' },
    { latitude: '-34.25', longitude: '18' },
  ])
  const history = (await work('getTrackingHistory', { params })).body
  expect(history.at(-1)).toMatchObject({
    kind: 'tracking_position',
    what: 'created',
    record: { latitude: '-34.25', at: on(9), source: 'AIS' },
  })
})

test('vessel positions can be added before there is a plan, and are kept when it is created', async () => {
  const { plan, work, params, tracked } = await startTracking(service)
  await work('addPosition', { params, body: { latitude: 1, longitude: 2 } })
  expect(await tracked()).toEqual({ ...params, ocean_coordinates: [{ latitude: '1', longitude: '2' }] })
  await plan()
  expect(await tracked()).toMatchObject({ status: 'pending', ocean_coordinates: [{ latitude: '1', longitude: '2' }] })
})

test.each([
  [{ latitude: 90.1, longitude: 0 }, ['/latitude']],
  [{ latitude: 0, longitude: -180.5 }, ['/longitude']],
  [{ latitude: '1', longitude: 0 }, ['/latitude']],
  [{ longitude: 0 }, ['/latitude']],
])('the position %j is refused', async (body, pointers) => {
  const { tries, params } = await startTracking(service)
  expect(pointersOf(await tries('addPosition', { params, body }))).toEqual(pointers)
})

test('tracking of an unknown shipment, or of one of another account, is refused with 404', async () => {
  const { work, plan, params } = await startTracking(service)
  await plan()
  const stranger = await startTracking(service)
  for (const each of [params, { svc_shipment_id: 'NONE' }]) {
    expect(await stranger.work('getTracking', { params: each })).toBeRefused('tracking_not_found')
    expect(await stranger.work('getTrackingHistory', { params: each })).toBeRefused('tracking_not_found')
    const body = { steps: [{ type: 'pickup' as const }] }
    expect(await stranger.work('planTracking', { params: each, body })).toBeRefused('shipment_not_found')
    const position = { latitude: 1, longitude: 1 }
    expect(await stranger.work('addPosition', { params: each, body: position })).toBeRefused('shipment_not_found')
  }
  expect((await work('getTracking', { params })).status).toBe(200)
})
