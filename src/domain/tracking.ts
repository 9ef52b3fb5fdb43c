import {
  Tracking,
  type TrackingEventRecord,
  type TrackingPositionRecord,
  type TrackingRecord,
  type TrackingStepRecord,
} from '../contract/tracking.js'
import { groupedBy } from './grouping.js'
import { renderLocation } from './location.js'
import { inInterfaceOrder } from './rendering.js'
import { trackingStatus } from './tracking-status.js'

/** What was said one by one, beside the tracking as a whole. */
export type TrackingEntries = { events: TrackingEventRecord[]; positions: TrackingPositionRecord[] }

/** A status that was given stands; one that was not follows from the events, and the containers of the shipment. */
export function renderTracking(record: TrackingRecord, ofShipment: string[]): Tracking {
  const { tracking_steps, ...rest } = record
  const status = record.status ?? trackingStatus(record, ofShipment)
  return inInterfaceOrder(Tracking, {
    ...rest,
    ...(status && { status }),
    ...(tracking_steps && {
      tracking_steps: tracking_steps.map(({ id: _id, location, events, ...step }) => ({
        ...step,
        ...(location && { location: renderLocation(location) }),
        ...(events && { events: events.map(({ id: _event, source: _source, ...event }) => event) }),
      })),
    }),
  })
}

/** All that is known: the tracking with every entry in its place, behind what came with the whole. */
export function withEntries(record: TrackingRecord, { events, positions }: TrackingEntries): TrackingRecord {
  if (events.length === 0 && positions.length === 0) return record
  const eventsOf = groupedBy(inSequence(events), ({ step }) => step)
  const steps = namedSteps(record).map((step) => {
    const said = (eventsOf.get(step.id) ?? []).map(eventOf)
    return said.length > 0 ? { ...step, events: [...(step.events ?? []), ...said] } : step
  })
  const track = inSequence(positions).map(({ latitude, longitude }) => ({ latitude, longitude }))
  return {
    ...record,
    ...(record.tracking_steps && { tracking_steps: steps }),
    ...(track.length > 0 && { ocean_coordinates: [...(record.ocean_coordinates ?? []), ...track] }),
  }
}

// In the order of the interface, whatever order it was said in.
function eventOf({ event_id, description, container_number, date, status, source }: TrackingEventRecord) {
  return {
    id: event_id,
    ...(description !== undefined && { description }),
    ...(container_number !== undefined && { container_number }),
    ...(date !== undefined && { date }),
    ...(status !== undefined && { status }),
    ...(source !== undefined && { source }),
  }
}

/** The steps of a plan, each with its name: where it has none, its position, or the next number that no step uses. */
export function namedSteps({ tracking_steps = [] }: TrackingRecord): (TrackingStepRecord & { id: string })[] {
  const used = new Set(tracking_steps.flatMap(({ id }) => id ?? []))
  return tracking_steps.map((step, index) => {
    return { ...step, id: step.id ?? freeStepName(index, used) }
  })
}

/** The position of a step as its name, or the next number that is free; from then on it is taken. */
export function freeStepName(index: number, taken: Set<string>): string {
  let position = index + 1
  while (taken.has(String(position))) position += 1
  taken.add(String(position))
  return String(position)
}

function inSequence<Entry extends { sequence: number }>(entries: Entry[]): Entry[] {
  return entries.toSorted((one, other) => one.sequence - other.sequence)
}
