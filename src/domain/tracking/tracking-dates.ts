import type { TrackingDate } from '../../contract/public/shared-types.js'
import type { MainTrackingDates } from '../../contract/public/shipment.js'
import type { TrackingRecord } from '../../contract/public/tracking.js'
import { groupedBy } from '../records/grouping.js'
import { codedEvents } from './coded-events.js'
import { journeyOf, type Milestone, milestones } from './milestones.js'
import { trackedContainers } from './tracking-containers.js'
import { summaryOf, type UnitDate, unitDates } from './unit-dates.js'

type InitialDates = NonNullable<TrackingRecord['initial_dates']>

const initialDateOf: Record<Milestone, keyof InitialDates> = {
  pickup_date: 'pickup',
  departure_date: 'etd',
  arrival_date: 'eta',
  delivery_date: 'delivery',
}

/** The milestone dates of a shipment with these containers: the only derivation of them. */
export function mainTrackingDates(tracking: TrackingRecord, ofShipment: string[]): MainTrackingDates {
  const units = unitsOf(tracking, ofShipment)
  const { initial_dates: initial = {} } = tracking
  const dates: MainTrackingDates = {}
  for (const { milestone } of milestones) {
    const known = units.map((unit) => unit.get(milestone) as UnitDate)
    const date = shipmentDate(known, initial[initialDateOf[milestone]])
    if (date) dates[milestone] = date
  }
  return consistent(dates, initial, units)
}

type Unit = Map<Milestone, UnitDate>

function unitsOf(tracking: TrackingRecord, ofShipment: string[]): Unit[] {
  const eventsOf = groupedBy(codedEvents(tracking), ({ container }) => container)
  const journey = journeyOf(tracking)
  const ofAll = summaryOf(eventsOf.get(undefined) ?? [], journey)
  // The same for all units of which nothing is said.
  const unknown = unitDates(summaryOf([], journey), ofAll)
  return trackedContainers(tracking, ofShipment).map((unit) => {
    const own = unit === undefined ? undefined : eventsOf.get(unit)
    return own ? unitDates(summaryOf(own, journey), ofAll) : unknown
  })
}

/** The first plans and estimates, also of what has happened since. */
export function firstExpectedDates(tracking: TrackingRecord, ofShipment: string[]): InitialDates {
  const units = unitsOf(tracking, ofShipment)
  const dates: InitialDates = {}
  for (const { milestone } of milestones) {
    const date = latest(units.map((unit) => dated(unit.get(milestone)?.first?.date, 'planned')))?.date
    if (date !== undefined) dates[initialDateOf[milestone]] = date
  }
  return dates
}

/**
 * Actual once it is for all units: the latest of them. Until then the latest of those still to come, by what is expected of
 * them, of the others, by the first plan, and at last by when the others did.
 */
function shipmentDate(units: UnitDate[], initial: string | undefined): TrackingDate | undefined {
  const remaining = units.filter(({ actual }) => !actual)
  if (remaining.length === 0) return latest(units.map(({ actual }) => dated(actual?.date, 'actual')))
  const expected =
    latest(remaining.map(expectedDate)) ??
    latest(units.map(expectedDate)) ??
    dated(initial, 'planned') ??
    latest(units.map(({ actual, implied }) => dated((actual ?? implied)?.date, 'estimated')))
  const problem = remaining.find((each) => each.problem !== undefined)?.problem
  if (problem) return dated(expected?.date ?? problem.date, 'problem')
  // It must have happened, so it is no longer only planned.
  const isImplied = remaining.every(({ implied }) => implied !== undefined)
  return expected && isImplied ? { ...expected, status: 'estimated' } : expected
}

function expectedDate({ expected }: UnitDate): TrackingDate | undefined {
  return dated(expected?.date, expected?.status === 'planned' ? 'planned' : 'estimated')
}

function dated(date: string | undefined, status: TrackingDate['status']): TrackingDate | undefined {
  return date === undefined ? undefined : { date, status }
}

function latest(dates: (TrackingDate | undefined)[]): TrackingDate | undefined {
  const known = dates.flatMap((date) => date ?? [])
  return known.toSorted((one, other) => instant(one.date) - instant(other.date)).at(-1)
}

const instant = (date: string | undefined) => Date.parse(date ?? '')

/** What is expected is not before what precedes it, with the planned time between them. */
function consistent(dates: MainTrackingDates, initial: InitialDates, units: Unit[]): MainTrackingDates {
  const result = { ...dates }
  for (const [before, after] of [
    ['departure_date', 'arrival_date'],
    ['arrival_date', 'delivery_date'],
  ] as const) {
    const [from, to] = [result[before], result[after]]
    if (!from?.date || !to?.date || to.status === 'actual' || !isSaid(before, units)) continue
    const lag =
      after === 'delivery_date' ? plannedLag(initial[initialDateOf[before]], initial[initialDateOf[after]]) : 0
    const least = instant(from.date) + lag
    if (instant(to.date) < least) result[after] = { ...to, date: atOffsetOf(to.date, least) }
  }
  return result
}

// A date that only follows from a later event says nothing about what comes after it.
function isSaid(milestone: Milestone, units: Unit[]): boolean {
  return units.some((unit) => (unit.get(milestone)?.actual ?? unit.get(milestone)?.expected) !== undefined)
}

function plannedLag(from: string | undefined, to: string | undefined): number {
  return Math.max(0, from && to ? instant(to) - instant(from) : 0)
}

/** An instant in the offset of another date. */
function atOffsetOf(date: string, at: number): string {
  const offset = /[+-]\d\d:\d\d$/.exec(date)?.[0]
  if (offset === undefined) return `${new Date(at).toISOString().slice(0, 19)}Z`
  const [hours, minutes] = offset.slice(1).split(':').map(Number) as [number, number]
  const shift = (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
  return `${new Date(at + shift).toISOString().slice(0, 19)}${offset}`
}
