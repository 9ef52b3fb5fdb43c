import { expect, test } from 'vitest'
import type { ExceptionKind } from '../../../src/contract/public/exception.js'
import type { FreeTimeClock } from '../../../src/contract/public/free-time.js'
import { evaluateShipment } from '../../../src/domain/exceptions/shipment-rules.js'
import { actual, expected, factsAt, found, type Given, rules } from '../../support/exception-facts.js'

/** Each rule at the boundary of its time: what holds now, and when it is evaluated next. */

const departed = { origin: [actual('DEPARTED', '2026-03-02T00:00:00Z')] }
const box = 'TGHU7599330'
const boxed = { cargo: { containers: [{ container_number: box }] } }

type Case = [name: string, kind: ExceptionKind, given: Given, times: { before: string; at: string }]

/** Conditions that time brings about: not a second before, and from then on. */
const byTime: Case[] = [
  [
    'an undelivered shipment is late from the day after the desired one',
    'late',
    { shipment: { desired_delivery_date: '2026-04-03' }, events: departed },
    { before: '2026-04-03T23:59:59Z', at: '2026-04-04T00:00:00Z' },
  ],
  [
    'an arrival is overdue 24 hours after its expected date',
    'milestone_overdue',
    { events: { ...departed, destination: [expected('ARRIVED', '2026-04-01T10:00:00Z')] } },
    { before: '2026-04-02T09:59:59Z', at: '2026-04-02T10:00:00Z' },
  ],
  [
    'an arrival by air is overdue after 6 hours',
    'milestone_overdue',
    {
      shipment: { freight_mode: 'air' },
      events: { ...departed, destination: [expected('ARRIVED', '2026-04-01T10:00:00Z')] },
    },
    { before: '2026-04-01T15:59:59Z', at: '2026-04-01T16:00:00Z' },
  ],
  [
    'a container at the port is left behind 12 hours after its vessel',
    'rolled',
    {
      shipment: boxed,
      events: { origin: [actual('GATE_IN', '2026-03-01T00:00:00Z', { container_number: box }), ...departed.origin] },
    },
    { before: '2026-03-02T11:59:59Z', at: '2026-03-02T12:00:00Z' },
  ],
  [
    'a container dwells 5 days after its discharge',
    'dwell',
    { events: { ...departed, destination: [actual('DISCHARGED', '2026-04-01T00:00:00Z')] } },
    { before: '2026-04-05T23:59:59Z', at: '2026-04-06T00:00:00Z' },
  ],
  [
    'a container dwells 7 days at a transshipment',
    'dwell',
    {
      places: ['origin', 'hub', 'destination'],
      events: { ...departed, hub: [actual('DISCHARGED', '2026-03-12T00:00:00Z')] },
    },
    { before: '2026-03-18T23:59:59Z', at: '2026-03-19T00:00:00Z' },
  ],
  [
    'nothing was reported for 5 days',
    'no_news',
    { events: departed },
    { before: '2026-03-06T23:59:59Z', at: '2026-03-07T00:00:00Z' },
  ],
  [
    'the proof of delivery is missing 2 days after the delivery',
    'missing_document',
    {
      shipment: { status: 'finished' },
      events: { ...departed, door: [actual('DELIVERED', '2026-04-03T00:00:00Z')] },
    },
    { before: '2026-04-04T23:59:59Z', at: '2026-04-05T00:00:00Z' },
  ],
  [
    'a finished shipment has no invoice 7 days after its delivery',
    'unbilled',
    {
      shipment: { status: 'finished' },
      events: { ...departed, door: [actual('DELIVERED', '2026-04-03T00:00:00Z')] },
      isBilled: false,
    },
    { before: '2026-04-09T23:59:59Z', at: '2026-04-10T00:00:00Z' },
  ],
]

test.each(byTime)('%s', (_name, kind, given, { before, at }) => {
  expect(found(kind, before, given)).toEqual([])
  // The rule says itself when to look again.
  expect(evaluateShipment(factsAt(before, given), rules).checks).toContain(Date.parse(at))
  expect(found(kind, at, given)).toHaveLength(1)
})

const now = '2026-03-10T00:00:00Z'
const held = actual('CUSTOMS_HOLD', '2026-03-05T00:00:00Z', { container_number: box })

