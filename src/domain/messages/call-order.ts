import type { EventCode } from '../../contract/public/event-codes.js'
import type { TrackingRecord, TrackingStepRecord } from '../../contract/public/tracking.js'
import { groupedBy } from '../records/grouping.js'
import { isProposedCall } from '../tracking/proposed-calls.js'
import { namedSteps } from '../tracking/tracking.js'

/** Where the calls that the plan does not have stand among its steps. It follows from all events, whichever message came first. */

export type NamedStep = TrackingStepRecord & { id: string }

type Reported = {
  step: string
  status?: string | undefined
  date?: string | undefined
  code?: EventCode | undefined
  container_number?: string | undefined
}
type Happened = Reported & { at: number }

/** The first and the last port of a plan. */
export function endsOf(steps: NamedStep[]): [NamedStep | undefined, NamedStep | undefined] {
  return [steps.find(({ type }) => type === 'origin_port'), steps.findLast(({ type }) => type === 'destination_port')]
}

/** The steps with a proposed call. */
export function withCall(steps: NamedStep[], call: NamedStep): NamedStep[] {
  return withCallsInOrder([...steps, call], [])
}

/** With the proposed calls in the order of what happened there, and without those at which nothing is reported any more. */
export function withCallsOf(tracking: TrackingRecord, added: Reported[]): TrackingRecord {
  const steps = namedSteps(tracking)
  if (!steps.some(({ id }) => isProposedCall(id))) return tracking
  const events = [
    ...added,
    ...steps.flatMap(({ id, events: own = [] }) => own.map((event) => ({ ...event, step: id }))),
  ]
  const used = new Set(events.map(({ step }) => step))
  const kept = steps.filter(({ id }) => !isProposedCall(id) || used.has(id))
  const ordered = withCallsInOrder(kept, events)
  const isSame = ordered.length === steps.length && ordered.every((step, index) => step === steps[index])
  return isSame ? tracking : { ...tracking, tracking_steps: ordered }
}

/**
 * Proposed calls in the country of the first port are before it, where a feeder comes from, unless it is a port to which a container
 * went from there; inland places of the country of the last port are after that; others between them. Among each other they are ordered by what
 * happened there first.
 */
function withCallsInOrder(steps: NamedStep[], events: Reported[]): NamedStep[] {
  const planned = steps.filter(({ id }) => !isProposedCall(id))
  const [origin, destination] = endsOf(planned)
  const trips = tripsOf(events, origin?.id, destination?.id)
  const first = new Map<string, number>()
  for (const { step, at } of trips.flat()) first.set(step, Math.min(at, first.get(step) ?? Number.POSITIVE_INFINITY))
  const timeOf = ({ id }: NamedStep) => first.get(id) ?? Number.MAX_VALUE
  const proposed = steps
    .filter(({ id }) => isProposedCall(id))
    .toSorted((one, other) => timeOf(one) - timeOf(other) || (one.id < other.id ? -1 : 1))
  const sideOf = ({ id, port }: NamedStep) => {
    const [country, from, to] = [port, origin?.port, destination?.port].map((each) => each?.unlocode?.slice(0, 2))
    if (from === to) return 'between'
    const isPort = id.startsWith('call-')
    if (country === from) return isPort && trips.some((trip) => goesOnTo(id, trip, origin?.id)) ? 'between' : 'before'
    return country === to && !isPort ? 'after' : 'between'
  }
  const on = (side: string) => proposed.filter((step) => sideOf(step) === side)
  const result: NamedStep[] = []
  for (const step of planned) {
    if (step === origin) result.push(...on('before'))
    if (step === destination) result.push(...on('between'))
    result.push(step)
    if (step === destination) result.push(...on('after'))
  }
  const missing = proposed.filter((step) => !result.includes(step))
  return [...result, ...missing]
}

const leaving = new Set<EventCode | undefined>(['LOADED', 'DEPARTED'])
const reaching = new Set<EventCode | undefined>(['ARRIVED', 'BERTHED', 'DISCHARGED'])
const moving = new Set<EventCode | undefined>(['GATE_IN', ...leaving, ...reaching])

/** Whether a container moved at a call after it had come to the first port, and not at that again. */
function goesOnTo(call: string, trip: Happened[], origin: string | undefined): boolean {
  if (origin === undefined || trip[0]?.container_number === undefined) return false
  const moves = trip.filter(({ code }) => moving.has(code))
  const place = moves.findIndex(({ step }) => step === call)
  const last = moves.findLastIndex(({ step }) => step === origin)
  return place >= 0 && last >= 0 && last < place
}

/** What happened on the trip of each container that is the shipment's, and to all of them, in the order in which it happened. */
function tripsOf(events: Reported[], origin: string | undefined, destination: string | undefined): Happened[][] {
  const happened = events
    .flatMap((event) => (event.status === 'actual' ? [{ ...event, at: Date.parse(event.date ?? '') }] : []))
    .filter(({ at }) => !Number.isNaN(at))
    .toSorted((one, other) => one.at - other.at)
  return [...groupedBy(happened, ({ container_number }) => container_number)].map(([container, own]) =>
    container === undefined ? own : ownTrip(own, origin, destination),
  )
}

/** Containers are used again. The first trip that leaves the first port, and ends at the last one or is not over, is ours. */
function ownTrip(events: Happened[], origin: string | undefined, destination: string | undefined): Happened[] {
  const trips: Happened[][] = [[]]
  for (const event of events) {
    const trip = trips.at(-1) as Happened[]
    if (event.code === 'EMPTY_OUT' && trip.some(({ code }) => moving.has(code))) trips.push([event])
    else trip.push(event)
    if (event.code === 'EMPTY_IN') trips.push([])
  }
  const hasLeft = (trip: Happened[]) => trip.some(({ code, step }) => step === origin && leaving.has(code))
  const hasReached = (trip: Happened[]) => trip.some(({ code, step }) => step === destination && reaching.has(code))
  const isOpen = (trip: Happened[]) => trip === trips.at(-1)
  return (
    trips.find((trip) => hasReached(trip) || (hasLeft(trip) && isOpen(trip))) ??
    trips.find(hasLeft) ??
    trips.findLast((trip) => trip.length > 0) ??
    []
  )
}
