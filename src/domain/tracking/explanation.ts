import type { ExplainedEvent, LossReason, MilestoneExplanation } from '../../contract/public/explanation.js'
import type { TrackingDate } from '../../contract/public/shared-types.js'
import type { MainTrackingDates } from '../../contract/public/shipment.js'
import type { TrackingRecord } from '../../contract/public/tracking.js'
import { day } from '../dates/local-time.js'
import type { InParts } from '../records/in-parts.js'
import { authorityOf } from './authority.js'
import { type CodedEvent, isNewer } from './coded-events.js'
import { changedBy, englishDay, explanationSentence } from './explanation-sentence.js'
import { englishExplanation } from './explanation-texts.js'
import { evidenceFor, type Journey, journeyOf, milestones } from './milestones.js'
import { type DateDecision, decideDatesInParts, isOf, type Unit } from './tracking-dates.js'
import type { UnitDate } from './unit-dates.js'

/** Why the dates of a shipment are what they are. Everything follows from the same decisions as the dates. */

const most = 100

type Shown = {
  /** The containers of the shipment. */
  containers: string[]
  /** Dates that came with the shipment: they are shown where its tracking knows nothing. */
  given: MainTrackingDates
  now: number
}

export function* explainDatesInParts(
  tracking: TrackingRecord,
  { containers, given, now }: Shown,
): InParts<MilestoneExplanation[]> {
  const { decisions, units, events } = yield* decideDatesInParts(tracking, containers)
  const journey = journeyOf(tracking)
  const explanations: MilestoneExplanation[] = []
  for (const decision of decisions) {
    const { milestone } = decision
    yield
    const others = yield* otherEvents(decision, units, events, journey)
    const date = decision.shown ?? given[milestone]
    if (!date && !decision.problem && others.length === 0) continue
    const named = (event: CodedEvent | undefined) => event && explainedEvent(tracking, event)
    const states = units.map(({ container, dates }) => unitState(container, dates.get(milestone) as UnitDate))
    const explanation = {
      milestone,
      ...defined({
        date,
        rule: decision.rule ?? (date && ('given' as const)),
        event: named(decision.event),
        problem: named(decision.problem),
        implied_by: named(decision.implied),
        pin_reason: decision.rule === 'pinned' ? tracking.pins?.[milestone]?.reason : undefined,
        conflicts_with: named(decision.conflict),
        stale: date && !decision.implied && isStale(date, decision.event, now) ? true : undefined,
        moved_from: decision.movedFrom,
        more_units: states.length > most ? states.length - most : undefined,
        more_events: others.length > most ? others.length - most : undefined,
      }),
      units: states.slice(0, most),
      other_events: others
        .slice(0, most)
        .map(({ event, reason }) => ({ event: explainedEvent(tracking, event), reason })),
    }
    explanations.push({
      ...explanation,
      sentence: explanationSentence(explanation, englishExplanation, englishDay),
      changed_by: changedBy(explanation, englishExplanation),
    })
  }
  return explanations
}

function isStale(shown: TrackingDate, event: CodedEvent | undefined, now: number): boolean {
  const { date, status } = shown
  const passed = isOf(shown, event) ? event.span.to : Date.parse(date)
  return (status === 'planned' || status === 'estimated') && passed < now - day
}

function explainedEvent(
  { tracking_steps = [] }: TrackingRecord,
  { code, status, type, step, index }: CodedEvent,
): ExplainedEvent {
  const { port, location, events = [] } = tracking_steps[step] ?? {}
  const { description, container_number, date, zone, precision, issued_at, source } = events[index] ?? {}
  const place = port?.unlocode ?? port?.city ?? location?.city
  return {
    code,
    step: type,
    ...defined({ description, container_number, date, zone, precision, status, issued_at, source, place }),
  }
}

function unitState(
  container: string | undefined,
  { actual, expected, problem, implied, loaded }: UnitDate,
): MilestoneExplanation['units'][number] {
  const event = actual ?? expected ?? loaded ?? implied
  const status = actual
    ? 'actual'
    : problem
      ? 'problem'
      : expected?.status === 'planned' && !implied
        ? 'planned'
        : 'estimated'
  return defined({ container_number: container, date: event?.date, status: event || problem ? status : undefined })
}

type Other = { event: CodedEvent; reason: LossReason }

function* otherEvents(decision: DateDecision, units: Unit[], events: CodedEvent[], journey: Journey): InParts<Other[]> {
  const { milestone } = decision
  const deciding = new Set([decision.event, decision.problem, decision.implied])
  const step = milestones.find((each) => each.milestone === milestone)?.step
  const dateOf = new Map(units.map(({ container, dates }) => [container, dates.get(milestone) as UnitDate]))
  // An event of the whole shipment is compared with what decided.
  const decisive = units.find(({ dates }) => usedEvent(dates.get(milestone) as UnitDate) === decision.event) ?? units[0]
  const otherOf = (event: CodedEvent): Other[] => {
    if (deciding.has(event)) return []
    if (event.isLandDeparture) return event.type === step ? [{ event, reason: 'rolled' }] : []
    if (event.code === 'OTHER') return event.type === step ? [{ event, reason: 'not_recognised' }] : []
    const evidence = event.date === undefined ? undefined : evidenceFor(milestone, event, journey)
    // What is expected implies nothing.
    if (evidence === undefined || (evidence === 'implied' && event.status !== 'actual')) return []
    const known = dateOf.get(event.container) ?? decisive?.dates.get(milestone)
    return known && isStatement(event) ? [{ event, reason: lossReason(event, known, decision, journey) }] : []
  }
  const others: Other[] = []
  for (const event of events) {
    yield
    others.push(...otherOf(event))
  }
  return others.toSorted((one, other) => (isNewer(one.event, other.event) ? 1 : -1))
}

function isStatement({ status }: CodedEvent): boolean {
  return status === 'actual' || status === 'estimated' || status === 'planned'
}

function usedEvent({ actual, expected }: UnitDate): CodedEvent | undefined {
  return actual ?? expected
}

function lossReason(event: CodedEvent, known: UnitDate, { milestone }: DateDecision, journey: Journey): LossReason {
  if (usedEvent(known) === event) return 'other_unit'
  const evidence = evidenceFor(milestone, event, journey)
  if (event.status !== 'actual') {
    if (known.actual) return 'happened'
    return known.expected && authorityOf(event) < authorityOf(known.expected) ? 'believed_less' : 'replaced'
  }
  if (evidence === 'implied') return 'no_date'
  if (!known.actual) return 'rolled'
  if (evidence !== evidenceFor(milestone, known.actual, journey)) return 'weaker'
  return authorityOf(event) < authorityOf(known.actual) ? 'believed_less' : 'first_stands'
}

type Defined<Given> = { [Name in keyof Given]?: Exclude<Given[Name], undefined> }

function defined<Given extends object>(given: Given): Defined<Given> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Defined<Given>
}
