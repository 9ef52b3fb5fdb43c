import type { TrackingDate } from '../../contract/public/shared-types.js'
import type { MainTrackingDates } from '../../contract/public/shipment.js'
import type { Pin, TrackingRecord } from '../../contract/public/tracking.js'
import { groupedBy } from '../records/grouping.js'
import { type CodedEvent, codedEvents } from './coded-events.js'
import { evidenceFor, type Journey, journeyOf, type Milestone, milestones } from './milestones.js'
import { trackedContainers } from './tracking-containers.js'
import { summaryOf, type UnitDate, unitDates } from './unit-dates.js'

type InitialDates = NonNullable<TrackingRecord['initial_dates']>

const initialDateOf: Record<Milestone, keyof InitialDates> = {
  pickup_date: 'pickup',
  departure_date: 'etd',
  arrival_date: 'eta',
  delivery_date: 'delivery',
}

/** The rule that decided: in the order in which they are tried. */
export type DateRule = 'happened' | 'pinned' | 'expected' | 'expected_of_others' | 'first_plan' | 'happened_to_others'

/** The date of a milestone, and why it is that. */
export type DateDecision = {
  milestone: Milestone
  shown: TrackingDate | undefined
  rule: DateRule | undefined
  /** The event that the date is from. */
  event: CodedEvent | undefined
  /** Why its status is `problem`. */
  problem: CodedEvent | undefined
  /** From which it follows that it has happened, although nobody said when. */
  implied: CodedEvent | undefined
  /** What another source says about when it happened, if that is more than 12 hours apart. */
  conflict: CodedEvent | undefined
  /** The date before it was moved, so that it is not before the milestone that precedes it. */
  movedFrom: string | undefined
}

/** The milestone dates of a shipment with these containers. */
export function mainTrackingDates(tracking: TrackingRecord, ofShipment: string[]): MainTrackingDates {
  const { decisions } = decideDates(tracking, ofShipment)
  return Object.fromEntries(decisions.flatMap(({ milestone, shown }) => (shown ? [[milestone, shown]] : [])))
}

export type DecidedDates = { decisions: DateDecision[]; units: Unit[]; events: CodedEvent[] }

/** The only derivation of milestone dates: what is decided, and what is known of each unit, by which events. */
export function decideDates(tracking: TrackingRecord, ofShipment: string[]): DecidedDates {
  const events = codedEvents(tracking)
  const units = unitsOf(tracking, ofShipment, events)
  const { initial_dates: initial = {}, pins = {} } = tracking
  const journey = journeyOf(tracking)
  const decisions = milestones.map(({ milestone }) => {
    const decision = decide(
      units.map(({ dates }) => dates.get(milestone) as UnitDate),
      { initial: initial[initialDateOf[milestone]], pin: pins[milestone] },
    )
    return { milestone, ...decision, conflict: conflictWith(decision, milestone, events, journey) }
  })
  return { decisions: consistent(decisions, initial, units), units, events }
}

/** A container, or the whole shipment if it has none. */
export type Unit = { container: string | undefined; dates: Map<Milestone, UnitDate> }

function unitsOf(tracking: TrackingRecord, ofShipment: string[], events = codedEvents(tracking)): Unit[] {
  const eventsOf = groupedBy(events, ({ container }) => container)
  const journey = journeyOf(tracking)
  const ofAll = summaryOf(eventsOf.get(undefined) ?? [], journey)
  // The same for all units of which nothing is said.
  const none = summaryOf([], journey)
  const unknown = unitDates(none, ofAll)
  return trackedContainers(tracking, ofShipment).map((container) => {
    if (container === undefined) return { container, dates: unitDates(ofAll, none) }
    const own = eventsOf.get(container)
    return { container, dates: own ? unitDates(summaryOf(own, journey), ofAll) : unknown }
  })
}

/** The first plans and estimates, also of what has happened since. */
export function firstExpectedDates(tracking: TrackingRecord, ofShipment: string[]): InitialDates {
  const units = unitsOf(tracking, ofShipment)
  const dates: InitialDates = {}
  for (const { milestone } of milestones) {
    const date = latest(units.map(({ dates: known }) => stated(known.get(milestone)?.first, 'planned')))?.date
    if (date !== undefined) dates[initialDateOf[milestone]] = date
  }
  return dates
}

/**
 * Actual once it is for all units: the latest of them. Until then the latest of those still to come, by what is expected of
 * them, of the others, by the first plan, and at last by when the others did.
 */
