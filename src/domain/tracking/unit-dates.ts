import type { EventCode } from '../../contract/public/event-codes.js'
import { authorityOf } from './authority.js'
import { type CodedEvent, isNewer } from './coded-events.js'
import { type Evidence, evidenceFor, type Journey, type Milestone, milestones, milestonesFrom } from './milestones.js'
import { plainName } from './vessels.js'

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

type Found = CodedEvent | undefined

/** The events that decide about one milestone. */
type Facts = {
  actual: Record<Evidence, Found>
  expected: Record<Evidence, Found>
  first: Found
}

/**
 * What some events say, without the events that cannot matter: a shipment may have thousands of units, and what is said of
 * its vessel counts for each.
 */
export type Summary = {
  facts: Map<Milestone, Facts>
  /** The newest by code and by the milestone that it may concern first. */
  problems: Map<string, { event: CodedEvent; concerns: Milestone[] }>
  /** The newest actual events of the codes that end a problem, by code, and by code and step. */
  ends: Map<string, CodedEvent>
  /** The last that was said about being on board at the origin, and whether the unit was left behind there before. */
  boarding: Found
  wasRolled: boolean
  /** Of vessels from the origin. */
  departures: CodedEvent[]
}

export function summaryOf(events: CodedEvent[], journey: Journey): Summary {
  const summary: Summary = {
    facts: new Map(milestones.map(({ milestone }) => [milestone, noFacts()])),
    problems: new Map(),
    ends: new Map(),
    boarding: undefined,
    wasRolled: false,
    departures: [],
  }
  for (const event of events) add(summary, event, journey)
  return summary
}

function noFacts(): Facts {
  const none = { own: undefined, weaker: undefined, weakest: undefined, implied: undefined }
  return { actual: { ...none }, expected: { ...none }, first: undefined }
}

function add(summary: Summary, event: CodedEvent, journey: Journey): void {
  const { facts, problems, ends } = summary
  for (const [milestone, known] of facts) {
    const evidence = event.date === undefined ? undefined : evidenceFor(milestone, event, journey)
    // Whether a unit is on board depends on what was said of it since.
    if (evidence !== undefined && !boarding.has(event.code)) addFact(known, evidence, event)
  }
  if (isProblem(event)) {
    const concerns = milestonesFrom(event, journey)
    const key = `${event.code} ${concerns[0]}`
    const known = problems.get(key)
    if (!known || isNewer(known.event, event)) problems.set(key, { event, concerns })
  }
  if (event.status === 'actual' && ending.has(event.code)) {
    const keys = [endKey(event.code, event.step), ...(event.issuedAt === undefined ? [] : [event.code])]
    for (const key of keys) ends.set(key, newer(ends.get(key), event))
  }
  if (event.step > journey.origin) return
  if (event.code === 'DEPARTED' && event.status === 'actual' && event.date !== undefined) summary.departures.push(event)
  if (!isBoarding(event, journey)) return
  summary.boarding = newer(summary.boarding, event)
  summary.wasRolled ||= event.code !== 'LOADED'
}

function addFact(known: Facts, evidence: Evidence, event: CodedEvent): void {
  if (event.status === 'actual') known.actual[evidence] = choices[evidence](known.actual[evidence], event)
  if (event.status !== 'planned' && event.status !== 'estimated') return
  known.expected[evidence] = better(known.expected[evidence], event)
  if (evidence === 'own') known.first = older(known.first, event)
}

/** What is known about each milestone of a unit, by what is said of it, and of its vessel or the whole shipment. */
export function unitDates(own: Summary, ofAll: Summary): Map<Milestone, UnitDate> {
  const dates = new Map<Milestone, UnitDate>()
  for (const [milestone, unit] of own.facts) {
    const ownDate = () => (milestone === 'departure_date' ? withoutMissed(own, unit.actual.own) : unit.actual.own)
    const all = ofAll.facts.get(milestone) ?? noFacts()
    const ofVessel = () => (milestone === 'departure_date' && own.boarding ? departureOf(own, ofAll) : all.actual.own)
    const actual = (evidence: Evidence) =>
      evidence === 'own'
        ? // What is said of the unit itself comes first.
          (ownDate() ?? ofVessel())
        : either(choices[evidence], unit.actual[evidence], all.actual[evidence])
    const expected = (evidence: Evidence) => either(better, unit.expected[evidence], all.expected[evidence])
    dates.set(milestone, {
      actual: actual('own') ?? actual('weaker') ?? actual('weakest'),
      expected: expected('own') ?? expected('weaker') ?? expected('weakest'),
      first: either(older, unit.first, all.first),
      implied: actual('implied') ?? (milestone === 'departure_date' ? loadingOf(own, ofAll) : undefined),
      problem: undefined,
    })
  }
  addProblems(dates, [own, ofAll])
  return dates
}

/**
 * The departure of the vessel that a unit is on: none while it is left behind; after it was loaded again, not that of the
 * vessel that it missed.
 */
function departureOf({ boarding: last, wasRolled }: Summary, { departures }: Summary): Found {
  if (last?.code !== 'LOADED') return undefined
  return departures
    .filter((each) => isSameVessel(each, last) && !(wasRolled && isBefore(each, last)))
    .reduce<Found>(first, undefined)
}

