import type { TrackingRecord } from '../../contract/public/tracking.js'
import { groupedBy } from '../records/grouping.js'
import { type CodedEvent, codedEvents } from './coded-events.js'
import { addOutOfOrder, type JourneyFacts, leaving, type Reasons, reaching } from './journey-order.js'

/**
 * Events that cannot be true beside the plan and the other events of the same unit: they are kept, but neither shown nor
 * believed. They follow from all events that are known, so that it does not matter in which order those came.
 */

/** The tracking with the reason at each event that cannot be true. */
export function withImpossibleEvents(tracking: TrackingRecord, facts: JourneyFacts): TrackingRecord {
  const reasons = impossibleEvents(tracking, facts)
  if (reasons.size === 0) return tracking
  const reasonAt = new Map([...reasons].map(([{ step, index }, reason]) => [`${step} ${index}`, reason]))
  const tracking_steps = (tracking.tracking_steps ?? []).map((step, place) => ({
    ...step,
    ...(step.events && {
      events: step.events.map((event, index) => {
        const quarantine = reasonAt.get(`${place} ${index}`)
        return quarantine === undefined ? event : { ...event, quarantine }
      }),
    }),
  }))
  return { ...tracking, tracking_steps }
}

function impossibleEvents(tracking: TrackingRecord, facts: JourneyFacts): Reasons {
  const reasons: Reasons = new Map()
  const actual = codedEvents(tracking).filter(({ status, date }) => status === 'actual' && date !== undefined)
  const begins = beginOf(tracking)
  for (const event of actual)
    if (at(event) < begins) reasons.set(event, 'it is more than 30 days before the first planned date')
  const events = actual.filter((event) => !reasons.has(event))
  // What is said of a unit itself comes before what is said of its vessel: the two are not compared.
  for (const ofUnit of groupedBy(events, ({ container }) => container).values()) {
    addReused(reasons, ofUnit, tracking)
    const ofThisTrip = ofUnit.filter((event) => !reasons.has(event))
    addOutOfOrder(reasons, ofThisTrip, tracking.tracking_steps ?? [], facts)
  }
  for (const event of reasons.keys()) if (event.isReleased) reasons.delete(event)
  return reasons
}

function at({ date }: CodedEvent): number {
  return Date.parse(date ?? '')
}

const margin = 30 * 24 * 60 * 60 * 1000

/** Containers are used again: what is long before the first plan is of another trip. */
function beginOf({ initial_dates: { pickup, etd } = {} }: TrackingRecord): number {
  const dates = [pickup, etd].flatMap((date) => (date === undefined ? [] : Date.parse(date)))
  return dates.length === 0 ? Number.NEGATIVE_INFINITY : Math.min(...dates) - margin
}

const laden = new Set<CodedEvent['code']>([...leaving, ...reaching, 'GATE_OUT', 'DELIVERED', 'STRIPPED'])

/** After a container has come back empty it is on another trip. One that came back before this trip says nothing. */
function addReused(reasons: Reasons, events: CodedEvent[], { tracking_steps = [] }: TrackingRecord): void {
  const destination = tracking_steps.findLastIndex(({ type }) => type === 'destination_port')
  const began = earliest(events.filter(({ code }) => laden.has(code)))
  const returned = earliest(
    events.filter(
      (event) =>
        event.code === 'EMPTY_IN' && event.container !== undefined && event.step >= destination && at(event) > began,
    ),
  )
  for (const event of events) if (at(event) > returned) reasons.set(event, 'its container had come back empty before')
}

function earliest(events: CodedEvent[]): number {
  return events.reduce((first, event) => Math.min(first, at(event)), Number.POSITIVE_INFINITY)
}