const gatedIn = { origin: [actual('GATE_IN', '2026-02-28T00:00:00Z', { container_number: box })] }

/** Conditions that events bring about, and end. */
const byEvents: [name: string, kind: ExceptionKind, given: Given, count: number][] = [
  ['a hold', 'hold', { shipment: boxed, events: { destination: [held] } }, 1],
  [
    'a hold that was released',
    'hold',
    { shipment: boxed, events: { destination: [held, actual('CUSTOMS_RELEASED', '2026-03-06T00:00:00Z')] } },
    0,
  ],
  [
    'a hold of one container while another is released',
    'hold',
    {
      shipment: boxed,
      events: {
        destination: [held, actual('CUSTOMS_RELEASED', '2026-03-06T00:00:00Z', { container_number: 'MSKU7031415' })],
      },
    },
    1,
  ],
  [
    'a hold of an authority that has not released it, while another one has released its own',
    'hold',
    {
      shipment: boxed,
      events: {
        destination: [
          { ...held, description: 'CBP hold' },
          actual('CUSTOMS_HOLD', '2026-03-06T00:00:00Z', { container_number: box, description: 'USDA hold' }),
          actual('CUSTOMS_RELEASED', '2026-03-07T00:00:00Z', { container_number: box, description: 'USDA released' }),
        ],
      },
    },
    1,
  ],
  [
    'a hold, and the container has left the port',
    'hold',
    {
      shipment: boxed,
      events: { destination: [held, actual('GATE_OUT', '2026-03-06T00:00:00Z', { container_number: box })] },
    },
    0,
  ],
  [
    'a hold of a bill of lading whose containers have events of their own',
    'hold',
    { shipment: boxed, events: { ...gatedIn, destination: [actual('CUSTOMS_HOLD', '2026-03-05T00:00:00Z')] } },
    1,
  ],
  [
    'a hold of a bill of lading, and its container has left the port',
    'hold',
    {
      shipment: boxed,
      events: {
        ...gatedIn,
        destination: [
          actual('CUSTOMS_HOLD', '2026-03-05T00:00:00Z'),
          actual('GATE_OUT', '2026-03-06T00:00:00Z', { container_number: box }),
        ],
      },
    },
    0,
  ],
  [
    'a rolled bill of lading whose containers have events of their own',
    'rolled',
    { shipment: boxed, events: { origin: [...gatedIn.origin, actual('ROLLED', '2026-03-02T00:00:00Z')] } },
    1,
  ],
  [
    'a rolled bill of lading whose container was loaded since',
    'rolled',
    {
      shipment: boxed,
      events: {
        origin: [
          ...gatedIn.origin,
          actual('ROLLED', '2026-03-02T00:00:00Z'),
          actual('LOADED', '2026-03-04T00:00:00Z', { container_number: box }),
        ],
      },
    },
    0,
  ],
  ['a rolled shipment', 'rolled', { events: { origin: [actual('ROLLED', '2026-03-02T00:00:00Z')] } }, 1],
  [
    'a rolled shipment that was loaded again',
    'rolled',
    { events: { origin: [actual('ROLLED', '2026-03-02T00:00:00Z'), actual('LOADED', '2026-03-08T00:00:00Z')] } },
    0,
  ],
  [
    'another vessel that leaves later',
    'rolled',
    {
      events: {
        origin: [
          expected('DEPARTED', '2026-03-12T00:00:00Z', { vessel: { name: 'Elbe' } }),
          expected('DEPARTED', '2026-03-19T00:00:00Z', {
            vessel: { name: 'Weser' },
            issued_at: '2026-03-05T00:00:00Z',
          }),
        ],
      },
    },
    1,
  ],
  [
    'a connection of 23 hours',
    'missed_connection',
    {
      places: ['origin', 'hub', 'destination'],
      events: {
        ...departed,
        hub: [expected('ARRIVED', '2026-03-20T00:00:00Z'), expected('DEPARTED', '2026-03-20T23:00:00Z')],
      },
    },
    1,
  ],
  [
    'a connection of 24 hours',
    'missed_connection',
    {
      places: ['origin', 'hub', 'destination'],
      events: {
        ...departed,
        hub: [expected('ARRIVED', '2026-03-20T00:00:00Z'), expected('DEPARTED', '2026-03-21T00:00:00Z')],
      },
    },
    0,
  ],
  [
    'departures 13 hours apart',
    'conflict',
    {
      events: {
        origin: [
          actual('DEPARTED', '2026-03-02T00:00:00Z', { source: 'A' }),
          actual('DEPARTED', '2026-03-02T13:00:00Z', { source: 'B' }),
        ],
      },
    },
    1,
  ],
  [
    'departures 13 hours apart of which one is pinned',
    'conflict',
    {
      events: {
        origin: [
          actual('DEPARTED', '2026-03-02T00:00:00Z', { source: 'A' }),
          actual('DEPARTED', '2026-03-02T13:00:00Z', { source: 'B' }),
        ],
      },
      pins: { departure_date: { date: '2026-03-02T00:00:00Z', reason: 'r', pinned_at: now } },
    },
    0,
  ],
  ['documents at the departure', 'missing_document', { events: departed }, 3],
  [
    'documents at the departure, one of which is waived',
    'missing_document',
    { events: departed, waived: ['packing_list'] },
    2,
  ],
  ['a draft', 'late', { shipment: { status: 'draft', desired_delivery_date: '2026-01-01' } }, 0],
  ['a cancelled shipment', 'hold', { shipment: { status: 'cancelled' }, events: { destination: [held] } }, 0],
  ['a finished shipment', 'hold', { shipment: { status: 'finished' }, events: { destination: [held] } }, 0],
  [
    'a shipment that was finished before it was known, without an invoice',
    'unbilled',
    {
      shipment: { status: 'finished' },
      events: { door: [actual('DELIVERED', '2026-01-03T00:00:00Z')] },
      isBilled: false,
      knownSince: Date.parse('2026-02-01T00:00:00Z'),
    },
    0,
  ],
]

