import type { ExceptionEvidence } from '../../contract/public/exception.js'
import { dayNumber } from '../dates/local-days.js'
import { hour, utcDate } from '../dates/local-time.js'
import { isDelivered, storedLateness } from '../shipments/lateness.js'
import { moveBetween } from '../tracking/event-span.js'
import { type Milestone, milestones } from '../tracking/milestones.js'
import { type DateDecision, isOf } from '../tracking/tracking-dates.js'
import {
  type Condition,
  dayAfter,
  evidenceOf,
  expectedDelivery,
  type Findings,
  findRaised,
  type MilestoneDates,
  nothing,
  type ShipmentFacts,
  type SlipMemory,
  threatenedLines,
} from './condition.js'
import { nextGrowth } from './growth.js'
import { latenessOf } from './lateness-margin.js'
import { hoursOf } from './thresholds.js'

/** Rules about dates: later than desired, moved, and passed without news. */

export function late(facts: ShipmentFacts): Findings {
  const { shipment, thresholds, now } = facts
  const { desired_delivery_date: desired, svc_shipment_id } = shipment
  if (desired === undefined || isDelivered(shipment)) return nothing
  const critical = thresholds.late_critical_days
  const expected = expectedDelivery(shipment)
  // The day on which time alone makes it later than its dates say.
  const overdue = expected !== undefined && expected.slice(0, 10) > desired ? expected.slice(0, 10) : desired
  const raised = findRaised(facts, 'late')
  const days = [dayAfter(desired, 1), dayAfter(desired, critical + 1), dayAfter(overdue, 1)]
  const checks = [...days, ...nextGrowth(raised, overdue, now)]
  const { days: daysLate, isLate, isCritical } = latenessOf(shipment, { today: utcDate(now), critical, raised })
  if (!isLate) return { conditions: [], checks }
  const { late_days } = storedLateness(shipment)
  const severity = isCritical ? 'critical' : 'warning'
  const common = { kind: 'late', svc_shipment_id, severity, threatens: threatenedLines(facts) } as const
  const condition: Condition =
    late_days === daysLate && expected !== undefined
      ? {
          ...common,
          reason_key: 'late_by_dates',
          details: { date: expected, desired_date: desired, days: daysLate },
          evidence: decidingEvidence(facts, 'delivery_date', 'arrival_date'),
        }
      : {
          ...common,
          reason_key: 'late_today',
          details: { desired_date: desired },
          since: dayAfter(overdue, 1),
          evidence: [],
        }
  return { conditions: [condition], checks }
}

/** The event that the first of the milestones with one is from. */
export function decidingEvidence(
  facts: Pick<ShipmentFacts, 'tracking' | 'decided'>,
  ...of: Milestone[]
): ExceptionEvidence[] {
  const { decisions } = facts.decided
  const decision = of
    .map((milestone) => decisions.find((each) => each.milestone === milestone))
    .find((each) => each?.event !== undefined)
  return decision?.event ? [evidenceOf(facts, decision.event)] : []
}

/** The dates from which slips are measured from now on: the first that was expected, or the one acknowledged last. */
export function slipMemory(
  shown: ShipmentFacts['shipment']['main_tracking_dates'],
  known: SlipMemory | undefined,
  acknowledged: { episode: number; dates: MilestoneDates } | undefined,
): SlipMemory {
  const isNewer = acknowledged !== undefined && acknowledged.episode > (known?.episode ?? 0)
  const dates: MilestoneDates = { ...known?.dates, ...(isNewer ? acknowledged.dates : {}) }
  for (const { milestone } of milestones) {
    const date = shown?.[milestone]
    if (dates[milestone] === undefined && date !== undefined && date.status !== 'actual') dates[milestone] = date.date
  }
  return { dates, episode: isNewer ? acknowledged.episode : (known?.episode ?? 0) }
}

