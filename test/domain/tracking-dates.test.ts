import { expect, test } from 'vitest'
import type { StepType, TrackingEvent } from '../../src/contract/public/tracking.js'
import { newAccount } from '../support/account.js'
import { startService } from '../support/service.js'

/** The dates of a shipment, derived from the descriptions of its events. */

const service = await startService()

async function datesAfter(type: StepType, ...events: TrackingEvent[]) {
  const { call, forwarder } = await newAccount(service)
  await forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'S' } },
    { kind: 'tracking', data: { svc_shipment_id: 'S', tracking_steps: [{ type, events }] } },
  )
  return (await call('getShipment', { params: { svc_shipment_id: 'S' } })).body.main_tracking_dates
}

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

test('events with or after a milestone imply it if there is no explicit event', async () => {
  const loaded = await datesAfter('origin_port', { description: 'Loaded on vessel', date: at(2), status: 'actual' })
  expect(loaded).toEqual({ departure_date: { date: at(2), status: 'actual' } })
  const discharged = await datesAfter('destination_port', { description: 'Discharged', date: at(4), status: 'actual' })
  expect(discharged).toEqual({ arrival_date: { date: at(4), status: 'actual' } })
})

test('events without a description count, actual before estimated before planned', async () => {
  const dates = await datesAfter(
    'delivery',
    { date: at(3), status: 'planned' },
    { date: at(1), status: 'actual' },
    { date: at(2), status: 'estimated' },
  )
  expect(dates).toEqual({ delivery_date: { date: at(1), status: 'actual' } })
})

test('a problem at a step is shown until the milestone is actual', async () => {
  const held: TrackingEvent[] = [
    { description: 'Vessel departure', date: at(1), status: 'estimated' },
    { description: 'Rolled to the next vessel', date: at(2), status: 'problem' },
  ]
  expect(await datesAfter('origin_port', ...held)).toEqual({ departure_date: { date: at(2), status: 'problem' } })
  const done: TrackingEvent = { description: 'Vessel departed', date: at(5), status: 'actual' }
  expect(await datesAfter('origin_port', ...held, done)).toEqual({ departure_date: { date: at(5), status: 'actual' } })
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
