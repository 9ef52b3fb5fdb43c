import type { ExceptionKind } from '../../contract/public/exception.js'
import type { Findings, ShipmentFacts } from './condition.js'
import { etaSlip, late, milestoneOverdue } from './date-rules.js'
import { freeTime, freeTimeDisagreement } from './free-time-rules.js'
import type { EffectiveRules } from './thresholds.js'
import { hold, missedConnection, rolled } from './unit-rules.js'
import { conflict, dwell, missingDocument, noNews, unbilled } from './waiting-rules.js'

/** The rules of shipments, in one table. */
const shipmentRules: [ExceptionKind, (facts: ShipmentFacts) => Findings][] = [
  ['late', late],
  ['eta_slip', etaSlip],
  ['milestone_overdue', milestoneOverdue],
  ['rolled', rolled],
  ['missed_connection', missedConnection],
  ['hold', hold],
  ['dwell', dwell],
  ['free_time', freeTime],
  ['free_time_disagreement', freeTimeDisagreement],
  ['missing_document', missingDocument],
  ['no_news', noNews],
  ['conflict', conflict],
  ['unbilled', unbilled],
]

/** What is asked of a shipment that is finished. */
const afterwards = new Set<ExceptionKind>(['missing_document', 'unbilled'])

export function evaluateShipment(facts: ShipmentFacts, { kinds }: Pick<EffectiveRules, 'kinds'>): Findings {
  const { status } = facts.shipment
  if (status === 'draft' || status === 'cancelled') return { conditions: [], checks: [] }
  const rules = shipmentRules.filter(([kind]) => kinds[kind].enabled && (status !== 'finished' || afterwards.has(kind)))
  return merged(rules.map(([, rule]) => rule(facts)))
}

export function merged(findings: Findings[]): Findings {
  return {
    conditions: findings.flatMap(({ conditions }) => conditions),
    checks: findings.flatMap(({ checks }) => checks),
  }
}

/** The first time after now at which something may have changed. */
export function nextCheck({ checks }: Findings, now: number): number | undefined {
  const coming = checks.filter((time) => time > now)
  return coming.length > 0 ? Math.min(...coming) : undefined
}
