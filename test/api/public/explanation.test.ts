import { expect, test } from 'vitest'
import type { StepType, TrackingRecord } from '../../../src/contract/public/tracking.js'
import { newAccount } from '../../support/account.js'
import { newOperator } from '../../support/operator.js'
import { startService } from '../../support/service.js'

/** Why a shipment shows the dates that it does. */

const service = await startService()

type Event = NonNullable<NonNullable<TrackingRecord['tracking_steps']>[number]['events']>[number]
type Events = Partial<Record<StepType, Event[]>>
const steps: StepType[] = ['pickup', 'origin_port', 'destination_port', 'delivery']
const at = (day: number) => `2026-04-${String(day).padStart(2, '0')}T10:00:00+02:00`
const issued = (day: number) => `2026-04-${String(day).padStart(2, '0')}T07:12:00Z`
const params = { svc_shipment_id: 'S' }

async function tracked(events: Events, data: object = {}) {
  const account = await newAccount(service)
  const tracking_steps = steps.map((type) => ({ type, port: { unlocode: 'FR/LEH' }, events: events[type] ?? [] }))
  const imports = (changed: Events = {}) =>
    account.forwarder.imports(
      { kind: 'shipment', data: { ...params, ...data } },
      {
        kind: 'tracking',
        data: {
          ...params,
          tracking_steps: tracking_steps.map((step) => ({ ...step, events: changed[step.type] ?? step.events })),
        },
      },
    )
  await imports()
  const explain = async (milestone: string, query: { as_of?: string } = {}) => {
    const { body } = await account.call('explainTracking', { params, query })
    return body.milestones.find((each) => each.milestone === milestone)
  }
  return { ...account, explain, imports }
}

const arrival = (event: Event): Event => ({ description: 'Vessel arrival', ...event })

test('an estimate names who reported it and when, what it replaces, and the unit that has arrived', async () => {
  const { explain, call } = await tracked({
    destination_port: [
      arrival({
        date: at(16),
        status: 'estimated',
        container_number: 'MSKU1234565',
        issued_at: issued(2),
        source: 'Maersk',
      }),
      arrival({
        date: at(21),
        status: 'estimated',
        container_number: 'MSKU1234565',
        issued_at: issued(10),
        source: 'Maersk',
      }),
      arrival({
        date: at(18),
        status: 'actual',
        container_number: 'MSKU7654321',
        issued_at: issued(18),
        source: 'Maersk',
      }),
    ],
  })
  const explained = await explain('arrival_date')
  expect(explained).toMatchObject({
    date: { date: at(21), status: 'estimated' },
    rule: 'expected',
    event: {
      code: 'ARRIVED',
      source: 'Maersk',
      issued_at: issued(10),
      place: 'FR/LEH',
      container_number: 'MSKU1234565',
    },
    sentence:
      'Estimated for 21 Apr 2026: "Vessel arrival" of MSKU1234565, from Maersk, said on 10 Apr 2026; it replaces 16 Apr 2026. That has passed, and nothing reports that it happened. 1 of 2 containers have done so already.',
    changed_by: 'A newer date, or that it happens.',
    units: [
      { container_number: 'MSKU1234565', date: at(21), status: 'estimated' },
      { container_number: 'MSKU7654321', date: at(18), status: 'actual' },
    ],
  })
  expect(explained?.other_events.map(({ event, reason }) => [event.date, reason])).toEqual([
    [at(18), 'other_unit'],
    [at(16), 'replaced'],
  ])
  const { body } = await call('getShipment', { params })
  expect(body.main_tracking_dates?.arrival_date).toEqual(explained?.date)
})

test('events that do not decide say why', async () => {
  const { explain } = await tracked({
    destination_port: [
      arrival({ date: at(1), status: 'planned' }),
      arrival({ date: at(5), status: 'actual' }),
      arrival({ date: at(7), status: 'actual' }),
      { description: 'Discharged', date: at(6), status: 'actual' },
      { description: 'Something unknown', date: at(8), status: 'actual' },
    ],
  })
  const explained = await explain('arrival_date')
  expect(explained).toMatchObject({
    rule: 'happened',
    sentence: 'Arrived on 5 Apr 2026: "Vessel arrival". Another report says 7 Apr 2026.',
  })
  expect(Object.fromEntries(explained?.other_events.map(({ event, reason }) => [event.date, reason]) ?? [])).toEqual({
    [at(1)]: 'happened',
    [at(6)]: 'weaker',
    [at(7)]: 'first_stands',
    [at(8)]: 'not_recognised',
  })
})

