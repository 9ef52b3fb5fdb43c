import { expect, test } from 'vitest'
import type { StepType, TrackingEvent } from '../src/contract/tracking.js'
import { newAccount } from './support/account.js'
import { startService } from './support/service.js'

/** What a shipment's dates may say, as far as the words of its events go. */

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
])('at %s, "%s" does not say that it is done', async (type, description) => {
  expect(await datesAfter(type, { description, date: at(1), status: 'actual' })).toBeUndefined()
})

test('a gate-in that happened does not beat a departure that is expected', async () => {
  const dates = await datesAfter(
    'origin_port',
    { description: 'Gate in', date: at(1), status: 'actual' },
    { description: 'Loaded on vessel', date: at(2), status: 'actual' },
    { description: 'Vessel departure', date: at(3), status: 'estimated' },
  )
  expect(dates).toEqual({ departure_date: { date: at(3), status: 'estimated' } })
})

test('what comes with a milestone or after it stands for it where nothing else does', async () => {
  const loaded = await datesAfter('origin_port', { description: 'Loaded on vessel', date: at(2), status: 'actual' })
  expect(loaded).toEqual({ departure_date: { date: at(2), status: 'actual' } })
  const discharged = await datesAfter('destination_port', { description: 'Discharged', date: at(4), status: 'actual' })
  expect(discharged).toEqual({ arrival_date: { date: at(4), status: 'actual' } })
})

test('events without words count, the best of them first', async () => {
  const dates = await datesAfter(
    'delivery',
    { date: at(3), status: 'planned' },
    { date: at(1), status: 'actual' },
    { date: at(2), status: 'estimated' },
  )
  expect(dates).toEqual({ delivery_date: { date: at(1), status: 'actual' } })
})

test('what holds up a step shows as a problem until it is done', async () => {
  const held: TrackingEvent[] = [
    { description: 'Vessel departure', date: at(1), status: 'estimated' },
    { description: 'Rolled to the next vessel', date: at(2), status: 'problem' },
  ]
  expect(await datesAfter('origin_port', ...held)).toEqual({ departure_date: { date: at(2), status: 'problem' } })
  const done: TrackingEvent = { description: 'Vessel departed', date: at(5), status: 'actual' }
  expect(await datesAfter('origin_port', ...held, done)).toEqual({ departure_date: { date: at(5), status: 'actual' } })
})

test('the last word on a container counts, and the last container', async () => {
  const dates = await datesAfter(
    'delivery',
    { container_number: 'A', date: at(9), status: 'estimated' },
    { container_number: 'A', date: at(4), status: 'estimated' },
    { container_number: 'B', date: at(5), status: 'estimated' },
  )
  expect(dates).toEqual({ delivery_date: { date: at(5), status: 'estimated' } })
})
