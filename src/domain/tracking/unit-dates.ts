import type { EventCode } from '../../contract/public/event-codes.js'
import { authorityOf } from './authority.js'
import { type CodedEvent, isNewer } from './coded-events.js'
import { reaching } from './journey-order.js'
import { type Evidence, evidenceFor, type Journey, type Milestone, milestones, milestonesFrom } from './milestones.js'
import { type Boarding, boardingAt } from './unit-vessels.js'

/** What is known about one milestone of one unit: a container, or the whole shipment if it has none. */
export type UnitDate = {
  actual: CodedEvent | undefined
  expected: CodedEvent | undefined
  /** The first plan or estimate that was known. */
  first: CodedEvent | undefined
  /** It must have happened, but the time was not reported. */
  implied: CodedEvent | undefined
  /** That it is on board, which is nearer to its departure than what was seen of it afterwards. */
  loaded: CodedEvent | undefined
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
 * What some events say, without the events that cannot matter: a shipment may have thousands of units, and the events of
 * its vessel count for each.
 */
export type Summary = {
  facts: Map<Milestone, Facts>
  /** The newest by code, authority, and the milestone that it may concern first. */
  problems: Map<string, { event: CodedEvent; concerns: Milestone[] }>
  /** The newest actual events of the codes that end a problem, by code, step and authority, each or any. */
  ends: Map<string, CodedEvent>
  /** The last report about being on board at the origin. */
  boarding: Boarding | undefined
}

export function summaryOf(events: CodedEvent[], journey: Journey): Summary {
  const summary: Summary = {
    facts: new Map(milestones.map(({ milestone }) => [milestone, noFacts()])),
    problems: new Map(),
    ends: new Map(),
    boarding: boardingAt(events, journey.origin, journey),
  }
  const isLandedBefore = events.some((event) => isLanding(event, journey))
  for (const event of events) add(summary, event, isLandedBefore ? atPortOf(event, journey) : event, journey)
  return summary
}

/** That a unit was discharged at another port than the last one. */
function isLanding({ code, status, step, type }: CodedEvent, { origin, destination }: Journey): boolean {
  return (
    code === 'DISCHARGED' && status === 'actual' && type === 'transshipment_port' && step > origin && step < destination
  )
}

// It reaches its last port by land or barge then.
function atPortOf(event: CodedEvent, { inlandEnd, destination }: Journey): CodedEvent {
  return reaching.has(event.code) && event.step === inlandEnd ? { ...event, step: destination } : event
}

function noFacts(): Facts {
  const none = { own: undefined, weaker: undefined, weakest: undefined, implied: undefined }
  return { actual: { ...none }, expected: { ...none }, first: undefined }
}

function add(summary: Summary, event: CodedEvent, placed: CodedEvent, journey: Journey): void {
  const { facts, problems, ends } = summary
  for (const [milestone, known] of facts) {
    const evidence = event.date === undefined ? undefined : evidenceFor(milestone, placed, journey)
    // Whether a unit is on board depends on its later events.
    if (evidence !== undefined && !boarding.has(event.code)) addFact(known, evidence, event)
  }
  if (isProblem(event)) {
    const concerns = milestonesFrom(event, journey)
    const key = `${event.code} ${concerns[0]} ${event.authority}`
    const known = problems.get(key)
    if (!known || isNewer(known.event, event)) problems.set(key, { event, concerns })
  }
  if (event.status === 'actual' && ending.has(event.code)) {
    const steps = [event.step, ...(event.issuedAt === undefined ? [] : ['any' as const])]
    const keys = steps.flatMap((step) => [endKey(event.code, step, 'any'), endKey(event.code, step, event.authority)])
    for (const key of keys) ends.set(key, newer(ends.get(key), event))
  }
}

function addFact(known: Facts, evidence: Evidence, event: CodedEvent): void {
  if (event.status === 'actual') known.actual[evidence] = choices[evidence](known.actual[evidence], event)
  if (event.status !== 'planned' && event.status !== 'estimated') return
  known.expected[evidence] = better(known.expected[evidence], event)
  if (evidence === 'own') known.first = older(known.first, event)
}

/** Events of the vessels of a unit and of the whole shipment, and what is expected of other vessels. */
export type OfVessels = { concerning: Summary; others: Summary; contradicted: CodedEvent | undefined }

/** What is known about each milestone of a unit, by its events, and those of its vessel or the whole shipment. */
export function unitDates(own: Summary, { concerning, others, contradicted }: OfVessels): Map<Milestone, UnitDate> {
  const dates = new Map<Milestone, UnitDate>()
  for (const [milestone, unit] of own.facts) {
    const [all, other] = [concerning, others].map(({ facts }) => facts.get(milestone) as Facts) as [Facts, Facts]
    const actual = (evidence: Evidence) =>
      evidence === 'own'
        ? // Events of the unit itself come first.
          (unit.actual.own ?? all.actual.own)
        : either(choices[evidence], unit.actual[evidence], all.actual[evidence])
    const expected = (evidence: Evidence) => either(better, unit.expected[evidence], all.expected[evidence])
    const loaded = milestone === 'departure_date' ? loadingOf(own, concerning) : undefined
    const ofOthers = ({ expected: { own: strong, weaker, weakest } }: Facts) => strong ?? weaker ?? weakest
    dates.set(milestone, {
      actual: actual('own') ?? actual('weaker') ?? actual('weakest'),
      expected: expected('own') ?? expected('weaker') ?? expected('weakest') ?? ofOthers(other),
      first: either(older, either(older, unit.first, all.first), other.first),
      implied: actual('implied') ?? loaded,
      loaded,
      problem: undefined,
    })
  }
  addProblems(dates, [own, concerning])
  const departure = dates.get('departure_date')
  if (departure && !departure.actual && !departure.implied) departure.problem ??= contradicted
  return dates
}

/** That a unit is on board implies that it departs with its vessel. */
function loadingOf(own: Summary, ofAll: Summary): Found {
  const known = own.boarding ?? ofAll.boarding
  return known?.isOnBoard ? known.last : undefined
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

/** Whether the code itself is a problem, such as a hold: its date is that of no milestone. */
export function isProblemCode(code: EventCode): boolean {
  return endedBy[code] !== undefined
}

function isProblem({ status, code }: CodedEvent): boolean {
  return status === 'problem' || (status === 'actual' && isProblemCode(code))
}

// What one authority holds, another does not release.
function hasEnded(problem: CodedEvent, ends: Summary['ends']): boolean {
  const by = problem.authority === undefined ? ['any'] : [problem.authority, undefined]
  const keys = (endedBy[problem.code] ?? []).flatMap((code) =>
    [problem.step, 'any' as const].flatMap((step) => by.map((authority) => endKey(code, step, authority))),
  )
  return keys.some((key) => {
    const end = ends.get(key)
    return end !== undefined && isKnownLater(problem, end)
  })
}

function endKey(code: EventCode, step: number | 'any', authority: string | undefined): string {
  return `${code} ${step} ${authority ?? ''}`
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
const earlier: Choice = (known, event) => (known && !isBefore(event, known) ? known : event)
// Between parties, the one that knows best; of one, the first stands until it corrects it. Lists without times of issue are in any
// order.
const first: Choice = (known, event) =>
  byAuthority(known, event) ?? (isUndatedList(known, event) ? earlier(known, event) : older(known, event))
// The one issued last counts; among events that do not say when they were issued, an estimate comes before a plan.
const better: Choice = (known, event) => byAuthority(known, event) ?? (known && !isBetter(event, known) ? known : event)

/** The first one known of its own code stands until its source corrects it; of weaker evidence the earliest. */
const choices: Record<Evidence, Choice> = { own: first, weaker: earlier, weakest: earlier, implied: earlier }

function isUndatedList(known: Found, event: CodedEvent): boolean {
  return known?.issuedAt === undefined && event.issuedAt === undefined
}

function byAuthority(known: Found, event: CodedEvent): Found {
  const more = known ? authorityOf(event) - authorityOf(known) : 0
  return more === 0 ? undefined : more > 0 ? event : known
}

function either(choose: Choice, one: Found, other: Found): Found {
  return other ? choose(one, other) : one
}

function isBefore(one: CodedEvent, other: CodedEvent): boolean {
  return one.at < other.at
}

function isBetter(event: CodedEvent, known: CodedEvent): boolean {
  const areIssued = event.issuedAt !== undefined && known.issuedAt !== undefined
  if (!areIssued && event.status !== known.status) return event.status === 'estimated'
  return isNewer(known, event)
}
