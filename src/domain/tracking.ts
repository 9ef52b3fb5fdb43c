import type { TrackingDate, TrackingDateStatus } from '../contract/shared-types.js'
import type { MainTrackingDates } from '../contract/shipment.js'
import {
  Tracking,
  type TrackingEvent,
  type TrackingEventRecord,
  type TrackingPositionRecord,
  type TrackingRecord,
  type TrackingStepRecord,
} from '../contract/tracking.js'
import { groupedBy } from './grouping.js'
import { renderLocation } from './location.js'
import { eventsOfMilestone, milestones } from './milestones.js'
import { inInterfaceOrder } from './rendering.js'
import { trackingStatus } from './tracking-status.js'

/** What was said one by one, beside the tracking as a whole. */
export type TrackingEntries = { events: TrackingEventRecord[]; positions: TrackingPositionRecord[] }

/** A status that was given stands; one that was not follows from the events. */
export function renderTracking(record: TrackingRecord): Tracking {
  const { tracking_steps, ...rest } = record
  const status = record.status ?? trackingStatus(record)
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

// Decision: per milestone, actual beats estimated beats planned; a missed or held one shows its problem.
const precedence: TrackingDateStatus[] = ['actual', 'problem', 'estimated', 'planned']

/** The dates that a shipment shows, as far as its tracking tells them. */
export function mainTrackingDates(tracking: TrackingRecord): MainTrackingDates {
  const dates: MainTrackingDates = {}
  for (const { milestone, step } of milestones) {
    const steps = (tracking.tracking_steps ?? []).filter(({ type }) => type === step)
    const date = milestoneDate(
      eventsOfMilestone(
        step,
        steps.flatMap(({ events = [] }) => events),
      ),
    )
    if (date) dates[milestone] = date
  }
  return dates
}

function milestoneDate(events: TrackingEvent[]): TrackingDate | undefined {
  for (const status of precedence) {
    const dates = newestStatements(events.filter((event) => event.status === status))
    const latest = dates.toSorted((one, other) => Date.parse(one) - Date.parse(other)).at(-1)
    if (latest) return { date: latest, status }
  }
  return undefined
}

// The last word on a container replaces what was said of it before; a shipment is there when its last container is.
function newestStatements(events: TrackingEvent[]): string[] {
  const byContainer = new Map<string | undefined, string>()
  for (const { container_number, date } of events) if (date) byContainer.set(container_number, date)
  return [...byContainer.values()]
}