/** A date that has moved; raised at the threshold, and cleared below half of it. */
export function etaSlip(facts: ShipmentFacts): Findings {
  const { shipment, baseline, thresholds } = facts
  const raise = hoursOf(thresholds, 'eta_slip_hours', shipment.freight_mode)
  const expected = milestones.flatMap(({ milestone }) => {
    const shown = shipment.main_tracking_dates?.[milestone]
    return shown && shown.status !== 'actual' ? [{ milestone, date: shown.date }] : []
  })
  const moved = expected.flatMap(({ milestone, date }) => {
    const previous = baseline[milestone]
    return previous === undefined ? [] : [{ milestone, date, previous, by: movedBy(facts, previous, date) }]
  })
  // Of several that moved, the one that moved most; of equals, the later milestone.
  const most = moved.reduce<(typeof moved)[number] | undefined>(
    (one, other) => (one && Math.abs(one.by) > Math.abs(other.by) ? one : other),
    undefined,
  )
  if (!most || Math.abs(most.by) < (findRaised(facts, 'eta_slip') ? raise / 2 : raise)) return nothing
  const { event } = facts.decided.decisions.find(({ milestone }) => milestone === most.milestone) ?? {}
  const condition: Condition = {
    kind: 'eta_slip',
    svc_shipment_id: shipment.svc_shipment_id,
    severity: most.by > 0 ? 'warning' : 'info',
    reason_key: 'date_moved',
    details: {
      milestone: most.milestone,
      date: most.date,
      previous_date: most.previous,
      hours: Math.round(most.by / hour),
    },
    since: event?.issuedAt,
    evidence: event ? [evidenceOf(facts, event)] : [],
    threatens: threatenedLines(facts),
    expected_dates: Object.fromEntries(expected.map(({ milestone, date }) => [milestone, date])),
  }
  return { conditions: [condition], checks: [] }
}

/** How far the date of a milestone has moved (ms). */
function movedBy({ decided }: ShipmentFacts, previous: string, date: string): number {
  const dated = (at: string) => ({ ...decided.events.find((event) => event.date === at), date: at })
  return moveBetween(dated(previous), dated(date))
}

/** The first milestone whose time has passed, while neither it nor a later one has happened. */
export function milestoneOverdue(facts: ShipmentFacts): Findings {
  const { shipment, decided, thresholds, now, journey } = facts
  const grace = hoursOf(thresholds, 'overdue_hours', shipment.freight_mode)
  const dates = shipment.main_tracking_dates ?? {}
  const reached = milestones.findLastIndex(({ milestone }) => {
    const decision = decided.decisions.find((each) => each.milestone === milestone)
    return dates[milestone]?.status === 'actual' || (decision !== undefined && isCertain(decision, journey.origin))
  })
  const expected = milestones.slice(reached + 1).flatMap(({ milestone }) => {
    const date = dates[milestone]
    if (!date) return []
    const { event } = decided.decisions.find((each) => each.milestone === milestone) ?? {}
    // A day without a time lasts until its end.
    const last = isOf(date, event) ? event.span.to : Date.parse(date.date)
    return [{ milestone, date: date.date, due: last + grace }]
  })
  const checks = expected.map(({ due }) => due)
  const overdue = expected.find(({ due }) => due <= now)
  if (!overdue) return { conditions: [], checks }
  const { milestone, date, due } = overdue
  const { event } = decided.decisions.find((each) => each.milestone === milestone) ?? {}
  const condition: Condition = {
    kind: 'milestone_overdue',
    svc_shipment_id: shipment.svc_shipment_id,
    severity: 'warning',
    reason_key: 'milestone_overdue',
    details: { milestone, date },
    since: due,
    evidence: event ? [evidenceOf(facts, event)] : [],
    threatens: threatenedLines(facts),
  }
  return { conditions: [condition], checks }
}

// What is loaded has not departed; what is seen at a later port has.
function isCertain({ implied }: DateDecision, origin: number): boolean {
  return implied !== undefined && implied.step > origin
}

/** How late it was in the end, for the record. */
export function lateResult({ shipment }: Pick<ShipmentFacts, 'shipment'>): string | undefined {
  const { desired_delivery_date: desired } = shipment
  const expected = expectedDelivery(shipment)
  if (desired === undefined || expected === undefined || !isDelivered(shipment)) return undefined
  const days = dayNumber(expected.slice(0, 10)) - dayNumber(desired)
  if (days <= 0) return `Delivered on ${expected.slice(0, 10)}, on time.`
  return `Delivered on ${expected.slice(0, 10)}, ${days} ${days === 1 ? 'day' : 'days'} late.`
}
