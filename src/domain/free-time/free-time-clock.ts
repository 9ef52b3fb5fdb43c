import type { FreeTimeTerm } from '../../contract/operator/free-time.js'
import type {
  ClockEvent,
  FreeTimeClock,
  FreeTimeClockName,
  FreeTimeDirection,
  FreeTimeFact,
  FreeTimeSource,
  FreeTimeState,
} from '../../contract/public/free-time.js'
import type { TrackingRecord } from '../../contract/public/tracking.js'
import { dateOfDay, dayNumber, dayOf, startOfDay } from '../dates/local-days.js'
import { localDateWithTime } from '../dates/local-time.js'
import type { CodedEvent } from '../tracking/coded-events.js'
import { at, type ClockEvents, findEvent, findLaterEvent } from './clock-events.js'
import { clockReasons } from './clock-reasons.js'
import { chargedDays, computedEnd, type FreeEnd, givenEnd, type PeriodPlace, usedTime } from './free-period.js'
import { costOf, rateOf } from './free-time-cost.js'

/** One clock of one container: until when it is free, and what it costs after that. */

export type ClockName = { direction: FreeTimeDirection; clock: FreeTimeClockName }

export type ClockFacts = ClockName & {
  container: string | undefined
  term: FreeTimeTerm | undefined
  events: ClockEvents
  /** What was given for this clock of the container, or for all of the shipment. */
  given: FreeTimeFact[]
  port: string | undefined
  place: PeriodPlace
  tracking: TrackingRecord
  /** The shipment is finished or cancelled, and with it this clock. */
  isOver: boolean
  now: number
}

type Ends = Pick<FreeTimeTerm, 'start_event' | 'stop_event'>

/** Between which events a clock runs, if no rule says otherwise. */
export const usualEvents: Record<FreeTimeDirection, Record<FreeTimeClockName, Ends>> = {
  import: {
    demurrage: { start_event: 'DISCHARGED', stop_event: 'GATE_OUT' },
    detention: { start_event: 'GATE_OUT', stop_event: 'EMPTY_IN' },
    combined: { start_event: 'DISCHARGED', stop_event: 'EMPTY_IN' },
    storage: { start_event: 'DISCHARGED', stop_event: 'GATE_OUT' },
  },
  export: {
    demurrage: { start_event: 'GATE_IN', stop_event: 'LOADED' },
    detention: { start_event: 'EMPTY_OUT', stop_event: 'GATE_IN' },
    combined: { start_event: 'EMPTY_OUT', stop_event: 'LOADED' },
    storage: { start_event: 'GATE_IN', stop_event: 'LOADED' },
  },
}

export const endingDays = 3

export function clockOf(facts: ClockFacts): FreeTimeClock {
  const { direction, clock, container, term, events, port, place, tracking, isOver, now } = facts
  const { start_event, stop_event } = term ?? usualEvents[direction][clock]
  const start = findEvent(events, start_event)
  const { timeZone } = place
  const after = start && { start, timeZone }
  const stop = findEvent(events, stop_event, after)
  const later = stop ? undefined : findLaterEvent(events, stop_event, after)
  const { given, computed, end, source, extra } = endsOf(facts, start)
  const hasStopped = stop !== undefined || later !== undefined || isOver
  const state = stateOf({ hasStopped, hasStarted: start !== undefined, end, place, now })
  const until = stop ? at(stop, timeZone) : now
  // If only a later event is known, so many days may have been charged; without one, none has been.
  const isUntilKnown = stop !== undefined || !hasStopped || (end && later && at(later, timeZone) <= end.lastInstant)
  const over =
    end && isUntilKnown
      ? later && !stop
        ? 0
        : chargedDays(end, until, term?.after_free ?? 'calendar', place)
      : undefined
  const left = end && (state === 'running' || state === 'ending') ? end.lastDay - dayOf(now, place.timeZone) : undefined
  const isRunning = state === 'running' || state === 'ending' || state === 'expired'
  const lines = {
    ...(container !== undefined && { container_number: container }),
    direction,
    clock,
    ...(port !== undefined && { port }),
    time_zone: place.timeZone,
    state,
    ...(start && { started_at: start.date as string, started_by: clockEvent(tracking, start) }),
    ...(stop && { stopped_at: stop.date as string }),
    ...((stop ?? later) && { stopped_by: clockEvent(tracking, (stop ?? later) as CodedEvent) }),
    ...(end && {
      last_free_day: dateOfDay(end.lastDay),
      free_until: localDateWithTime(end.lastInstant, place.timeZone),
      last_free_day_source: source,
    }),
    ...(computed && { computed_last_free_day: dateOfDay(computed.lastDay) }),
    ...(computed && end && source !== 'computed' && { difference_days: end.lastDay - computed.lastDay }),
    ...(extra > 0 && { extra_days: extra }),
    ...(term &&
      start &&
      end &&
      isUntilKnown && { days_used: usedTime(term, { start: at(start, timeZone), until, end }, place) }),
    ...(left !== undefined && { days_left: Math.max(0, left) }),
    ...(over !== undefined && { days_over: over }),
    cost: over === undefined ? null : costOf(term?.tiers, over),
    each_further_day: isRunning && over !== undefined ? rateOf(term?.tiers, over + 1) : null,
    given: given.map(givenDay),
    ...(term && { rule: ruleOf(term) }),
    ...(isRunning && { next_change_at: nextChange(term, end, place, now) }),
  }
  return { ...lines, why: clockReasons(lines, { term, place, isOver }) }
}

