import { expect, test } from 'vitest'
import type { EventCode } from '../../../src/contract/public/event-codes.js'
import { startService } from '../../support/service.js'
import { containers, on, startTracking } from '../../support/tracking.js'

/** Which container travels by which vessel. */

const service = await startService()
const [one, other] = containers
const [elbe, alster] = [
  { name: 'Elbe Horizon', voyage: '014W' },
  { name: 'Alster Star', imo: '9321483' },
]

async function start() {
  const tracking = await startTracking(service)
  await tracking.plan()
  const { work, params } = tracking
  let issued = 1
  const say = (step: string, code: EventCode, day: number, more: object = {}) => {
    issued += 1
    const event = { step, code, description: code, status: 'actual' as const, date: on(day), issued_at: on(issued) }
    return work('addEvent', { params, body: { ...event, ...more } })
  }
  const journey = async () => (await work('getTrackingJourney', { params })).body
  return { ...tracking, say, journey }
}

test('a container that is rolled travels by another vessel than the others', async () => {
  const { say, journey } = await start()
  await say('origin', 'DEPARTED', 20, { status: 'planned', vessel: elbe })
  expect((await journey()).legs).toEqual([
    {
      from: 'origin',
      to: 'hub',
      state: 'planned',
      containers: [one, other],
      vessel: elbe,
      departure: { date: on(20), status: 'planned' },
    },
  ])
  await say('origin', 'ROLLED', 4, { container_number: one })
  await say('origin', 'LOADED', 5, { container_number: other, vessel: elbe })
  await say('origin', 'LOADED', 6, { container_number: one, vessel: alster })
  await say('hub', 'DISCHARGED', 12, { container_number: other, vessel: elbe })
  const { legs } = await journey()
  expect(legs).toMatchObject([
    { state: 'done', containers: [other], vessel: { name: 'Elbe Horizon' }, arrival: { date: on(12) } },
    { state: 'active', containers: [one], vessel: alster },
  ])
})

test('a booking that was moved to another vessel supersedes the first', async () => {
  const { say, journey } = await start()
  await say('origin', 'DEPARTED', 20, { status: 'planned', vessel: elbe })
  await say('origin', 'DEPARTED', 24, { status: 'planned', vessel: alster })
  expect((await journey()).legs).toMatchObject([
    { state: 'planned', containers: [one, other], vessel: alster, departure: { date: on(24) } },
    { state: 'superseded', containers: [], vessel: elbe },
  ])
})

test('calls, also those that events have proposed, and replaced containers are part of the journey', async () => {
  const { journey, work, params, plan, tries } = await start()
  await plan()
  await work('replaceContainer', {
    params: { ...params, container_number: one },
    body: { container_number: 'TEMU0000029', reason: 'r' },
  })
  const { calls, legs, replaced_units } = await journey()
  expect(calls.map(({ id, proposed }) => [id, proposed])).toEqual(
    ['pickup', 'origin', 'hub', 'destination', 'delivery'].map((id) => [id, false]),
  )
  expect({ legs, replaced_units }).toEqual({
    legs: [],
    replaced_units: [{ container_number: one, replaced_by: 'TEMU0000029' }],
  })
  expect(await tries('getTrackingJourney', { params: { svc_shipment_id: 'none' } })).toBeRefused('tracking_not_found')
})