test.each(byEvents)('%s: %s', (_name, kind, given, count) => {
  expect(found(kind, now, given)).toHaveLength(count)
})

const eta = (date: string): Given => ({
  events: { destination: [expected('ARRIVED', date)] },
  baseline: { arrival_date: '2026-04-01T00:00:00Z' },
})

test.each([
  ['2026-04-01T23:59:59Z', false, 0],
  ['2026-04-02T00:00:00Z', false, 1],
  ['2026-03-31T00:00:00Z', false, 1],
  ['2026-04-01T12:00:00Z', true, 1],
  ['2026-04-01T11:59:59Z', true, 0],
])('a date that moved to %s, raised before: %s', (date, isRaised, count) => {
  const raised = isRaised ? [{ kind: 'eta_slip', severity: 'warning' } as const] : []
  expect(found('eta_slip', now, { ...eta(date), raised })).toHaveLength(count)
})

const aDay = { precision: 'day' } as const
const byTruck = { freight_mode: 'truck' } as const

test('what is expected on a day without a time is overdue after the end of that day', () => {
  const given = (zone: 'given' | 'assumed'): Given => ({
    shipment: byTruck,
    events: { ...departed, destination: [expected('ARRIVED', '2026-04-01T00:00:00+02:00', { ...aDay, zone })] },
  })
  expect(found('milestone_overdue', '2026-04-01T23:59:00Z', given('given'))).toEqual([])
  expect(found('milestone_overdue', '2026-04-02T00:00:00Z', given('given'))).toHaveLength(1)
  expect(found('milestone_overdue', '2026-04-02T11:59:00Z', given('assumed'))).toEqual([])
  expect(found('milestone_overdue', '2026-04-02T12:00:00Z', given('assumed'))).toHaveLength(1)
})

test.each([
  ['2026-04-01T18:00:00Z', {}, 0],
  ['2026-04-02T03:00:00Z', {}, 0],
  ['2026-04-02T04:00:00Z', {}, 1],
  ['2026-03-31T20:00:00Z', {}, 1],
  ['2026-04-02T00:00:00Z', aDay, 1],
])('by truck, a day without a time becomes %s %o: %i', (date, more, count) => {
  const given: Given = {
    shipment: byTruck,
    events: {
      destination: [
        expected('ARRIVED', '2026-04-01T00:00:00Z', aDay),
        expected('ARRIVED', date, { ...more, issued_at: '2026-03-05T00:00:00Z' }),
      ],
    },
    baseline: { arrival_date: '2026-04-01T00:00:00Z' },
  }
  expect(found('eta_slip', now, given)).toHaveLength(count)
})

