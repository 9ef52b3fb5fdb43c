import { groupedBy } from '../records/grouping.js'
import { type CarriedTracking, type CodedEvent, isNewer } from './coded-events.js'
import { leaving } from './journey-order.js'
import { type Journey, journeyOf } from './milestones.js'
import type { DecidedDates } from './tracking-dates.js'
import { boardingAt, vesselEventsOf } from './unit-vessels.js'
import { plainName } from './vessels.js'

/** A vessel by its name, with its voyage if that is known. */
export type Sailing = { vessel: string; voyage: string | undefined }

// Of a shipment with more containers the first ones decide.
const mostUnits = 100

/**
 * The vessel that carries the goods by the events: the one that they are on, else the next one that they are expected on. Of several, the one
 * of most containers. Undefined if no event names a vessel.
 */
export function sailingByEvents(tracking: CarriedTracking, { events: all, units }: DecidedDates): Sailing | undefined {
  // Numbers of flights and trains are those of many trips.
  if (tracking.freight_mode !== undefined && tracking.freight_mode !== 'ocean') return undefined
  const journey = journeyOf(tracking)
  // Before the first port and after the last one, trucks and barges carry the goods.
  const events = all.filter(({ step }) => step >= journey.origin && step <= journey.destination)
  const named = events.filter(isNamed)
  const newest = bestOf(named, () => 0)
  if (!newest) return undefined
  // Most shipments are on one vessel.
  if (named.every((each) => nameOf(each) === nameOf(newest))) return sailingOf(newest)
  const eventsOf = groupedBy(events, ({ container }) => container)
  const ofVessels = vesselEventsOf(events, journey)
  const sailings = units.slice(0, mostUnits).flatMap(({ container }) => {
    const own = container === undefined ? [] : (eventsOf.get(container) ?? [])
    return sailingOfUnit(own, [...own, ...ofVessels(container).concerning], journey) ?? []
  })
  const groups = [...groupedBy(sailings, ({ vessel }) => plainName(vessel)).values()]
  return groups.toSorted((one, other) => other.length - one.length)[0]?.[0]
}

function sailingOfUnit(own: CodedEvent[], all: CodedEvent[], journey: Journey): Sailing | undefined {
  const moves = all.filter((each) => leaving.has(each.code) && isNamed(each))
  const boarded = bestOf(moves.filter(isActual), (one, other) => other.step - one.step)
  const from = boarded ? leftAt(boarded, own, all, journey) : journey.origin
  if (boarded && from === undefined) return sailingOf(boarded)
  const isAhead = (each: CodedEvent) => isExpected(each) && isNamed(each) && each.step >= (from ?? 0)
  const first = (one: CodedEvent, other: CodedEvent) => one.step - other.step
  const next =
    bestOf(moves.filter(isAhead), first) ??
    bestOf(
      all.filter((each) => each.code === 'ARRIVED' && isAhead(each)),
      first,
    )
  return next ? sailingOf(next) : undefined
}

/** Where the unit is without the vessel that it was on: a transshipment, or where it was taken off again. */
function leftAt(boarded: CodedEvent, own: CodedEvent[], all: CodedEvent[], journey: Journey): number | undefined {
  if (boardingAt(own, boarded.step, journey)?.isOnBoard === false) return boarded.step
  return all.find(
    ({ code, status, step }) =>
      code === 'DISCHARGED' && status === 'actual' && step > boarded.step && step < journey.destination,
  )?.step
}

/** The first in an order; of equals the newest. */
function bestOf(events: CodedEvent[], order: (one: CodedEvent, other: CodedEvent) => number): CodedEvent | undefined {
  return events.reduce<CodedEvent | undefined>((best, each) => {
    if (!best) return each
    const rank = order(best, each)
    return rank > 0 || (rank === 0 && isNewer(best, each)) ? each : best
  }, undefined)
}

function sailingOf({ vessel }: CodedEvent): Sailing | undefined {
  return vessel?.name === undefined ? undefined : { vessel: vessel.name, voyage: vessel.voyage }
}

function nameOf({ vessel }: CodedEvent): string {
  return plainName(vessel?.name)
}

function isNamed({ vessel }: CodedEvent): boolean {
  return vessel?.name !== undefined
}

function isActual({ status }: CodedEvent): boolean {
  return status === 'actual'
}

function isExpected({ status }: CodedEvent): boolean {
  return status === 'planned' || status === 'estimated'
}
