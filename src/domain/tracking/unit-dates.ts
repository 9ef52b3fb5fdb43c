import type { EventCode } from '../../contract/public/event-codes.js'
import { type CodedEvent, isNewer } from './coded-events.js'
import { type Evidence, evidenceFor, type Journey, type Milestone, milestones } from './milestones.js'

/** What is known about one milestone of one unit: a container, or the whole shipment if it has none. */
export type UnitDate = {
  actual: CodedEvent | undefined
  expected: CodedEvent | undefined
  /** The first plan or estimate that was known. */
  first: CodedEvent | undefined
  /** It must have happened, but nobody said when. */
  implied: CodedEvent | undefined
  problem: CodedEvent | undefined
}

/** The events of a unit, and those that refer to no unit, which count for all. */
export function eventsOfUnit(events: CodedEvent[], unit: string | undefined): CodedEvent[] {
  const own = events.filter(({ container }) => container === undefined || container === unit)
  return unit === undefined ? own : own.filter((event) => !isMissedDeparture(event, own))
}

// A unit that was rolled is not on the vessel that departs then, until it is said to be loaded.
function isMissedDeparture(event: CodedEvent, events: CodedEvent[]): boolean {
  if (event.container !== undefined || event.code !== 'DEPARTED') return false
  const last = newest(events, (each) => each.container !== undefined && boarding.has(each.code))
  return last !== undefined && last.code !== 'LOADED' && last.step === event.step
}

const boarding = new Set<EventCode>(['LOADED', 'ROLLED', 'OFFLOADED'])

export function unitDate(milestone: Milestone, events: CodedEvent[], journey: Journey): UnitDate {
  const byEvidence = (wanted: Evidence) =>
    events.filter((event) => event.date !== undefined && evidenceFor(milestone, event, journey) === wanted)
  const actual = firstActual(byEvidence('own')) ?? earliest(byEvidence('weaker')) ?? earliest(byEvidence('weakest'))
  const expected =
    newestExpected(byEvidence('own')) ?? newestExpected(byEvidence('weaker')) ?? newestExpected(byEvidence('weakest'))
  const first = oldest(byEvidence('own').filter(isExpected))
  return { actual, expected, first, implied: earliest(byEvidence('implied')), problem: undefined }
}

// The first one known stands until its source corrects it.
function firstActual(events: CodedEvent[]): CodedEvent | undefined {
  const actual = events.filter(({ status }) => status === 'actual')
  // What is said of the unit itself comes before what is said of its vessel.
  const own = actual.filter(({ container }) => container !== undefined)
  return oldest(own.length > 0 ? own : actual)
}

function oldest(events: CodedEvent[]): CodedEvent | undefined {
  return events.reduce<CodedEvent | undefined>(
    (first, event) => (first && !isNewer(event, first) ? first : event),
    undefined,
  )
}

function earliest(events: CodedEvent[]): CodedEvent | undefined {
  const actual = events.filter(({ status }) => status === 'actual')
  return actual.reduce<CodedEvent | undefined>(
    (first, event) => (first && !isBefore(event, first) ? first : event),
    undefined,
  )
}

function isBefore(one: CodedEvent, other: CodedEvent): boolean {
  return Date.parse(one.date ?? '') < Date.parse(other.date ?? '')
}

// The one issued last counts; among events that do not say when they were issued, an estimate comes before a plan.
function newestExpected(events: CodedEvent[]): CodedEvent | undefined {
  const expected = events.filter(isExpected)
  return expected.reduce<CodedEvent | undefined>(
    (best, event) => (best && !isBetter(event, best) ? best : event),
    undefined,
  )
}

function isExpected({ status }: CodedEvent): boolean {
  return status === 'planned' || status === 'estimated'
}

function isBetter(event: CodedEvent, best: CodedEvent): boolean {
  const areIssued = event.issuedAt !== undefined && best.issuedAt !== undefined
  if (!areIssued && event.status !== best.status) return event.status === 'estimated'
  return isNewer(best, event)
}

function newest(events: CodedEvent[], isWanted: (event: CodedEvent) => boolean): CodedEvent | undefined {
  return events
    .filter(isWanted)
    .reduce<CodedEvent | undefined>((best, event) => (best && !isNewer(best, event) ? best : event), undefined)
}

const released: Partial<Record<EventCode, EventCode[]>> = {
  CUSTOMS_HOLD: ['CUSTOMS_RELEASED', 'CUSTOMS_CLEARED_EXPORT'],
  CUSTOMS_INSPECTION: ['CUSTOMS_RELEASED', 'CUSTOMS_CLEARED_EXPORT'],
  CARRIER_HOLD: ['CARRIER_RELEASED'],
  ROLLED: ['LOADED'],
  OFFLOADED: ['LOADED'],
  DELIVERY_FAILED: ['OUT_FOR_DELIVERY'],
  DELAYED: [],
}

/**
 * A problem belongs to the next milestone: the first at its step or after it that had not been reached then. It ends with the
 * release, with a newer expected date of that milestone, or when it is reached.
 */
export function addProblems(dates: Map<Milestone, UnitDate>, events: CodedEvent[], journey: Journey): void {
  for (const event of events) {
    const ends = released[event.code]
    const isProblem = event.status === 'problem' || (event.status === 'actual' && ends !== undefined)
    if (!isProblem) continue
    if (events.some((each) => each.status === 'actual' && ends?.includes(each.code) && isKnownLater(event, each)))
      continue
    const next = milestonesFrom(event, journey).find((milestone) => !wasReached(dates.get(milestone), event))
    const date = next && dates.get(next)
    if (!date || date.actual || date.implied) continue
    const isOver = date.expected !== undefined && isRevision(event, date.expected)
    if (!isOver && (!date.problem || isNewer(date.problem, event))) date.problem = event
  }
}

// Events that do not say when they were issued are in the order of knowledge within one step only.
function isKnownLater(event: CodedEvent, other: CodedEvent): boolean {
  const areIssued = event.issuedAt !== undefined && other.issuedAt !== undefined
  return (areIssued || event.step === other.step) && isNewer(event, other)
}

// A plan that does not say when it was issued was made before the problem.
function isRevision(problem: CodedEvent, expected: CodedEvent): boolean {
  return isKnownLater(problem, expected) && (expected.status === 'estimated' || expected.issuedAt !== undefined)
}

function wasReached(date: UnitDate | undefined, event: CodedEvent): boolean {
  const reached = date?.actual ?? date?.implied
  return reached !== undefined && (event.date === undefined || !isBefore(event, reached))
}

/** The milestones of the journey at the step of an event and after it. */
function milestonesFrom({ type, step }: CodedEvent, { types, endsAtPort }: Journey): Milestone[] {
  const order = types.map((each) => milestones.findIndex((milestone) => milestone.step === each))
  const own = milestones.findIndex((milestone) => milestone.step === type)
  // A step without a milestone, such as a transshipment, is on the way to the next one that has one.
  const from = own >= 0 ? own : Math.min(...order.slice(step).filter((index) => index >= 0), milestones.length)
  return milestones
    .slice(from)
    .filter((each) => types.includes(each.step) || (each.milestone === 'delivery_date' && endsAtPort))
    .map(({ milestone }) => milestone)
}