function decide(
  units: UnitDate[],
  { initial, pin }: { initial: string | undefined; pin: Pin | undefined },
): Omit<DateDecision, 'milestone'> {
  const remaining = units.filter(({ actual }) => !actual)
  if (remaining.length === 0) {
    return { ...undecided, ...decidedBy('happened', latest(units.map(({ actual }) => stated(actual, 'actual')))) }
  }
  // An operator's date stands until the first unit has got there.
  const pinned = pin && remaining.length === units.length ? { date: pin.date, status: 'estimated' as const } : undefined
  const expected = {
    ...undecided,
    ...(decidedBy('pinned', pinned) ??
      decidedBy('expected', latest(remaining.map(expectedDate))) ??
      decidedBy('expected_of_others', latest(units.map(expectedDate))) ??
      decidedBy('first_plan', initial === undefined ? undefined : { date: initial, status: 'planned' }) ??
      decidedBy('happened_to_others', latest(units.map((unit) => stated(unit.actual ?? unit.implied, 'estimated'))))),
  }
  const { shown } = expected
  const problem = remaining.find(
    (each) => each.problem !== undefined && !isAnswered(each.problem, pinned && pin),
  )?.problem
  const date = shown?.date ?? problem?.date
  if (problem) return { ...expected, problem, shown: date === undefined ? undefined : { date, status: 'problem' } }
  // It must have happened, so it is no longer only planned.
  const isImplied = remaining.every(({ implied }) => implied !== undefined)
  if (!shown || !isImplied) return expected
  return { ...expected, implied: remaining[0]?.implied, shown: { ...shown, status: 'estimated' } }
}

/** A date that was pinned after a problem was known takes it into account. */
function isAnswered({ issuedAt }: CodedEvent, pin: Pin | undefined): boolean {
  return pin !== undefined && (issuedAt === undefined || issuedAt < Date.parse(pin.pinned_at))
}

const conflicting = 12 * 60 * 60 * 1000

function conflictWith(
  { rule, event }: Omit<DateDecision, 'milestone'>,
  milestone: Milestone,
  events: CodedEvent[],
  journey: Journey,
): CodedEvent | undefined {
  if (rule !== 'happened' || !event) return undefined
  return events.find(
    (other) =>
      other.status === 'actual' &&
      other.source !== event.source &&
      (other.container === undefined || event.container === undefined || other.container === event.container) &&
      other.date !== undefined &&
      Math.abs(instant(other.date) - instant(event.date)) > conflicting &&
      evidenceFor(milestone, other, journey) === 'own',
  )
}

const undecided: Omit<DateDecision, 'milestone'> = {
  shown: undefined,
  rule: undefined,
  event: undefined,
  problem: undefined,
  implied: undefined,
  conflict: undefined,
  movedFrom: undefined,
}

/** A date, and the event that states it. */
type Stated = TrackingDate & { event?: CodedEvent | undefined }

function decidedBy(
  rule: DateRule,
  date: Stated | undefined,
): Pick<DateDecision, 'shown' | 'rule' | 'event'> | undefined {
  if (!date) return undefined
  const { event, ...shown } = date
  return { shown, rule, event }
}

function expectedDate({ expected }: UnitDate): Stated | undefined {
  return stated(expected, expected?.status === 'planned' ? 'planned' : 'estimated')
}

function stated(event: CodedEvent | undefined, status: TrackingDate['status']): Stated | undefined {
  return event?.date === undefined ? undefined : { date: event.date, status, event }
}

function latest(dates: (Stated | undefined)[]): Stated | undefined {
  const known = dates.flatMap((date) => date ?? [])
  return known.toSorted((one, other) => instant(one.date) - instant(other.date)).at(-1)
}

const instant = (date: string | undefined) => Date.parse(date ?? '')

/** What is expected is not before what precedes it, with the planned time between them. */
function consistent(decisions: DateDecision[], initial: InitialDates, units: Unit[]): DateDecision[] {
  const result = new Map(decisions.map((decision) => [decision.milestone, decision]))
  for (const [before, after] of [
    ['departure_date', 'arrival_date'],
    ['arrival_date', 'delivery_date'],
  ] as const) {
    const decision = result.get(after) as DateDecision
    const [from, to] = [result.get(before)?.shown, decision.shown]
    if (!from?.date || !to?.date || to.status === 'actual' || !isSaid(before, units)) continue
    const lag =
      after === 'delivery_date' ? plannedLag(initial[initialDateOf[before]], initial[initialDateOf[after]]) : 0
    const least = instant(from.date) + lag
    if (instant(to.date) >= least) continue
    result.set(after, { ...decision, shown: { ...to, date: atOffsetOf(to.date, least) }, movedFrom: to.date })
  }
  return [...result.values()]
}

// A date that only follows from a later event says nothing about what comes after it.
function isSaid(milestone: Milestone, units: Unit[]): boolean {
  return units.some(({ dates }) => (dates.get(milestone)?.actual ?? dates.get(milestone)?.expected) !== undefined)
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