/** That a unit is on board implies that it departs with its vessel. */
function loadingOf(own: Summary, ofAll: Summary): Found {
  const { boarding: last } = own.boarding ? own : ofAll
  return last?.code === 'LOADED' ? last : undefined
}

// The whole shipment was taken off a vessel, or not taken along: the vessel departs without it.
function withoutMissed({ boarding: last }: Summary, departure: Found): Found {
  const isLeftBehind = last !== undefined && last.code !== 'LOADED'
  const isNamed = last?.vessel !== undefined && departure?.vessel !== undefined
  return departure && isLeftBehind && isNamed && isSameVessel(departure, last) ? undefined : departure
}

/** Also if one of them does not name it. */
function isSameVessel({ vessel: one }: CodedEvent, { vessel: other }: CodedEvent): boolean {
  if (one?.imo !== undefined && other?.imo !== undefined) return one.imo === other.imo
  if (one?.name === undefined || other?.name === undefined) return true
  return plainName(one.name) === plainName(other.name)
}

/**
 * A problem belongs to the next milestone: the first at its step or after it that had not been reached then. It ends with the
 * release, with a newer expected date of that milestone, or when it is reached.
 */
function addProblems(dates: Map<Milestone, UnitDate>, summaries: Summary[]): void {
  for (const { event, concerns } of summaries.flatMap(({ problems }) => [...problems.values()])) {
    if (summaries.some(({ ends }) => hasEnded(event, ends))) continue
    const next = concerns.find((milestone) => !wasReached(dates.get(milestone), event))
    const date = next && dates.get(next)
    if (!date || date.actual || date.implied) continue
    const isOver = date.expected !== undefined && isRevision(event, date.expected)
    if (!isOver && (!date.problem || isNewer(date.problem, event))) date.problem = event
  }
}

const endedBy: Partial<Record<EventCode, EventCode[]>> = {
  CUSTOMS_HOLD: ['CUSTOMS_RELEASED', 'CUSTOMS_CLEARED_EXPORT'],
  CUSTOMS_INSPECTION: ['CUSTOMS_RELEASED', 'CUSTOMS_CLEARED_EXPORT'],
  CARRIER_HOLD: ['CARRIER_RELEASED'],
  ROLLED: ['LOADED'],
  OFFLOADED: ['LOADED'],
  DELIVERY_FAILED: ['OUT_FOR_DELIVERY'],
  DELAYED: [],
}
const ending = new Set(Object.values(endedBy).flat())
const boarding = new Set<EventCode>(['LOADED', 'ROLLED', 'OFFLOADED'])

/** Whether it says that a unit is on board at the origin, or left behind there. */
export function isBoarding({ code, status, step }: CodedEvent, { origin }: Journey): boolean {
  return boarding.has(code) && (status === 'actual' || status === 'problem') && step <= origin
}

function isProblem({ status, code }: CodedEvent): boolean {
  return status === 'problem' || (status === 'actual' && endedBy[code] !== undefined)
}

function hasEnded(problem: CodedEvent, ends: Summary['ends']): boolean {
  return (endedBy[problem.code] ?? []).some((code) =>
    [endKey(code, problem.step), code].some((key) => {
      const end = ends.get(key)
      return end !== undefined && isKnownLater(problem, end)
    }),
  )
}

function endKey(code: EventCode, step: number): string {
  return `${code} ${step}`
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

type Choice = (known: Found, event: CodedEvent) => CodedEvent

const newer: Choice = (known, event) => (known && !isNewer(known, event) ? known : event)
const older: Choice = (known, event) => (known && !isNewer(event, known) ? known : event)
// Between parties, the one that knows best; of one, the first stands until it corrects it.
const first: Choice = (known, event) => byAuthority(known, event) ?? older(known, event)
const earlier: Choice = (known, event) => (known && !isBefore(event, known) ? known : event)
// The one issued last counts; among events that do not say when they were issued, an estimate comes before a plan.
const better: Choice = (known, event) => byAuthority(known, event) ?? (known && !isBetter(event, known) ? known : event)

/** The first one known of its own code stands until its source corrects it; of weaker evidence the earliest. */
const choices: Record<Evidence, Choice> = { own: first, weaker: earlier, weakest: earlier, implied: earlier }

function byAuthority(known: Found, event: CodedEvent): Found {
  const more = known ? authorityOf(event) - authorityOf(known) : 0
  return more === 0 ? undefined : more > 0 ? event : known
}

function either(choose: Choice, one: Found, other: Found): Found {
  return other ? choose(one, other) : one
}

function isBefore(one: CodedEvent, other: CodedEvent): boolean {
  return Date.parse(one.date ?? '') < Date.parse(other.date ?? '')
}

function isBetter(event: CodedEvent, known: CodedEvent): boolean {
  const areIssued = event.issuedAt !== undefined && known.issuedAt !== undefined
  if (!areIssued && event.status !== known.status) return event.status === 'estimated'
  return isNewer(known, event)
}
