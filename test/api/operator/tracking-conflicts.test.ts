import { expect, test } from 'vitest'
import type { OperatorBody } from '../../../src/contract/operator/operations.js'
import { newAccount } from '../../support/account.js'
import { newOperator } from '../../support/operator.js'
import { startService } from '../../support/service.js'

const service = await startService()

const steps: NonNullable<OperatorBody<'planTracking'>>['steps'] = [
  { id: 'origin', type: 'origin_port', port: { unlocode: 'CN/NGB' } },
  { id: 'destination', type: 'destination_port', port: { unlocode: 'DE/HAM' } },
]

async function aPlannedShipment() {
  const { ops } = await newOperator(service)
  const { slug } = await newAccount(service)
  const { body } = await ops('createShipment', slug, { body: { status: 'booked' } })
  const params = { svc_shipment_id: body.id }
  const planned = await ops('planTracking', slug, { params, body: { steps } })
  return { ops, slug, params, planned: planned.body }
}

test('a plan or a pin that is based on an earlier revision of the tracking is refused, and changes nothing', async () => {
  const { ops, slug, params, planned } = await aPlannedShipment()
  const hub = { id: 'hub', type: 'transshipment_port' as const, port: { unlocode: 'SG/SIN' } }
  const second = await ops('planTracking', slug, {
    params,
    query: { revision: planned.revision },
    body: { steps: steps.toSpliced(1, 0, hub) },
  })
  expect(second.status).toBe(200)
  const query = { revision: planned.revision }
  expect(await ops('planTracking', slug, { params, query, body: { steps } })).toBeRefused('tracking_changed')
  const pin = { date: '2026-03-09T08:00:00+08:00', reason: 'Promised' }
  const milestone = { ...params, milestone: 'arrival_date' as const }
  expect(await ops('pinDate', slug, { params: milestone, query, body: pin })).toBeRefused('tracking_changed')
  const { body } = await ops('getTracking', slug, { params })
  expect(body.steps.map(({ id }) => id)).toEqual(['origin', 'hub', 'destination'])
  expect(body.pins).toBeUndefined()
})

test('a correction or retraction that is based on an earlier revision of the event is refused', async () => {
  const { ops, slug, params } = await aPlannedShipment()
  const event = {
    step: 'origin',
    code: 'DEPARTED' as const,
    description: 'Vessel departed',
    status: 'planned' as const,
    date: '2026-03-09T08:00:00+08:00',
  }
  await ops('addEvent', slug, { params, body: { ...event, event_id: 'one' } })
  const find = async () =>
    (await ops('getTracking', slug, { params })).body.steps[0]?.events.find(({ event_id }) => event_id === 'one')
  const query = { revision: (await find())?.revision as number }
  const one = { ...params, event_id: 'one' }
  // Other events do not matter.
  await ops('addEvent', slug, { params, body: { ...event, description: 'Loaded', code: 'LOADED' } })
  const body = { ...event, date: '2026-03-10T08:00:00+08:00', reason: 'Later' }
  expect((await ops('correctEvent', slug, { params: one, query, body })).status).toBe(200)
  expect(await ops('correctEvent', slug, { params: one, query, body })).toBeRefused('event_changed')
  expect(await ops('retractEvent', slug, { params: one, query: { reason: 'Wrong', ...query } })).toBeRefused(
    'event_changed',
  )
  expect((await find())?.date).toBe('2026-03-10T08:00:00+08:00')
})

test('steps have the time zones of their places, and doors that of the port beside them', async () => {
  const { ops, slug, params } = await aPlannedShipment()
  await ops('createLocation', slug, { body: { id: 1, name: 'Works', city: 'Ningbo', country: 'CN' } })
  await ops('createLocation', slug, { body: { id: 2, name: 'Shop' } })
  const doors = [
    { id: 'pickup', type: 'pickup' as const, location_id: 1 },
    ...steps,
    { id: 'delivery', type: 'delivery' as const, location_id: 2 },
  ]
  const { body } = await ops('planTracking', slug, { params, body: { steps: doors } })
  expect(body.steps.map(({ time_zone }) => time_zone)).toEqual([
    'Asia/Shanghai',
    'Asia/Shanghai',
    'Europe/Berlin',
    'Europe/Berlin',
  ])
})
