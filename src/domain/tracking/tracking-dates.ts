import type { TrackingDate } from '../../contract/public/shared-types.js'
import type { MainTrackingDates } from '../../contract/public/shipment.js'
import type { Pin, TrackingRecord } from '../../contract/public/tracking.js'
import { hour } from '../dates/local-time.js'
import { finish, type InParts } from '../records/in-parts.js'
import type { CodedEvent } from './coded-events.js'
import { gapBetween } from './event-span.js'
import { evidenceFor, type Journey, type Milestone, milestones } from './milestones.js'
import { isProblemCode, type OfVessels, summaryOf, type UnitDate, unitDates } from './unit-dates.js'
import { type KnownUnits, knownUnitsInParts } from './unit-events.js'
import type { VesselEvents } from './unit-vessels.js'

type InitialDates = NonNullable<TrackingRecord['initial_dates']>

const initialDateOf: Record<Milestone, keyof InitialDates> = {
  pickup_date: 'pickup',
  departure_date: 'etd',
  arrival_date: 'eta',
  delivery_date: 'delivery',
}

/** The rule that decided: in the order in which they are tried. */
export type DateRule =
  | 'happened'
  | 'pinned'
  | 'expected'
  | 'expected_of_others'
  | 'first_plan'
  | 'happened_to_others'
  | 'implied'

/** The date of a milestone, and why it is that. */
export type DateDecision = {
  milestone: Milestone
  shown: TrackingDate | undefined
  rule: DateRule | undefined
  /** The event that the date is from. */
  event: CodedEvent | undefined
  /** Why its status is `problem`. */
  problem: CodedEvent | undefined
  /** From which it follows that it has happened, although the time was not reported. */
  implied: CodedEvent | undefined
  /** What another source says about when it happened, if that is more than 12 hours apart. */
  conflict: CodedEvent | undefined
  /** The date before it was moved, so that it is not before the milestone that precedes it. */
  movedFrom: string | undefined
}

/** The milestone dates of a shipment with these containers. */
export function mainTrackingDates(tracking: TrackingRecord, ofShipment: string[]): MainTrackingDates {
  return finish(mainDatesInParts(tracking, ofShipment))
}

export function* mainDatesInParts(tracking: TrackingRecord, ofShipment: string[]): InParts<MainTrackingDates> {
  return shownDates(yield* decideDatesInParts(tracking, ofShipment))
}

export function shownDates({ decisions }: DecidedDates): MainTrackingDates {
  return Object.fromEntries(decisions.flatMap(({ milestone, shown }) => (shown ? [[milestone, shown]] : [])))
}

export type DecidedDates = { decisions: DateDecision[]; units: Unit[]; events: CodedEvent[] }

/** The only derivation of milestone dates: what is decided, and what is known of each unit, by which events. */
export function decideDates(tracking: TrackingRecord, ofShipment: string[]): DecidedDates {
  return finish(decideDatesInParts(tracking, ofShipment))
}

export function* decideDatesInParts(tracking: TrackingRecord, ofShipment: string[]): InParts<DecidedDates> {
  return yield* decideInParts(tracking, yield* datedUnitsInParts(yield* knownUnitsInParts(tracking, ofShipment)))
}

/** The same from what is known of the units. */
export function* decideInParts(
  tracking: TrackingRecord,
  { units, events, journey }: DatedUnits,
): InParts<DecidedDates> {
  const { initial_dates: initial = {}, pins = {} } = tracking
  const decisions: DateDecision[] = []
  for (const { milestone } of milestones) {
    yield
    const decision = decide(
      units.map(({ dates }) => dates.get(milestone) as UnitDate),
      { initial: initial[initialDateOf[milestone]], pin: pins[milestone] },
    )
    decisions.push({ milestone, ...decision, conflict: conflictWith(decision, milestone, events, journey) })
  }
  return { decisions: consistent(decisions, initial, journey), units, events }
}

/** A container, or the whole shipment if it has none. */
export type Unit = { container: string | undefined; dates: Map<Milestone, UnitDate> }

/** What is known about the milestones of each unit. */
export type DatedUnits = { events: CodedEvent[]; journey: Journey; units: Unit[] }

export function* datedUnitsInParts({ events, journey, units: known }: KnownUnits): InParts<DatedUnits> {
  const none = summaryOf([], journey)
  // The same for all units on the same vessels.
  const summaries = new Map<VesselEvents, OfVessels>()
  const summed = (ofVessels: VesselEvents) => {
    const { concerning, others, contradicted } = ofVessels
    const summary = summaries.get(ofVessels) ?? {
      concerning: summaryOf(concerning, journey),
      others: others.length > 0 ? summaryOf(others, journey) : none,
      contradicted,
    }
    summaries.set(ofVessels, summary)
    return summary
  }
  const units: Unit[] = []
  for (const { container, own, ofVessels } of known) {
    yield
    units.push({ container, dates: unitDates(own.length > 0 ? summaryOf(own, journey) : none, summed(ofVessels)) })
  }
  return { events, journey, units }
}

export function* firstDatesInParts(tracking: TrackingRecord, ofShipment: string[]): InParts<InitialDates> {
  return firstDates(yield* datedUnitsInParts(yield* knownUnitsInParts(tracking, ofShipment)))
}