type Ending = {
  given: (FreeTimeFact & { last_free_day: string })[]
  computed: FreeEnd | undefined
  /** The one that counts. */
  end: FreeEnd | undefined
  source: FreeTimeSource | 'computed'
  extra: number
}

// What a person of the forwarder has agreed comes before the carrier's statement, and that before the terminal's.
const precedence: FreeTimeSource[] = ['person', 'carrier', 'terminal']

function endsOf({ term, given: facts, place }: ClockFacts, start: CodedEvent | undefined): Ending {
  const grants = facts.filter(({ extra_days }) => extra_days !== undefined)
  const extra = daysOf(grants)
  const computed = term && start ? computedEnd(term, at(start, place.timeZone), extra, place) : undefined
  const given = facts.filter(isGivenDay).toSorted(byBelief)
  const [best] = given
  if (!best) return { given, computed, end: computed, source: 'computed', extra }
  // Days that were granted before a last free day was given are in it already.
  const granted = daysOf(grants.filter(({ recorded_at }) => recorded_at > best.recorded_at))
  const end = givenEnd(dayNumber(best.last_free_day), granted, term, place)
  return { given, computed, end, source: best.source, extra }
}

function daysOf(grants: FreeTimeFact[]): number {
  return grants.reduce((sum, { extra_days = 0 }) => sum + extra_days, 0)
}

function isGivenDay(fact: FreeTimeFact): fact is FreeTimeFact & { last_free_day: string } {
  return fact.last_free_day !== undefined
}

function byBelief(one: FreeTimeFact, other: FreeTimeFact): number {
  const ranks = precedence.indexOf(one.source) - precedence.indexOf(other.source)
  if (ranks !== 0) return ranks
  const own = Number(other.container_number !== undefined) - Number(one.container_number !== undefined)
  if (own !== 0) return own
  return Date.parse(other.recorded_at) - Date.parse(one.recorded_at) || (one.id < other.id ? 1 : -1)
}

type Standing = { hasStopped: boolean; hasStarted: boolean; end: FreeEnd | undefined; place: PeriodPlace; now: number }

function stateOf({ hasStopped, hasStarted, end, place, now }: Standing): FreeTimeState {
  if (hasStopped) return 'stopped'
  if (!end) return hasStarted ? 'unknown' : 'not_started'
  if (now > end.lastInstant) return 'expired'
  return end.lastDay - dayOf(now, place.timeZone) <= endingDays ? 'ending' : 'running'
}

function nextChange(
  term: FreeTimeTerm | undefined,
  end: FreeEnd | undefined,
  { timeZone }: PeriodPlace,
  now: number,
): string {
  const midnight = startOfDay(dayOf(now, timeZone) + 1, timeZone)
  const isByHour = term?.unit === 'hours' && end !== undefined && now <= end.lastInstant
  const next = isByHour ? Math.min(midnight, end.lastInstant + 1) : midnight
  return localDateWithTime(Math.ceil(next / 1000) * 1000, timeZone)
}

function clockEvent({ tracking_steps = [] }: TrackingRecord, { code, date, step, index }: CodedEvent): ClockEvent {
  const { description, source } = tracking_steps[step]?.events?.[index] ?? {}
  return {
    code,
    date: date as string,
    ...(description !== undefined && { description }),
    ...(source !== undefined && { source }),
  }
}

function givenDay({ source, last_free_day, recorded_at, reason }: FreeTimeFact & { last_free_day: string }) {
  return { source, last_free_day, stated_at: recorded_at, reason }
}

function ruleOf({ id, free, unit, label, source }: FreeTimeTerm): NonNullable<FreeTimeClock['rule']> {
  return { id, free, unit, ...(label !== undefined && { label }), ...(source !== undefined && { source }) }
}
