import { expect, test } from 'vitest'
import type { ExceptionKind } from '../../../src/contract/public/exception.js'
import type { ShipmentRecord } from '../../../src/contract/public/shipment.js'
import type { TrackingRecord, TrackingStepRecord } from '../../../src/contract/public/tracking.js'
import type { ShipmentFacts } from '../../../src/domain/exceptions/condition.js'
import { evaluateShipment } from '../../../src/domain/exceptions/shipment-rules.js'
import { effectiveRules } from '../../../src/domain/exceptions/thresholds.js'
import { numbersOf } from '../../../src/domain/shipments/shipment-cargo.js'
import { journeyOf } from '../../../src/domain/tracking/milestones.js'
import { trackedContainers } from '../../../src/domain/tracking/tracking-containers.js'
import { decideDates } from '../../../src/domain/tracking/tracking-dates.js'

/** Each rule at the boundary of its time: what holds now, and when it is evaluated next. */

type Event = NonNullable<TrackingStepRecord['events']>[number]
type Place = 'origin' | 'hub' | 'destination' | 'door'

const types = {
  origin: 'origin_port',
  hub: 'transshipment_port',
  destination: 'destination_port',
  door: 'delivery',
} as const

type Given = {
  shipment?: Partial<ShipmentRecord>
  events?: Partial<Record<Place, Event[]>>
  places?: Place[]
  pins?: TrackingRecord['pins']
} & Partial<
  Pick<ShipmentFacts, 'documents' | 'waived' | 'isBilled' | 'baseline' | 'isSlipRaised' | 'lastPosition' | 'knownSince'>
>

function factsAt(now: string, { shipment: given = {}, events = {}, places, pins, ...rest }: Given): ShipmentFacts {
  const shipment: ShipmentRecord = { svc_shipment_id: 'S', status: 'in_progress', freight_mode: 'ocean', ...given }
  const steps = (places ?? (['origin', 'destination', 'door'] as const)).map((place) => ({
    id: place,
    type: types[place],
    events: events[place] ?? [],
  }))
  const tracking: TrackingRecord = { svc_shipment_id: 'S', tracking_steps: steps, ...(pins && { pins }) }
  const containers = numbersOf(shipment)
  const decided = decideDates(tracking, containers)
  const derived = decided.decisions.flatMap(({ milestone, shown }) => (shown ? [[milestone, shown] as const] : []))
  return {
    shipment: { ...shipment, main_tracking_dates: { ...shipment.main_tracking_dates, ...Object.fromEntries(derived) } },
    tracking,
    journey: journeyOf(tracking),
    decided,
    units: trackedContainers(tracking, containers),
    lines: [],
    documents: [],
    waived: [],
    freeTime: [],
    isBilled: true,
    baseline: {},
    isSlipRaised: false,
    lastPosition: undefined,
    knownSince: 0,
    thresholds: effectiveRules().thresholds,
    now: Date.parse(now),
    ...rest,
  }
}

const rules = effectiveRules()

function found(kind: ExceptionKind, now: string, given: Given) {
  return evaluateShipment(factsAt(now, given), rules).conditions.filter((each) => each.kind === kind)
}

const actual = (code: Event['code'], date: string, more: Partial<Event> = {}): Event => ({
  code: code ?? 'OTHER',
  status: 'actual',
  date,
  issued_at: date,
  ...more,
})
const expected = (code: Event['code'], date: string, more: Partial<Event> = {}): Event => ({
  ...actual(code, date, more),
  status: 'estimated',
  issued_at: '2026-03-01T00:00:00Z',
  ...more,
})

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
])('a date that moved to %s, raised before: %s', (date, isSlipRaised, count) => {
  expect(found('eta_slip', now, { ...eta(date), isSlipRaised })).toHaveLength(count)
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
