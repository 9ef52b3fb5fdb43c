import type { LocationRecord } from '../../contract/public/location.js'
import {
  Tracking,
  type TrackingEvent,
  type TrackingEventRecord,
  type TrackingPositionRecord,
  type TrackingRecord,
  type TrackingStepRecord,
} from '../../contract/public/tracking.js'
import { renderLocation } from '../locations/location.js'
import { groupedBy } from '../records/grouping.js'
import type { InParts } from '../records/in-parts.js'
import { positionNames } from '../records/position-names.js'
import { inInterfaceOrder } from '../records/rendering.js'
import { isQuarantined } from './coded-events.js'
import { trackingStatusInParts } from './tracking-status.js'

type StoredEvent = NonNullable<TrackingStepRecord['events']>[number]

/** Events and positions that were added one by one. */
export type TrackingEntries = { events: TrackingEventRecord[]; positions: TrackingPositionRecord[] }

export const noEntries: TrackingEntries = { events: [], positions: [] }

type Locations = Map<number, LocationRecord>

/** The other resources that a tracking shows: the containers of its shipment, and saved locations by identifier. */
export type TrackingContext = { containers: string[]; locations: Locations }

/** A stored status is shown; otherwise it is derived from the events and the containers of the shipment. */
export function* renderTrackingInParts(
  record: TrackingRecord,
  { containers, locations }: TrackingContext,
): InParts<Tracking> {
  const status = record.status ?? (yield* trackingStatusInParts(record, containers))
  return yield* renderWithStatusInParts(record, status, locations)
}

export function* renderWithStatusInParts(
  record: TrackingRecord,
  status: Tracking['status'],
  locations: Locations,
): InParts<Tracking> {
  const { tracking_steps, ...rest } = record
  const steps: NonNullable<Tracking['tracking_steps']> = []
  for (const { id: _id, location, events, ...step } of tracking_steps ?? []) {
    yield
    steps.push({
      ...step,
      ...(location && { location: renderLocation(savedLocation(location, locations)) }),
      ...(events && { events: events.flatMap(publicEvent) }),
    })
  }
  return inInterfaceOrder(Tracking, {
    ...rest,
    ...(status && { status }),
    ...(tracking_steps && { tracking_steps: steps }),
  })
}

// Quarantined events are not shown.
function publicEvent(event: StoredEvent): TrackingEvent[] {
  if (isQuarantined(event)) return []
  const { description, container_number, date, status } = event
  return [
    {
      ...(description !== undefined && { description }),
      ...(container_number !== undefined && { container_number }),
      ...(date !== undefined && { date }),
      ...(status !== undefined && { status }),
    },
  ]
}

/**
 * Decision: a step that names a saved location by `id` shows the whole location, as it is now. A plan that an operator
 * made keeps the location as it was planned.
 */
function savedLocation(location: LocationRecord, locations: Locations): LocationRecord {
  const id = namedLocation(location)
  return (id === undefined ? undefined : locations.get(id)) ?? location
}

function namedLocation(location: LocationRecord | undefined): number | undefined {
  return location && Object.keys(location).join() === 'id' ? location.id : undefined
}

/** The saved locations that steps refer to by identifier alone. */
export function stepLocationIds({ tracking_steps = [] }: TrackingRecord): number[] {
  return [...new Set(tracking_steps.flatMap(({ location }) => namedLocation(location) ?? []))]
}

/** The tracking with its entries, appended to the inline events and coordinates. */
export function withEntries(record: TrackingRecord, { events, positions }: TrackingEntries): TrackingRecord {
  if (events.length === 0 && positions.length === 0) return record
  const eventsOf = groupedBy(
    inSequence(events, ({ event_id }) => event_id),
    ({ step }) => step,
  )
  const steps = namedSteps(record).map((step) => {
    const added = (eventsOf.get(step.id) ?? []).map(eventOf)
    return added.length > 0 ? { ...step, events: [...(step.events ?? []), ...added] } : step
  })
  const track = inSequence(positions, ({ position_id }) => position_id).map(({ latitude, longitude }) => ({
    latitude,
    longitude,
  }))
  return {
    ...record,
    ...(record.tracking_steps && { tracking_steps: steps }),
    ...(track.length > 0 && { ocean_coordinates: [...(record.ocean_coordinates ?? []), ...track] }),
  }
}

function eventOf({
  event_id,
  svc_shipment_id: _shipment,
  sequence: _sequence,
  step: _step,
  ...event
}: TrackingEventRecord) {
  return { id: event_id, ...event }
}

/** The steps with a name each: its own, or else its position, or the next number that no step uses. */
export function namedSteps({ tracking_steps = [] }: TrackingRecord): (TrackingStepRecord & { id: string })[] {
  const nameOf = positionNames(new Set(tracking_steps.flatMap(({ id }) => id ?? [])))
  return tracking_steps.map((step, index) => ({ ...step, id: step.id ?? nameOf(index) }))
}

/** An import may have brought several with one number: whatever order they are read in, theirs is the same. */
function inSequence<Entry extends { sequence: number }>(entries: Entry[], idOf: (entry: Entry) => string): Entry[] {
  return entries.toSorted((one, other) => one.sequence - other.sequence || (idOf(one) < idOf(other) ? -1 : 1))
}
