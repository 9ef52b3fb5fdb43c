import { expect, test } from 'vitest'
import type { ShipmentRecord } from '../../src/contract/public/shipment.js'
import type { TrackingEvent } from '../../src/contract/public/tracking.js'
import { type Line, newAccount, type TestAccount } from '../support/account.js'
import { containerNumber } from '../support/containers.js'
import { expectSameAfterRederivation } from '../support/rederivation.js'
import { startService } from '../support/service.js'
import { containers, on, startTracking } from '../support/tracking.js'

/** The progress of a shipment is that of its last container, including containers without events. */

const service = await startService()
const [first, second] = containers

test('a shipment is not delivered while one of its containers has no events', async () => {
  const { plan, say, status, dates } = await startTracking(service)
  await plan()
  await say('delivery', 'Delivered', 'actual', 22, { container_number: first })
  // Nothing is known of the second one, but that it is on its way with the first.
  const delivery_date = { date: on(22), status: 'estimated' }
  const arrival_date = delivery_date
  expect([await status(), await dates()]).toEqual(['in_transit', { arrival_date, delivery_date }])
  await say('destination', 'Vessel arrival', 'actual', 20)
  expect(await status()).toBe('arrived')
  expect(await dates()).toMatchObject({ arrival_date: { date: on(20), status: 'actual' }, delivery_date })
  await say('delivery', 'Delivered', 'actual', 24, { container_number: second })
  expect(await status()).toBe('delivered')
  expect((await dates())?.delivery_date).toEqual({ date: on(24), status: 'actual' })
})

test('a milestone is actual once it is for every container; until then the dates of the remaining containers count', async () => {
  const { plan, say, dates } = await startTracking(service)
  await plan()
  const arrival = async () => (await dates())?.arrival_date
  await say('destination', 'Arrival', 'planned', 5)
  await say('destination', 'Arrival', 'estimated', 7, { container_number: first })
  expect(await arrival()).toEqual({ date: on(7), status: 'estimated' })
  await say('destination', 'Arrival', 'actual', 6, { container_number: first })
  expect(await arrival()).toEqual({ date: on(5), status: 'planned' })
  await say('destination', 'Arrival', 'estimated', 16, { container_number: second })
  expect(await arrival()).toEqual({ date: on(16), status: 'estimated' })
  await say('destination', 'Held at the hub', 'problem', 17, { container_number: second })
  expect(await arrival()).toEqual({ date: on(16), status: 'problem' })
  await say('destination', 'Arrival', 'actual', 18, { container_number: second })
  expect(await arrival()).toEqual({ date: on(18), status: 'actual' })
})

test('for a container without events the expected dates of the others count, but not their problems', async () => {
  const { plan, say, dates } = await startTracking(service)
  await plan()
  await say('destination', 'Arrival', 'estimated', 7, { container_number: first })
  await say('destination', 'Rolled', 'problem', 8, { container_number: first })
  await say('destination', 'Arrival', 'actual', 9, { container_number: first })
  expect((await dates())?.arrival_date).toEqual({ date: on(7), status: 'estimated' })
})

test('a milestone may be explicit for one container and implied for another', async () => {
  const { plan, say, dates } = await startTracking(service)
  await plan()
  await say('destination', 'Vessel arrived', 'actual', 6, { container_number: first })
  expect((await dates())?.arrival_date).toEqual({ date: on(6), status: 'estimated' })
  await say('destination', 'Discharged', 'actual', 8, { container_number: second })
  expect((await dates())?.arrival_date).toEqual({ date: on(8), status: 'actual' })
})

test('a container that only events refer to counts as well', async () => {
  const account = await newAccount(service)
  await account.forwarder.imports(
    shipmentWith(),
    tracking(arrived('A', 6), { description: 'Arrival', container_number: 'B', date: on(16), status: 'estimated' }),
  )
  expect(await shown(account)).toEqual(['at_origin', { arrival_date: { date: on(16), status: 'estimated' } }])
})

