import type { TrackingRecord, TrackingStepRecord } from '../../contract/public/tracking.js'
import { day } from '../dates/local-time.js'
import { groupedBy } from '../records/grouping.js'
import type { InParts } from '../records/in-parts.js'
import { type CodedEvent, codedEventsInParts, isNewer } from './coded-events.js'
import { addOutOfOrder, type JourneyFacts, leaving, type Reasons, reaching } from './journey-order.js'
import { type Journey, journeyOf } from './milestones.js'
import { isProposedCall } from './proposed-calls.js'
import { addOtherTrips } from './unit-trips.js'

/**
 * Events that cannot be true beside the plan and the other events of the same unit: they are kept, but neither shown nor
 * used. They follow from all events that are known, so that it does not matter in which order those came.
 */

/** The tracking with the reason at each event that cannot be true. */
export function* withImpossibleEvents(tracking: TrackingRecord, facts: JourneyFacts): InParts<TrackingRecord> {
  const reasons = yield* impossibleEvents(tracking, facts)
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

function* impossibleEvents(tracking: TrackingRecord, facts: JourneyFacts): InParts<Reasons> {
  const reasons: Reasons = new Map()
  const dated = (yield* codedEventsInParts(tracking)).filter(({ date }) => date !== undefined)
  const actual = dated.filter(({ status }) => status === 'actual')
  const planned = plannedBegin(tracking, dated)
  const isPlanned = planned.departure !== Number.NEGATIVE_INFINITY
  const begin = isPlanned ? planned.departure : bookedAt(actual, journeyOf(tracking), facts)
  const what = isPlanned ? 'the first planned date' : 'the booking'
  for (const event of actual)
    if (event.at < begin - margin) reasons.set(event, `it is more than 30 days before ${what}`)
  addBeforeDeparture(
    reasons,
    actual.filter((event) => !reasons.has(event)),
    tracking,
    planned.departure,
  )
  const events = dated.filter((event) => !reasons.has(event))
  // Events of a unit itself come before those of its vessel: the two are not compared.
  const journey = journeyOf(tracking)
  const sailed = earliest(
    events.flatMap((event) => (event.container === undefined && isOfSailing(event, journey) ? event.at : [])),
  )
  const isFarCall = farCalls(tracking, journey, facts)
  for (const [container, ofUnit] of groupedBy(events, (event) => event.container)) {
    yield
    const before = beginOf(ofUnit, planned, facts)
    if (container !== undefined) addOtherTrips(reasons, ofUnit, journey, { before, sailed, isFarCall })
    const ofThisTrip = ofUnit.filter((event) => event.status === 'actual' && !reasons.has(event))
    addOutOfOrder(reasons, ofThisTrip, tracking.tracking_steps ?? [], facts)
  }
  for (const event of reasons.keys()) if (event.isReleased) reasons.delete(event)
  return reasons
}

const margin = 30 * day

// A shipment is not delivered, and its container returned, this long before its first estimate.
const early = 7 * day

/** When the journey was planned to begin: -Infinity if that is not known. */
type Begin = {
  /** The first pick-up or departure. */
  departure: number
  /** The same, or what follows from the first arrival or delivery. */
  any: number
}

/**
 * Containers are used again, and what is expected of them may be of another trip: what is expected of the whole shipment comes
 * first, then what was first expected of any container.
 */
function plannedBegin(tracking: TrackingRecord, events: CodedEvent[]): Begin {
  const expected = events.filter(({ status }) => status === 'planned' || status === 'estimated')
  const ofUnits = expected.filter(({ container }) => container !== undefined)
  const { pickup, etd, eta, delivery } = tracking.initial_dates ?? {}
  const datesOfUnits = new Set(ofUnits.flatMap(({ date }) => date ?? []))
  const given = (dates: (string | undefined)[]) =>
    instantsOf(dates.filter((date) => date !== undefined && !datesOfUnits.has(date)))
  const { origin } = journeyOf(tracking)
  const isOfBegin = ({ step, type }: CodedEvent) => step <= origin || type === 'pickup'
  const ofAll = expected.filter((event) => event.container === undefined && isOfBegin(event))
  const departure = earliest([...ofAll.map(({ at }) => at), ...given([pickup, etd])])
  const any = Math.min(departure, earliest(given([eta, delivery])) - early)
  if (any !== Number.POSITIVE_INFINITY) return { departure: known(departure), any }
  const first = ofUnits.reduce<CodedEvent | undefined>(
    (one, other) => (one && !isNewer(other, one) ? one : other),
    undefined,
  )
  if (!first) return { departure: Number.NEGATIVE_INFINITY, any: Number.NEGATIVE_INFINITY }
  if (isOfBegin(first)) return { departure: first.at, any: first.at }
  return { departure: Number.NEGATIVE_INFINITY, any: first.at - early }
}

const atFirst = new Set<CodedEvent['code']>([...leaving, 'PICKED_UP', 'GATE_IN'])

/**
 * When the shipment was opened, if it began its journey after that. Others are entered when they are under way, or over: what
 * is known of them happened before.
 */
function bookedAt(actual: CodedEvent[], { origin }: Journey, { openedAt }: JourneyFacts): number {
  const opened = Date.parse(openedAt ?? '')
  const hasBegun = actual.some(({ code, step, span }) => atFirst.has(code) && step <= origin && span.from > opened)
  return hasBegun ? opened : Number.NEGATIVE_INFINITY
}

function known(time: number): number {
  return time === Number.POSITIVE_INFINITY ? Number.NEGATIVE_INFINITY : time
}

function instantsOf(dates: (string | undefined)[]): number[] {
  return dates.flatMap((date) => (date === undefined ? [] : Date.parse(date)))
}

/**
 * A container that came back empty before then was on another trip: before the first planned date; or before the goods were ready,
 * or, if nothing is planned, the shipment was opened, once it moved after that.
 */
function beginOf(events: CodedEvent[], planned: Begin, { readyOn, openedAt }: JourneyFacts): number {
  const since = (date: string | undefined) => {
    const time = Date.parse(date ?? '')
    const hasMoved = events.some(
      (event) => event.status === 'actual' && moving.has(event.code) && event.span.from > time,
    )
    return hasMoved ? time : Number.NEGATIVE_INFINITY
  }
  const isPlanned = planned.any !== Number.NEGATIVE_INFINITY
  return Math.max(planned.any, since(readyOn), isPlanned ? Number.NEGATIVE_INFINITY : since(openedAt))
}

// Ports this near to each other stand in for each other, also across a border.
const near = 500

/** Which steps are calls that the plan does not have, in another country than the first port, and far from it. */
function farCalls({ tracking_steps: steps = [] }: TrackingRecord, { origin }: Journey, facts: JourneyFacts) {
  const from = steps[origin]
  const country = (step: TrackingStepRecord | undefined) => step?.port?.unlocode?.slice(0, 2)
  return (place: number): boolean => {
    const step = steps[place]
    if (!from || !step || !isProposedCall(step.id) || country(step) === country(from)) return false
    return (facts.kmBetween(from, step) ?? 0) > near
  }
}

function isOfSailing({ code, step, status }: CodedEvent, { origin, destination }: Journey): boolean {
  return status === 'actual' && ((step === origin && leaving.has(code)) || (step >= destination && reaching.has(code)))
}

// Vessels sail some days before they were first planned to.
const ahead = 3 * day

/** What is reached before the first planned date, while nothing had been left by then, is the end of an earlier trip. */
function addBeforeDeparture(reasons: Reasons, events: CodedEvent[], tracking: TrackingRecord, departure: number): void {
  const planned = departure - ahead
  const { origin } = journeyOf(tracking)
  const left = earliest(events.flatMap((event) => (leaving.has(event.code) ? event.span.from : [])))
  for (const event of events) {
    const { to } = event.span
    if (reaching.has(event.code) && event.step > origin && to < planned && to < left)
      reasons.set(event, 'it is before the first planned date, and nothing had been left by then')
  }
}

const moving = new Set<CodedEvent['code']>([
  ...leaving,
  ...reaching,
  'EMPTY_OUT',
  'PICKED_UP',
  'STUFFED',
  'GATE_IN',
  'GATE_OUT',
  'DELIVERED',
  'STRIPPED',
])

function earliest(times: number[]): number {
  return times.reduce((first, time) => Math.min(first, time), Number.POSITIVE_INFINITY)
}