test('a problem, an implied departure and a moved date are explained', async () => {
  const { explain } = await tracked({
    origin_port: [{ description: 'Vessel departure', date: at(1), status: 'planned', issued_at: issued(1) }],
    destination_port: [arrival({ date: at(20), status: 'actual', issued_at: issued(20) })],
    delivery: [
      { description: 'Delivered', date: at(15), status: 'estimated', issued_at: issued(3) },
      { description: 'Delivery failed', date: at(21), status: 'actual', issued_at: issued(21) },
    ],
  })
  expect(await explain('departure_date')).toMatchObject({
    date: { status: 'estimated' },
    implied_by: { code: 'ARRIVED' },
    sentence:
      'Estimated for 1 Apr 2026: "Vessel departure", said on 1 Apr 2026. It must have happened, since there is "Vessel arrival".',
  })
  expect(await explain('delivery_date')).toMatchObject({
    date: { date: at(20), status: 'problem' },
    problem: { code: 'DELIVERY_FAILED' },
    moved_from: at(15),
    sentence:
      'Problem: Delivery failed. Last expected on 20 Apr 2026: "Delivered", said on 3 Apr 2026. Moved from 15 Apr 2026, since it cannot be before the arrival.',
  })
})

test('a departure that only follows from the loading is explained as that, also of a single container', async () => {
  const { explain } = await tracked({
    origin_port: [{ description: 'Loaded on vessel', date: at(2), status: 'actual', container_number: 'MSKU1234565' }],
  })
  expect(await explain('departure_date')).toMatchObject({
    date: { date: at(2), status: 'estimated' },
    rule: 'implied',
    event: { code: 'LOADED' },
    sentence:
      'Estimated for 2 Apr 2026: nothing nearer is known than "Loaded on vessel" of MSKU1234565. It is on board, since there is "Loaded on vessel".',
  })
})

test('a hold sets no date: where none is expected, the problem has none', async () => {
  const { explain, call } = await tracked({
    origin_port: [{ description: 'Vessel departed', date: at(2), status: 'actual' }],
    destination_port: [{ description: 'Customs hold', date: at(5), status: 'actual' }],
  })
  const { body } = await call('getShipment', { params })
  expect(body.main_tracking_dates).toEqual({ departure_date: { date: at(2), status: 'actual' } })
  expect(await explain('arrival_date')).toEqual({
    milestone: 'arrival_date',
    problem: expect.objectContaining({ code: 'CUSTOMS_HOLD' }) as object,
    sentence: 'Problem: Customs hold. No date is known.',
    changed_by: 'The end of the problem, a newer date, or that it happens.',
    units: [{ status: 'problem' }],
    other_events: [],
  })
})

test('a date that came with the shipment is explained as that', async () => {
  const { explain } = await tracked({}, { main_tracking_dates: { arrival_date: { date: at(9), status: 'planned' } } })
  expect(await explain('arrival_date')).toMatchObject({
    rule: 'given',
    sentence: 'Planned for 9 Apr 2026: given with the shipment. That has passed, and nothing reports that it happened.',
    stale: true,
  })
})

test('as_of explains what was known then, to customers and operators alike', async () => {
  const { explain, imports, slug } = await tracked({
    destination_port: [arrival({ date: at(9), status: 'estimated' })],
  })
  const then = new Date().toISOString()
  await imports({ destination_port: [arrival({ date: at(11), status: 'actual' })] })
  expect(await explain('arrival_date')).toMatchObject({ date: { date: at(11), status: 'actual' } })
  expect(await explain('arrival_date', { as_of: then })).toMatchObject({ date: { date: at(9), status: 'estimated' } })
  const { ops } = await newOperator(service, 'viewer')
  const { body } = await ops('explainTracking', slug, { params, query: { as_of: then } })
  expect(body.milestones).toMatchObject([{ milestone: 'arrival_date', date: { date: at(9) } }])
  const before = { params, query: { as_of: '2020-01-01T00:00:00Z' } }
  expect(await ops('explainTracking', slug, before)).toBeRefused('version_not_found')
})

test('the ETag changes with a container of which nothing is known, although the tracking does not', async () => {
  const { call, forwarder } = await tracked({ destination_port: [arrival({ date: at(9), status: 'actual' })] })
  const first = await call('explainTracking', { params })
  const cargo = { containers: [{ container_number: 'MSKU1234565' }] }
  await forwarder.imports({ kind: 'shipment', data: { ...params, cargo } })
  const second = await call('explainTracking', { params })
  const arrived = second.body.milestones.find(({ milestone }) => milestone === 'arrival_date')
  expect(arrived?.units).toEqual([{ container_number: 'MSKU1234565', date: at(9), status: 'actual' }])
  expect(second.headers.get('etag')).not.toBe(first.headers.get('etag'))
})

test('a shipment without tracking has no explanation', async () => {
  const { call, forwarder } = await newAccount(service)
  await forwarder.imports({ kind: 'shipment', data: params })
  expect(await call('explainTracking', { params })).toBeRefused('tracking_not_found')
  expect(await call('explainTracking', { params, query: { as_of: 'yesterday' } })).toBeRefused('invalid_request')
})

test('a date that has not come yet is not stale, and neither was a past one on a day before it', async () => {
  const nextWeek = new Date(Date.now() + 7 * 86_400_000).toISOString()
  const future = await tracked({ destination_port: [arrival({ date: nextWeek, status: 'estimated' })] })
  expect(await future.explain('arrival_date')).not.toHaveProperty('stale')
  const past = await tracked({ destination_port: [arrival({ date: at(16), status: 'estimated' })] })
  expect(await past.explain('arrival_date')).toMatchObject({ stale: true })
})
