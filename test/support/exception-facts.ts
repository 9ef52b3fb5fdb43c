import type { ExceptionKind } from '../../src/contract/public/exception.js'
import type { ShipmentRecord } from '../../src/contract/public/shipment.js'
import type { TrackingRecord, TrackingStepRecord } from '../../src/contract/public/tracking.js'
import type { ShipmentFacts } from '../../src/domain/exceptions/condition.js'
import { evaluateShipment } from '../../src/domain/exceptions/shipment-rules.js'
import { effectiveRules } from '../../src/domain/exceptions/thresholds.js'
import { numbersOf } from '../../src/domain/shipments/shipment-cargo.js'
import { journeyOf } from '../../src/domain/tracking/milestones.js'
import { trackedContainers } from '../../src/domain/tracking/tracking-containers.js'
import { decideDates } from '../../src/domain/tracking/tracking-dates.js'

/** Facts of a shipment for the rules of exceptions, from its events. */

export type Event = NonNullable<TrackingStepRecord['events']>[number]
type Place = 'origin' | 'hub' | 'second_hub' | 'destination' | 'door'

const types = {
  origin: 'origin_port',
  hub: 'transshipment_port',
  second_hub: 'transshipment_port',
  destination: 'destination_port',
  door: 'delivery',
} as const

export type Given = {
  shipment?: Partial<ShipmentRecord>
  events?: Partial<Record<Place, Event[]>>
  places?: Place[]
  pins?: TrackingRecord['pins']
} & Partial<
  Pick<
    ShipmentFacts,
    'documents' | 'waived' | 'isBilled' | 'lines' | 'freeTime' | 'baseline' | 'raised' | 'lastPosition' | 'knownSince'
  >
>

export function factsAt(
  now: string,
  { shipment: given = {}, events = {}, places, pins, ...rest }: Given,
): ShipmentFacts {
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
    raised: [],
    lastPosition: undefined,
    lastReceived: undefined,
    knownSince: 0,
    thresholds: effectiveRules().thresholds,
    now: Date.parse(now),
    ...rest,
  }
}

export const rules = effectiveRules()

export function found(kind: ExceptionKind, now: string, given: Given) {
  return evaluateShipment(factsAt(now, given), rules).conditions.filter((each) => each.kind === kind)
}

export const actual = (code: Event['code'], date: string, more: Partial<Event> = {}): Event => ({
  code: code ?? 'OTHER',
  status: 'actual',
  date,
  issued_at: date,
  ...more,
})
export const expected = (code: Event['code'], date: string, more: Partial<Event> = {}): Event => ({
  ...actual(code, date, more),
  status: 'estimated',
  issued_at: '2026-03-01T00:00:00Z',
  ...more,
})
