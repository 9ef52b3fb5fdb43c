import type { FreeTimeClock } from '../../contract/public/free-time.js'
import { day } from '../dates/local-time.js'
import type { CodedEvent } from '../tracking/coded-events.js'
import { type Condition, evidenceOf, type Findings, nothing, type ShipmentFacts, threatenedLines } from './condition.js'

/** Rules about free time, by the clocks of the containers. */

/** Free time ends soon, or has ended and costs. */
export function freeTime(facts: ShipmentFacts): Findings {
  const { thresholds, freeTime: clocks } = facts
  const { free_time_warning_days: warning, free_time_critical_days: critical } = thresholds
  const running = clocks.filter(isRunning)
  if (running.length === 0) return nothing
  const startOf = startsOf(facts)
  const conditions = running.flatMap((clock): Condition[] => {
    const { state, days_left, last_free_day, free_until, cost } = clock
    if (last_free_day === undefined) return []
    const common = { ...aboutClock(facts, clock, startOf), kind: 'free_time' as const }
    const details = { clock: clock.clock, day: last_free_day }
    if (state === 'expired') {
      const amounts = cost ? [{ amount: cost.amount, currency: cost.currency }] : undefined
      return [
        {
          ...common,
          severity: 'critical',
          reason_key: 'free_time_passed',
          details: { ...details, ...(amounts && { amounts }) },
          since: free_until === undefined ? undefined : Date.parse(free_until),
        },
      ]
    }
    if (days_left === undefined || days_left > warning) return []
    return [
      { ...common, severity: days_left > critical ? 'warning' : 'critical', reason_key: 'free_time_ending', details },
    ]
  })
  // A clock changes every day at most; before its last days nothing comes of it.
  const checks = running.flatMap(({ next_change_at, free_until }) => [
    ...(next_change_at === undefined ? [] : [Date.parse(next_change_at)]),
    ...(free_until === undefined ? [] : [warning, critical].map((days) => Date.parse(free_until) - (days + 1) * day)),
  ])
  return { conditions, checks }
}

/** Somebody has given another last free day than the terms say. */
export function freeTimeDisagreement(facts: ShipmentFacts): Findings {
  const differing = facts.freeTime.filter((clock) => isRunning(clock) && (clock.difference_days ?? 0) !== 0)
  if (differing.length === 0) return nothing
  const startOf = startsOf(facts)
  const conditions = differing.flatMap((clock): Condition[] => {
    const { last_free_day, computed_last_free_day, difference_days = 0 } = clock
    if (last_free_day === undefined || computed_last_free_day === undefined) return []
    return [
      {
        ...aboutClock(facts, clock, startOf),
        kind: 'free_time_disagreement',
        severity: 'warning',
        reason_key: 'free_time_disagrees',
        details: { clock: clock.clock, day: last_free_day, other_day: computed_last_free_day, days: difference_days },
      },
    ]
  })
  return { conditions, checks: [] }
}

function isRunning({ state }: FreeTimeClock): boolean {
  return state === 'running' || state === 'ending' || state === 'expired'
}

/** The container, the event from which its clock runs, and what is in it. */
function aboutClock(facts: ShipmentFacts, clockOfUnit: FreeTimeClock, startOf: StartOf) {
  const { container_number, direction, clock } = clockOfUnit
  const start = startOf(clockOfUnit)
  return {
    svc_shipment_id: facts.shipment.svc_shipment_id,
    ...(container_number !== undefined && { container_number }),
    topic: `${direction} ${clock}`,
    evidence: start ? [evidenceOf(facts, start)] : [],
    threatens: threatenedLines(facts, container_number),
  }
}

type StartOf = (clock: FreeTimeClock) => CodedEvent | undefined

/** Finds the first event from which a clock may run: of its container, or of the whole shipment. */
function startsOf({ decided }: ShipmentFacts): StartOf {
  const keyOf = (code: string, date: string | undefined, container = '') => JSON.stringify([code, date, container])
  const first = new Map<string, CodedEvent>()
  for (const event of decided.events) {
    const key = keyOf(event.code, event.date, event.container)
    if (event.status === 'actual' && !first.has(key)) first.set(key, event)
  }
  return ({ started_by: start, container_number }) => {
    if (!start) return undefined
    const own = first.get(keyOf(start.code, start.date, container_number))
    const ofAll = first.get(keyOf(start.code, start.date))
    return own && ofAll ? (own.position < ofAll.position ? own : ofAll) : (own ?? ofAll)
  }
}
