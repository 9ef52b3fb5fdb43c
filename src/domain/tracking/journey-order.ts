import type { ShipmentRecord } from '../../contract/public/shipment.js'
import type { TrackingStepRecord } from '../../contract/public/tracking.js'
import { hour } from '../dates/local-time.js'
import type { CodedEvent } from './coded-events.js'
import { spanOf } from './event-span.js'
import { isProposedCall } from './proposed-calls.js'

/** In which order, and how fast, a unit can leave and reach the places of its journey. */

export type JourneyFacts = {
  mode: ShipmentRecord['freight_mode'] | undefined
  /** When the goods are ready, and when the shipment was opened. */
  readyOn: string | undefined
  openedAt: string | undefined
  /** The shortest distance between the places of two steps, if both are known. */
  kmBetween(from: TrackingStepRecord, to: TrackingStepRecord): number | undefined
}

/** Why events cannot be true. */
export type Reasons = Map<CodedEvent, string>

type Moment = { event: CodedEvent; isLeaving: boolean; at: number }

/** What happens at the beginning of a leg, and at its end. */
export const leaving = new Set<CodedEvent['code']>(['LOADED', 'DEPARTED'])
export const reaching = new Set<CodedEvent['code']>(['ARRIVED', 'BERTHED', 'DISCHARGED'])

/**
 * Goes through the actual events of one unit in the order in which they happened. A place that is reached before any place on
 * the way to it is left, while one is left later, is of an earlier trip or wrong; so is a place that is left after a later
 * one was reached.
 */
export function addOutOfOrder(
  reasons: Reasons,
  events: CodedEvent[],
  steps: TrackingStepRecord[],
  facts: JourneyFacts,
): void {
  const moments = momentsOf(events, steps, facts)
  const toBeLeft = steps.map(() => 0)
  for (const { event, isLeaving } of moments) if (isLeaving) toBeLeft[event.step] = (toBeLeft[event.step] ?? 0) + 1
  const left: (Moment | undefined)[] = steps.map(() => undefined)
  const reached = new Set<number>()
  let furthest = -1
  for (const moment of moments) {
    const { event, isLeaving } = moment
    if (isLeaving) {
      toBeLeft[event.step] = (toBeLeft[event.step] ?? 0) - 1
      if (furthest > event.step) reasons.set(event, 'a later place had been reached before')
      else left[event.step] = moment
      continue
    }
    const from = lastBefore(left, event.step)
    if (event.code === 'DELIVERED') {
      if (!from && isAnyBefore(toBeLeft, event.step)) reasons.set(event, 'it had not departed yet')
    } else if (from) {
      const limit = exceededLimit(left, moment, { reached, steps, facts })
      if (limit === undefined) {
        furthest = Math.max(furthest, event.step)
        reached.add(event.step)
      } else reasons.set(event, `it was reached faster than at ${limit}`)
    } else if (isAnyBefore(toBeLeft, event.step)) {
      reasons.set(event, 'the place before was left later')
    }
  }
}

// Loops without copies: a plan may have many steps, and each many events.
function lastBefore(left: (Moment | undefined)[], step: number): Moment | undefined {
  for (let before = step - 1; before >= 0; before -= 1) if (left[before]) return left[before]
  return undefined
}

type Known = { reached: Set<number>; steps: TrackingStepRecord[]; facts: JourneyFacts }

/** A place that is left without having been reached may be on another trip of the container: then the one before it counts. */
function exceededLimit(left: (Moment | undefined)[], to: Moment, { reached, steps, facts }: Known): string | undefined {
  let exceeded: string | undefined
  for (let from = lastBefore(left, to.event.step); from; from = lastBefore(left, from.event.step)) {
    const limit = speedLimit(from, to, steps, facts)
    if (limit === undefined) return undefined
    exceeded ??= limit
    if (reached.has(from.event.step)) return exceeded
  }
  return exceeded
}

function isAnyBefore(counts: number[], step: number): boolean {
  for (let before = 0; before < step; before += 1) if (counts[before]) return true
  return false
}

function momentsOf(events: CodedEvent[], steps: TrackingStepRecord[], { mode }: JourneyFacts): Moment[] {
  // A flight against the sun arrives before it departs where a source writes local times without their offset.
  const slack = mode === 'air' ? 14 * hour : 0
  return events
    .filter(
      ({ code, step }) =>
        (leaving.has(code) || reaching.has(code) || code === 'DELIVERED') && !isProposedCall(steps[step]?.id),
    )
    .map((event) => {
      const isLeaving = leaving.has(event.code)
      // Of events that do not say how precise they are, midnight stands for the day.
      const isDay = event.precision === undefined && event.date?.slice(10, 19) === 'T00:00:00'
      const { from, to } = isDay ? spanOf({ ...event, precision: 'day' }) : event.span
      return { event, isLeaving, at: isLeaving ? from - slack : to }
    })
    .toSorted((one, other) => one.at - other.at || Number(other.isLeaving) - Number(one.isLeaving))
}

type Limit = { kmh: number; text: string }

const limits: Record<'sea' | 'air' | 'land', Limit> = {
  sea: { kmh: 55.56, text: '30 knots' },
  air: { kmh: 1100, text: '1,100 km/h' },
  land: { kmh: 130, text: '130 km/h' },
}
const limitOf: Record<NonNullable<JourneyFacts['mode']>, Limit> = {
  ocean: limits.sea,
  air: limits.air,
  rail: limits.land,
  truck: limits.land,
}

// Of ports and terminals only one point is known.
const nearby = 50

/** The limit that is exceeded between two events, in words. */
function speedLimit(from: Moment, to: Moment, steps: TrackingStepRecord[], facts: JourneyFacts): string | undefined {
  const [start, end] = [steps[from.event.step], steps[to.event.step]]
  const km = start && end && facts.kmBetween(start, end)
  if (km === undefined) return undefined
  const isMain = [start, end].every((step) => step?.type?.endsWith('_port'))
  const { kmh, text } = isMain ? (facts.mode ? limitOf[facts.mode] : limits.air) : limits.land
  return km - nearby > (kmh * (to.at - from.at)) / hour ? text : undefined
}