test('what happened on a day without a time is waited for from the end of that day', () => {
  const discharged: Given = {
    events: { ...departed, destination: [actual('DISCHARGED', '2026-04-01T00:00:00Z', aDay)] },
  }
  expect(found('dwell', '2026-04-06T23:59:00Z', discharged)).toEqual([])
  expect(found('dwell', '2026-04-07T00:00:00Z', discharged)).toHaveLength(1)
  const left: Given = {
    shipment: boxed,
    events: { origin: [...gatedIn.origin, actual('DEPARTED', '2026-03-02T00:00:00Z', aDay)] },
  }
  expect(found('rolled', '2026-03-03T11:59:00Z', left)).toEqual([])
  expect(found('rolled', '2026-03-03T12:00:00Z', left)).toHaveLength(1)
})

test('a shipment is critically late beyond 3 days, and an earlier date is for information', () => {
  const arrives = (date: string): Given => ({
    shipment: { desired_delivery_date: '2026-04-01' },
    events: { destination: [expected('ARRIVED', date)] },
  })
  expect(found('late', now, arrives('2026-04-04T00:00:00Z'))[0]?.severity).toBe('warning')
  expect(found('late', now, arrives('2026-04-05T00:00:00Z'))[0]?.severity).toBe('critical')
  expect(found('eta_slip', now, eta('2026-03-20T00:00:00Z'))[0]?.severity).toBe('info')
})

test('free time, documents and conflicts name the lines that they threaten, and free time its first event', () => {
  const line = (sku: string, container_number: string) => ({
    po_number: 'PO',
    line: sku,
    sku,
    quantity: 5,
    desired_date: '2026-04-01',
    packed: [{ container_number, shipped_quantity: 5 }],
  })
  const started = '2026-03-20T00:00:00Z'
  const clock: FreeTimeClock = {
    container_number: box,
    direction: 'import',
    clock: 'demurrage',
    time_zone: 'UTC',
    state: 'ending',
    started_at: started,
    started_by: { code: 'DISCHARGED', date: started },
    last_free_day: '2026-03-22',
    computed_last_free_day: '2026-03-24',
    difference_days: -2,
    days_left: 1,
    cost: null,
    each_further_day: null,
    given: [],
    why: [],
  }
  const given: Given = {
    shipment: boxed,
    events: {
      origin: [
        actual('DEPARTED', '2026-03-02T00:00:00Z', { source: 'A' }),
        actual('DEPARTED', '2026-03-02T13:00:00Z', { source: 'B' }),
      ],
      destination: [actual('DISCHARGED', started, { id: 'd', container_number: box })],
    },
    lines: [line('IN', box), line('ELSEWHERE', 'MSKU1234565')],
    freeTime: [clock],
  }
  for (const kind of ['free_time', 'free_time_disagreement'] as const) {
    const [condition] = found(kind, now, given)
    expect(
      condition?.threatens.map(({ sku }) => sku),
      kind,
    ).toEqual(['IN'])
    expect(condition?.evidence, kind).toMatchObject([{ event_id: 'd', code: 'DISCHARGED', date: started }])
  }
  for (const kind of ['missing_document', 'conflict'] as const) {
    expect(
      found(kind, now, given)[0]?.threatens.map(({ sku }) => sku),
      kind,
    ).toEqual(['IN', 'ELSEWHERE'])
  }
  expect(found('free_time', now, { ...given, shipment: { ...boxed, status: 'finished' } })).toHaveLength(1)
})

test.each([
  ['2026-03-20T23:00:00Z', false, 1],
  ['2026-03-21T00:00:00Z', false, 0],
  ['2026-03-21T11:59:00Z', true, 1],
  ['2026-03-21T12:00:00Z', true, 0],
])('a connection that leaves at %s, raised before: %s', (date, isRaised, count) => {
  const given: Given = {
    places: ['origin', 'hub', 'destination'],
    events: { ...departed, hub: [expected('ARRIVED', '2026-03-20T00:00:00Z'), expected('DEPARTED', date)] },
    raised: isRaised ? [{ kind: 'missed_connection', severity: 'warning' }] : [],
  }
  expect(found('missed_connection', now, given)).toHaveLength(count)
})
