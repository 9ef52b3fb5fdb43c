import type { EventCode } from '../../contract/public/event-codes.js'
import type { CodedEvent } from './coded-events.js'
import { leaving, type Reasons, reaching } from './journey-order.js'
import type { Journey } from './milestones.js'

/**
 * Containers are used again, and an event of one may be of another trip: a trip ends when it comes back empty. Where nobody reports
 * that, the next one begins when it leaves empty, and laden after that.
 */

type Trip = {
  actual: CodedEvent[]
  isClosed: boolean
  /** It left the first port, or was at the last one or beyond: of those trips one is that of the shipment. */
  hasLeft: boolean
  hasReached: boolean
}

export type TripLimits = {
  /** What came back empty before it was on another trip. */
  before: number
  /** When a vessel of the shipment first left the first port, or reached the last one. */
  sailed: number
  /** Whether a step is a call that the plan does not have, far from the first port. */
  isFarCall(step: number): boolean
}

/** The trip of the shipment is the first that goes its way, in its direction; all others are marked. */
export function addOtherTrips(reasons: Reasons, events: CodedEvent[], journey: Journey, limits: TripLimits): void {
  const returned = events.reduce((last, event) => {
    const { to } = event.span
    return isReturn(event) && to < limits.before ? Math.max(last, to) : last
  }, Number.NEGATIVE_INFINITY)
  for (const event of events)
    if (knownBy(event) <= returned) reasons.set(event, 'its container came back empty before the first planned date')
  const rest = events.filter((event) => !reasons.has(event))
  const actual = rest.filter(({ status }) => status === 'actual').toSorted((one, other) => end(one) - end(other))
  const ends = [...actual.filter(isReturn).map(end), ...unreportedReturns(actual, journey)].toSorted((a, b) => a - b)
  const trips = tripsOf(actual, ends)
  for (const trip of trips) followTrip(trip, reasons, journey, limits)
  const possible = trips.filter(({ hasLeft, hasReached }) => hasLeft || hasReached)
  const ours = trips.indexOf(
    possible.find(({ isClosed, hasReached }) => !isClosed || hasReached) ?? (possible[0] as Trip),
  )
  for (const [place, trip] of trips.entries()) {
    // As long as none is known to be the shipment's, an event of its beginning may be of any.
    const others =
      ours < 0 ? (trip.isClosed ? trip.actual.filter(({ step }) => step > journey.origin) : []) : trip.actual
    if (place !== ours) for (const event of others) reasons.set(event, place < ours || ours < 0 ? ofAnother : ofLater)
  }
  for (const event of rest) {
    if (event.status === 'actual' || ours < 0) continue
    // What does not say when it was issued is of an earlier trip only if its date is.
    const place = countBefore(ends, knownBy(event))
    if (place < ours) reasons.set(event, ofAnother)
    if (place > ours && event.issuedAt !== undefined) reasons.set(event, ofLater)
  }
}

const ofAnother = 'it is of another trip of its container'
const ofLater = 'its container had come back empty before'

function isReturn({ code, container, status }: CodedEvent): boolean {
  return code === 'EMPTY_IN' && container !== undefined && status === 'actual'
}

/** Before what was discharged left empty for its next goods. */
function unreportedReturns(actual: CodedEvent[], { origin }: Journey): number[] {
  const found: number[] = []
  let reached = Number.POSITIVE_INFINITY
  let left: number | undefined
  for (const event of actual) {
    const { code, step } = event
    const { from, to } = event.span
    if (isReturn(event)) [reached, left] = [Number.POSITIVE_INFINITY, undefined]
    else if (code === 'EMPTY_OUT' && reached < from) left ??= from - 1
    else if (left !== undefined && beginning.has(code)) {
      found.push(left)
      ;[reached, left] = [Number.POSITIVE_INFINITY, undefined]
    } else if (reaching.has(code) || (step > origin && atEnd.has(code))) reached = Math.min(reached, to)
  }
  return found
}

// What is expected of a container before it comes back is of the trip that it is on.
function knownBy(event: CodedEvent): number {
  return event.status === 'actual' ? end(event) : (event.issuedAt ?? end(event))
}

function end(event: CodedEvent): number {
  return event.span.to
}

function tripsOf(actual: CodedEvent[], ends: number[]): Trip[] {
  const trips = Array.from({ length: ends.length + 1 }, (_, place): Trip => {
    return { actual: [], isClosed: place < ends.length, hasLeft: false, hasReached: false }
  })
  for (const event of actual) {
    // At any time of its day, and in any zone that it may be of.
    const { from } = event.span
    trips[countBefore(ends, isReturn(event) ? end(event) : from)]?.actual.push(event)
  }
  return trips
}

/** How many of the times, which are in order, are before another. A container may have been reported back thousands of times. */
function countBefore(times: number[], time: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] as number) < time) low = middle + 1
    else high = middle
  }
  return low
}

const beginning = new Set<EventCode>(['PICKED_UP', 'STUFFED', 'GATE_IN', 'LOADED', 'DEPARTED'])
const atEnd = new Set<EventCode>([...reaching, 'AVAILABLE', 'GATE_OUT', 'OUT_FOR_DELIVERY', 'DELIVERED', 'STRIPPED'])

// That goods are put into a container: until then it is empty.
const filling = new Set<EventCode>(['EMPTY_OUT', 'STUFFED'])

/**
 * Whether a trip goes the way of the shipment. What leaves the last port before it was there, what comes to the first one from
 * elsewhere, and what is loaded for the first time at a call far from it, was on the way to it, or on another: until it begins at the
 * first port.
 */
function followTrip(
  trip: Trip,
  reasons: Reasons,
  { origin, destination }: Journey,
  { sailed, isFarCall }: TripLimits,
): void {
  if (origin < 0 || destination < 0) {
    trip.hasReached = true
    return
  }
  let isElsewhere = false
  let isFilled = false
  let passed: CodedEvent[] = []
  for (const event of trip.actual) {
    const { code, step } = event
    const isOurs = trip.hasLeft || trip.hasReached
    if (filling.has(code)) isFilled = true
    if (!isOurs && isFilled && leaving.has(code) && step > origin && isFarCall(step)) isElsewhere = true
    if (reaching.has(code) || (step === origin && code === 'GATE_IN')) isFilled = false
    if (isOurs) passed = []
    if (!isOurs && step === destination && leaving.has(code)) isElsewhere = true
    if (!isOurs && step === origin && reaching.has(code)) {
      for (const each of passed) reasons.set(each, ofAnother)
      passed = []
    }
    if (step <= origin && beginning.has(code)) isElsewhere = false
    if (step > origin) {
      if (isElsewhere) reasons.set(event, ofAnother)
      else if (leaving.has(code) || reaching.has(code)) passed.push(event)
    }
    if (isElsewhere) continue
    if (step === origin && leaving.has(code)) trip.hasLeft = true
    if (step >= destination && (atEnd.has(code) || (isReturn(event) && event.span.to > sailed))) trip.hasReached = true
  }
}
