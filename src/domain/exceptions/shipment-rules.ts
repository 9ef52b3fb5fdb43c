import type { ExceptionKind } from '../../contract/public/exception.js'
import { finish, type InParts } from '../records/in-parts.js'
import { type Findings, merged, type ShipmentFacts } from './condition.js'
import { missedConnection } from './connection-rule.js'
import { etaSlip, late, milestoneOverdue } from './date-rules.js'
import { freeTime, freeTimeDisagreement } from './free-time-rules.js'
import { hold } from './hold-rule.js'
import { rolled } from './rolled-rule.js'
import type { EffectiveRules } from './thresholds.js'
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

/** What is asked of a shipment that is finished. Its containers may still be out. */
const afterwards = new Set<ExceptionKind>(['free_time', 'missing_document', 'unbilled'])

export function evaluateShipment(facts: ShipmentFacts, rules: Pick<EffectiveRules, 'kinds'>): Findings {
  return finish(evaluateShipmentInParts(facts, rules))
}

export function* evaluateShipmentInParts(
  facts: ShipmentFacts,
  { kinds }: Pick<EffectiveRules, 'kinds'>,
): InParts<Findings> {
  const { status } = facts.shipment
  if (status === 'draft' || status === 'cancelled') return { conditions: [], checks: [] }
  const rules = shipmentRules.filter(([kind]) => kinds[kind].enabled && (status !== 'finished' || afterwards.has(kind)))
  const found: Findings[] = []
  for (const [, rule] of rules) {
    yield
    found.push(rule(facts))
  }
  return merged(found)
}

/** The first time after now at which something may have changed. */
export function nextCheck(checks: number[], now: number): number | undefined {
  let next = Number.POSITIVE_INFINITY
  for (const time of checks) if (time > now && time < next) next = time
  return next === Number.POSITIVE_INFINITY ? undefined : next
}
