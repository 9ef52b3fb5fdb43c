import { expect, test } from 'vitest'
import type { StepType, TrackingStepRecord } from '../../src/contract/public/tracking.js'
import { newAccount } from '../support/account.js'
import { startService } from '../support/service.js'

/** The dates of a shipment, derived from the codes of its events, which are recognised from their descriptions. */

const service = await startService()

type TrackingEvent = NonNullable<TrackingStepRecord['events']>[number]
type Events = Partial<Record<StepType, TrackingEvent[]>>
const steps: StepType[] = ['pickup', 'origin_port', 'transshipment_port', 'destination_port', 'delivery']

/** The dates of a shipment with these events along its journey, which ends at the last step that is named. */
async function datesOf(events: Events, initial_dates: Record<string, string> = {}) {
  const { call, forwarder } = await newAccount(service)
  const tracking_steps = steps.map((type) => ({ type, events: events[type] ?? [] }))
  await forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'S' } },
    { kind: 'tracking', data: { svc_shipment_id: 'S', tracking_steps, initial_dates } },
  )
  return (await call('getShipment', { params: { svc_shipment_id: 'S' } })).body.main_tracking_dates
}

const datesAfter = (type: StepType, ...events: TrackingEvent[]) => datesOf({ [type]: events })

const at = (day: number) => `2026-03-0${day}T10:00:00+08:00`

test.each<[StepType, string]>([
  ['pickup', 'Empty container released'],
  ['origin_port', 'Gate in at terminal'],
  ['origin_port', 'Customs cleared for export'],
  ['delivery', 'Out for delivery'],
  ['delivery', 'Delivery appointment confirmed'],
])('at the step %s, the event "%s" is not the milestone', async (type, description) => {
  expect(await datesAfter(type, { description, date: at(1), status: 'actual' })).toBeUndefined()
})

test('an actual gate-in does not take precedence over an expected departure', async () => {
  const dates = await datesAfter(
    'origin_port',
    { description: 'Gate in', date: at(1), status: 'actual' },
    { description: 'Loaded on vessel', date: at(2), status: 'actual' },
    { description: 'Vessel departure', date: at(3), status: 'estimated' },
  )
  expect(dates).toEqual({ departure_date: { date: at(3), status: 'estimated' } })
})

test('a container that is loaded has an estimated departure, not an actual one', async () => {
  const loaded = await datesAfter('origin_port', { description: 'Loaded on vessel', date: at(2), status: 'actual' })
  expect(loaded).toEqual({ departure_date: { date: at(2), status: 'estimated' } })
})

test('the discharge counts as arrival only without an arrival', async () => {
  const discharged: TrackingEvent = { description: 'Discharged', date: at(6), status: 'actual' }
  const arrived: TrackingEvent = { description: 'Vessel arrived', date: at(5), status: 'actual' }
  const arrivalOf = async (...events: TrackingEvent[]) =>
    (await datesAfter('destination_port', ...events))?.arrival_date
  expect(await arrivalOf(discharged)).toEqual({ date: at(6), status: 'actual' })
  expect(await arrivalOf(discharged, arrived)).toEqual({ date: at(5), status: 'actual' })
})

test('the first arrival stands, whatever is reported later', async () => {
  const arrival = (day: number): TrackingEvent => ({ description: 'Vessel arrived', date: at(day), status: 'actual' })
  expect((await datesAfter('destination_port', arrival(5), arrival(7)))?.arrival_date?.date).toBe(at(5))
})

test('of a list without times of issue the earliest arrival counts, whatever its order', async () => {
  const arrival = (day: number): TrackingEvent => ({ description: 'Vessel arrived', date: at(day), status: 'actual' })
  expect((await datesAfter('destination_port', arrival(7), arrival(5)))?.arrival_date?.date).toBe(at(5))
})

test.each([
  'Customs hold',
  'Customs released',
  'Carrier release',
  'Available for delivery',
  'Freight charges settled',
  'Quantum flux observed',
])('the event "%s" at the port of destination is no arrival', async (description) => {
  const expected: TrackingEvent = { description: 'Vessel arrival', date: at(8), status: 'estimated' }
  const dates = await datesAfter('destination_port', expected, { description, date: at(4), status: 'actual' })
  expect(dates?.arrival_date?.date).toBe(at(8))
  expect(dates?.arrival_date?.status).not.toBe('actual')
})

test('an estimated arrival is not actual, whatever its status says', async () => {
  const dates = await datesAfter('destination_port', {
    description: 'Estimated arrival',
    date: at(8),
    status: 'actual',
  })
  expect(dates?.arrival_date).toEqual({ date: at(8), status: 'estimated' })
})

test('a shipment that is seen at a later port has left the first one', async () => {
  const dates = await datesOf({
    origin_port: [{ description: 'Vessel departure', date: at(2), status: 'planned' }],
    transshipment_port: [{ description: 'Discharged', date: at(5), status: 'actual' }],
  })
  expect(dates?.departure_date).toEqual({ date: at(2), status: 'estimated' })
})

test('an expected delivery is not before the arrival and the time that was planned after it', async () => {
  const dates = await datesOf(
    {
      destination_port: [{ description: 'Vessel arrival', date: at(6), status: 'estimated' }],
      delivery: [{ description: 'Delivery', date: at(5), status: 'planned' }],
    },
    { eta: at(3), delivery: at(5) },
  )
  expect(dates?.delivery_date).toEqual({ date: at(8), status: 'planned' })
})

