import type { TrackingDate } from '../../contract/public/shared-types.js'
import type { TrackingRecord } from '../../contract/public/tracking.js'
import { groupedBy } from '../records/grouping.js'
import { type CodedEvent, codedEvents, isNewer } from './coded-events.js'
import { leaving, reaching } from './journey-order.js'
import { namedSteps } from './tracking.js'
import { trackedContainers } from './tracking-containers.js'
import { plainName, type Vessel } from './vessels.js'

/** How the units of a shipment travel from step to step, by what the events say of them and of their vessels. */

type Leg = {
  from: string
  to: string
  vessel: Vessel | undefined
  state: 'planned' | 'active' | 'done' | 'superseded'
  departure: TrackingDate | undefined
  arrival: TrackingDate | undefined
  /** Its containers; none for a shipment without numbers, or a leg that no container is on any more. */
  units: string[]
}

// Of a shipment with more containers the first ones are shown.
const mostUnits = 100

export function legsOf(tracking: TrackingRecord, ofShipment: string[]): Leg[] {
  const steps = namedSteps(tracking)
  const eventsOf = groupedBy(codedEvents(tracking), ({ container }) => container)
  const ofAll = eventsOf.get(undefined) ?? []
  const units = trackedContainers(tracking, ofShipment).slice(0, mostUnits)
  const legs = new Map<string, Leg & { place: number }>()
  for (const unit of units) {
    const events = unit === undefined ? ofAll : [...(eventsOf.get(unit) ?? []), ...ofAll]
    for (const [place, { id: from }] of steps.slice(0, -1).entries()) {
      const to = steps[place + 1]?.id as string
      for (const { vessel, isLeft, ...statement } of statementsOf(events, place)) {
        const key = JSON.stringify([place, vesselKey(vessel), isLeft])
        const leg = legs.get(key) ?? { place, from, to, vessel, ...statement, units: [] }
        if (unit !== undefined && !isLeft) leg.units.push(unit)
        legs.set(key, { ...leg, state: furthest(leg.state, statement.state) })
      }
    }
  }
  return [...legs.values()]
    .filter((leg) => leg.state !== 'superseded' || !isUsed(leg, legs))
    .toSorted((one, other) => one.place - other.place || rank[other.state] - rank[one.state])
    .map(({ place: _place, ...leg }) => leg)
}

type Statement = Pick<Leg, 'vessel' | 'state' | 'departure' | 'arrival'> & { isLeft: boolean }

/** The vessel that a unit takes from a step to the next, and those that it was to take before. */
function statementsOf(events: CodedEvent[], place: number): Statement[] {
  const [here, there] = [place, place + 1]
  const ofLeg = events.filter(
    ({ code, step }) => (step === here && leaving.has(code)) || (step === there && reaching.has(code)),
  )
  if (ofLeg.length === 0) return []
  const rolled = newest(events.filter(({ code, step }) => step === here && (code === 'ROLLED' || code === 'OFFLOADED')))
  const isMissed = (event: CodedEvent) => rolled !== undefined && !isNewer(rolled, event)
  const current = ofLeg.filter((event) => !isMissed(event))
  const vessel = newest(current.filter((event) => event.vessel !== undefined))?.vessel
  const own = current.filter((event) => event.vessel === undefined || vesselKey(event.vessel) === vesselKey(vessel))
  const left = new Map(
    ofLeg.flatMap((event) =>
      event.vessel && vesselKey(event.vessel) !== vesselKey(vessel) ? [[vesselKey(event.vessel), event.vessel]] : [],
    ),
  )
  const departure = dateOf(own.filter(({ code }) => code === 'DEPARTED'))
  const arrival = dateOf(own.filter(({ code, step }) => step === there && reaching.has(code)))
  const hasLeft = own.some(({ code, status }) => leaving.has(code) && status === 'actual')
  const state = arrival?.status === 'actual' ? 'done' : hasLeft ? 'active' : 'planned'
  const superseded = { state: 'superseded' as const, departure: undefined, arrival: undefined, isLeft: true }
  return [
    ...(own.length > 0 ? [{ vessel, state, departure, arrival, isLeft: false } as const] : []),
    ...[...left.values()].map((each) => ({ ...superseded, vessel: each })),
  ]
}

/** The first actual date, or else the newest expected one. */
function dateOf(events: CodedEvent[]): TrackingDate | undefined {
  const actual = events.filter(({ status }) => status === 'actual')
  const found = actual.length > 0 ? actual.reduce((one, other) => (isNewer(other, one) ? other : one)) : newest(events)
  if (found?.date === undefined || found.status === undefined) return undefined
  return { date: found.date, status: found.status }
}

function newest(events: CodedEvent[]): CodedEvent | undefined {
  return events.reduce<CodedEvent | undefined>((one, other) => (one && !isNewer(one, other) ? one : other), undefined)
}

function vesselKey({ imo, name }: Vessel = {}): string {
  return imo ?? plainName(name)
}

const rank = { superseded: 0, planned: 1, active: 2, done: 3 }

function furthest(one: Leg['state'], other: Leg['state']): Leg['state'] {
  // A leg is done when the last of its units is.
  if (one === other) return one
  return one === 'done' || other === 'done' ? 'active' : rank[one] > rank[other] ? one : other
}

/** Whether some unit does travel on the vessel that others have left. */
function isUsed({ place, vessel }: Leg & { place: number }, legs: Map<string, Leg>): boolean {
  return legs.has(JSON.stringify([place, vesselKey(vessel), false]))
}