test('adding a container changes the progress of a shipment, but not its past', async () => {
  const { plan, say, status, dates, work, params, lastChange, svc_shipment_id } = await startTracking(service)
  await plan()
  for (const container_number of containers) await say('destination', 'Arrived', 'actual', 6, { container_number })
  const arrival = {
    arrival_date: { date: on(6), status: 'actual' },
    departure_date: { date: on(6), status: 'estimated' },
  }
  expect([await status(), await dates()]).toEqual(['arrived', arrival])
  const as_of = await lastChange()

  const numbers = [...containers, containerNumber(103)]
  const body = { cargo: { containers: numbers.map((container_number) => ({ container_number })) } }
  const added = (await work('updateShipment', { params, body })).body
  const expected = {
    arrival_date: { date: on(6), status: 'estimated' },
    departure_date: { date: on(6), status: 'estimated' },
  }
  expect(added.shown?.main_tracking_dates).toEqual(expected)
  expect([await status(), await dates()]).toEqual(['in_transit', expected])

  const then = await work('getTracking', { params, query: { as_of } })
  expect(then.body.shown.status).toBe('arrived')
  const shipment = await work('getShipment', { params: { svc_shipment_id }, query: { as_of } })
  expect(shipment.body.shown?.main_tracking_dates).toEqual(arrival)

  const fewer = { cargo: { containers: containers.map((container_number) => ({ container_number })) } }
  await work('updateShipment', { params, body: fewer })
  expect([await status(), await dates()]).toEqual(['arrived', arrival])
})

test('operators and imports give the same result', async () => {
  const account = await startTracking(service)
  await account.plan()
  await account.say('origin', 'Departed', 'actual', 1)
  await account.say('destination', 'Arrived', 'actual', 6, { container_number: first })
  await expectSameAfterRederivation(service, account)
  expect(await account.status()).toBe('in_transit')
})

const shipmentWith = (...numbers: string[]): Line & { data: ShipmentRecord } => ({
  kind: 'shipment',
  data: { svc_shipment_id: 'S', cargo: { containers: numbers.map((container_number) => ({ container_number })) } },
})
const arrived = (container_number: string, day: number): TrackingEvent => ({
  description: 'Arrived',
  container_number,
  date: on(day),
  status: 'actual',
})
const tracking = (...events: TrackingEvent[]): Line => ({
  kind: 'tracking',
  data: { svc_shipment_id: 'S', tracking_steps: [{ id: 'port', type: 'destination_port', events }] },
})
const event = (container_number: string, day: number): Line => ({
  kind: 'tracking_event',
  data: {
    svc_shipment_id: 'S',
    event_id: container_number,
    sequence: day,
    step: 'port',
    ...arrived(container_number, day),
  },
})

async function shown({ call }: TestAccount) {
  const params = { svc_shipment_id: 'S' }
  const { status } = (await call('getTracking', { params })).body
  return [status, (await call('getShipment', { params })).body.main_tracking_dates]
}

const there = (day: number) => ['arrived', { arrival_date: { date: on(day), status: 'actual' } }]
// One has arrived, and nothing is known of the others.
const notYet = (day: number) => ['at_origin', { arrival_date: { date: on(day), status: 'estimated' } }]

test('an import uses the containers of the shipment, whatever the order of its lines', async () => {
  for (const lines of [
    [shipmentWith('A', 'B"\\\u0001é'), tracking(arrived('A', 6))],
    [tracking(arrived('A', 6)), shipmentWith('A', 'B"\\\u0001é')],
  ]) {
    const account = await newAccount(service)
    await account.forwarder.imports(...lines)
    expect(await shown(account)).toEqual(notYet(6))
    await account.forwarder.imports(tracking(arrived('A', 6), arrived('B"\\\u0001é', 7)))
    expect(await shown(account)).toEqual(there(7))
    await account.forwarder.imports(
      tracking(arrived('A', 6), { ...arrived('A', 8), description: 'B"\\\u0001é Arrived' }),
    )
    expect(await shown(account)).toEqual(notYet(6))
  }
})

test('importing only the shipment updates its tracking, with and without entries', async () => {
  for (const lines of [[tracking(arrived('A', 6))], [tracking(), event('A', 6)]]) {
    const account = await newAccount(service)
    await account.forwarder.imports(shipmentWith('A'), ...lines)
    expect(await shown(account)).toEqual(there(6))
    await account.forwarder.imports(shipmentWith('A', 'B'))
    expect(await shown(account)).toEqual(notYet(6))
    await account.forwarder.imports(event('B', 7))
    expect(await shown(account)).toEqual(there(7))
    await account.forwarder.imports(shipmentWith('A', 'B', 'C'))
    expect(await shown(account)).toEqual(notYet(7))
    await account.forwarder.imports(shipmentWith('B'))
    expect(await shown(account)).toEqual(there(7))
  }
})

test('importing the same lines again changes nothing', async () => {
  const account = await newAccount(service)
  const lines = [shipmentWith('A', 'B'), tracking(arrived('A', 6))]
  const logged = async () =>
    (await service.db<{ count: number }[]>`select count(*) from changes where account_id = ${account.id}`)[0]?.count
  await account.forwarder.imports(...lines)
  const before = await logged()
  await account.forwarder.imports(...lines)
  await account.forwarder.imports(tracking(arrived('A', 6)))
  expect(await logged()).toBe(before)
  expect(await shown(account)).toEqual(notYet(6))
})