/** The first plans and estimates, also of what has happened since. */
export function firstDates({ units }: DatedUnits): InitialDates {
  const dates: InitialDates = {}
  for (const { milestone } of milestones) {
    const date = latest(firstStated(units.flatMap(({ dates: known }) => known.get(milestone)?.first ?? [])))?.date
    if (date !== undefined) dates[initialDateOf[milestone]] = date
  }
  return dates
}

/** Of the units, those with the first events: messages about them may come in any order. */
function firstStated(events: CodedEvent[]): (Stated | undefined)[] {
  const issued = events.flatMap(({ issuedAt }) => issuedAt ?? [])
  const first = issued.length === events.length ? Math.min(...issued) : undefined
  return events
    .filter(({ issuedAt }) => first === undefined || issuedAt === first)
    .map((each) => stated(each, 'planned'))
}

/**
 * Actual once it is for all units: the latest of them. Until then the latest of those still to come, by what is expected of
 * them, of the others, by the first plan, by when the others did or they came on board, and at last by what was seen of them since.
 */
type Asked = { initial: string | undefined; pin: Pin | undefined }

function decide(units: UnitDate[], { initial, pin }: Asked): Omit<DateDecision, 'milestone'> {
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
      evidenceOf(units) ??
      decidedBy('implied', latest(remaining.map(({ implied }) => stated(implied, 'estimated'))))),
  }
  const problem = remaining.find(
    (each) => each.problem !== undefined && !isAnswered(each.problem, pinned && pin),
  )?.problem
  if (problem) return withProblem(expected, problem)
  const { shown } = expected
  // It must have happened, so it is no longer only planned.
  const isImplied = remaining.every(({ implied }) => implied !== undefined)
  if (!shown || !isImplied) return expected
  return { ...expected, implied: remaining[0]?.implied, shown: { ...shown, status: 'estimated' } }
}

/** When the others did, or the last of those that remain came on board. */
function evidenceOf(units: UnitDate[]): Decided | undefined {
  const loaded = new Set(units.flatMap(({ actual, loaded: own }) => (actual ? [] : (own ?? []))))
  const last = latest(units.map((unit) => stated(unit.actual ?? unit.loaded, 'estimated')))
  return decidedBy(last?.event && loaded.has(last.event) ? 'implied' : 'happened_to_others', last)
}

/** The date of a hold is no date of the milestone: without an expected one, the problem has none. */
function withProblem<Expected extends Omit<DateDecision, 'milestone'>>(
  expected: Expected,
  problem: CodedEvent,
): Expected {
  // A delivery that failed was expected then, as is any other event with the status `problem`.
  const isOwn = problem.code === 'DELIVERY_FAILED' || (problem.status === 'problem' && !isProblemCode(problem.code))
  const own = expected.shown || !isOwn ? undefined : decidedBy('expected', stated(problem, 'problem'))
  const { shown, ...rest } = { ...expected, ...own }
  return { ...expected, ...rest, problem, shown: shown && { ...shown, status: 'problem' } }
}

/** A date that was pinned after a problem was known takes it into account. */
function isAnswered({ issuedAt }: CodedEvent, pin: Pin | undefined): boolean {
  return pin !== undefined && (issuedAt === undefined || issuedAt < Date.parse(pin.pinned_at))
}

const conflicting = 12 * hour

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
      // Nobody knows whether what names no source is the correction of another that names none.
      (other.source === undefined || other.source !== event.source) &&
      (other.container === undefined || event.container === undefined || other.container === event.container) &&
      other.date !== undefined &&
      gapBetween(other.span, event.span) > conflicting &&
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

type Decided = Pick<DateDecision, 'shown' | 'rule' | 'event'>

function decidedBy(rule: DateRule, date: Stated | undefined): Decided | undefined {
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
  let last: Stated | undefined
  // Of equal ones the last.
  for (const date of dates) if (date && !(last && instant(date.date) < instant(last.date))) last = date
  return last
}

const instant = (date: string | undefined) => Date.parse(date ?? '')

/** What is expected is not before what precedes it, with the planned time between them. */
function consistent(decisions: DateDecision[], initial: InitialDates, journey: Journey): DateDecision[] {
  const result = new Map(decisions.map((decision) => [decision.milestone, decision]))
  for (const [before, after] of [
    ['departure_date', 'arrival_date'],
    ['arrival_date', 'delivery_date'],
  ] as const) {
    const decision = result.get(after) as DateDecision
    const earlier = result.get(before) as DateDecision
    const [from, to] = [earlier.shown, decision.shown]
    if (!from?.date || !to?.date || to.status === 'actual' || isSeenSince(earlier, journey)) continue
    const lag =
      after === 'delivery_date' ? plannedLag(initial[initialDateOf[before]], initial[initialDateOf[after]]) : 0
    const least = instant(from.date) + lag
    // A day without a time lasts until its end.
    if ((isOf(to, decision.event) ? decision.event.span.to : instant(to.date)) >= least) continue
    result.set(after, { ...decision, shown: { ...to, date: atOffsetOf(to.date, least) }, movedFrom: to.date })
  }
  return [...result.values()]
}

/** Whether a date is the one that an event states. */
export function isOf({ date }: TrackingDate, event: CodedEvent | undefined): event is CodedEvent {
  return event?.date === date
}

// A date that only follows from a later event says nothing about what comes after it.
function isSeenSince({ rule, event }: DateDecision, { origin }: Journey): boolean {
  return rule === 'implied' && event !== undefined && event.step > origin
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