test('a returned empty container makes the delivery certain, not its date', async () => {
  const dates = await datesOf({
    delivery: [
      { description: 'Delivery', date: at(5), status: 'planned' },
      { description: 'Empty container returned', date: at(9), status: 'actual' },
    ],
  })
  expect(dates?.delivery_date).toEqual({ date: at(5), status: 'estimated' })
})

test('events without a description count, actual before estimated before planned', async () => {
  const dates = await datesAfter(
    'delivery',
    { date: at(3), status: 'planned' },
    { date: at(1), status: 'actual' },
    { date: at(2), status: 'estimated' },
  )
  expect(dates?.delivery_date).toEqual({ date: at(1), status: 'actual' })
  // What is delivered had arrived.
  expect(dates?.arrival_date).toEqual({ date: at(1), status: 'estimated' })
})

test('a problem is shown with the expected date, until there is a newer one or the milestone is actual', async () => {
  const held: TrackingEvent[] = [
    { description: 'Vessel departure', date: at(1), status: 'estimated' },
    { description: 'Rolled to the next vessel', date: at(2), status: 'problem' },
  ]
  expect(await datesAfter('origin_port', ...held)).toEqual({ departure_date: { date: at(1), status: 'problem' } })
  const next: TrackingEvent = { description: 'Vessel departure', date: at(4), status: 'estimated' }
  expect(await datesAfter('origin_port', ...held, next)).toEqual({
    departure_date: { date: at(4), status: 'estimated' },
  })
  const done: TrackingEvent = { description: 'Vessel departed', date: at(5), status: 'actual' }
  expect(await datesAfter('origin_port', ...held, done)).toEqual({ departure_date: { date: at(5), status: 'actual' } })
})

test('a customs hold after the arrival concerns the delivery, until the release', async () => {
  const events: Events = {
    destination_port: [
      { description: 'Vessel arrived', date: at(3), status: 'actual' },
      { description: 'Customs hold', date: at(4), status: 'actual' },
    ],
    delivery: [{ description: 'Delivery', date: at(6), status: 'planned' }],
  }
  const arrival_date = { date: at(3), status: 'actual' }
  expect(await datesOf(events)).toMatchObject({ arrival_date, delivery_date: { date: at(6), status: 'problem' } })
  events.destination_port?.push({ description: 'Customs released', date: at(5), status: 'actual' })
  expect((await datesOf(events))?.delivery_date).toEqual({ date: at(6), status: 'planned' })
})

test('a release ends the hold of its own authority, and one that names none ends all', async () => {
  const held: Events = {
    destination_port: [
      { description: 'Vessel arrival', date: at(9), status: 'estimated' },
      { description: 'CBP customs hold', date: at(4), status: 'actual' },
      { description: 'USDA customs hold', date: at(5), status: 'actual' },
      { description: 'USDA customs hold released', date: at(6), status: 'actual' },
    ],
  }
  expect((await datesOf(held))?.arrival_date).toEqual({ date: at(9), status: 'problem' })
  held.destination_port?.push({ description: 'Customs released', date: at(7), status: 'actual' })
  expect((await datesOf(held))?.arrival_date).toEqual({ date: at(9), status: 'estimated' })
})

test('customs release what they have reported as held by the code of an authority', async () => {
  const customs = { source: 'US-CUSTOMS', party: 'customs' as const }
  const held: Events = {
    destination_port: [
      { description: 'Vessel arrival', date: at(9), status: 'estimated' },
      { code: 'CUSTOMS_HOLD', source_code: 'PA', date: at(4), status: 'actual', ...customs },
    ],
  }
  expect((await datesOf(held))?.arrival_date).toEqual({ date: at(9), status: 'problem' })
  held.destination_port?.push({ code: 'CUSTOMS_RELEASED', date: at(6), status: 'actual', ...customs })
  expect((await datesOf(held))?.arrival_date).toEqual({ date: at(9), status: 'estimated' })
})

test('what happened is in the order of its dates, not of a list without times of issue', async () => {
  const held: Events = {
    destination_port: [
      { description: 'Vessel arrival', date: at(9), status: 'estimated' },
      { description: 'Customs released', date: at(7), status: 'actual' },
      { description: 'Customs hold', date: at(5), status: 'actual' },
    ],
  }
  expect((await datesOf(held))?.arrival_date).toEqual({ date: at(9), status: 'estimated' })
  const rolled = await datesAfter(
    'origin_port',
    { description: 'Loaded on vessel', date: at(8), status: 'actual' },
    { description: 'Rolled to the next vessel', date: at(3), status: 'actual' },
  )
  expect(rolled).toEqual({ departure_date: { date: at(8), status: 'estimated' } })
})

test('the latest event of a container counts, and the last container', async () => {
  const dates = await datesAfter(
    'delivery',
    { container_number: 'A', date: at(9), status: 'estimated' },
    { container_number: 'A', date: at(4), status: 'estimated' },
    { container_number: 'B', date: at(5), status: 'estimated' },
  )
  expect(dates).toEqual({ delivery_date: { date: at(5), status: 'estimated' } })
})
