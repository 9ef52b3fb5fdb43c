import { day, hour } from '../dates/local-time.js'
import { absentDocuments } from '../documents/required-documents.js'
import { isDelivered } from '../shipments/lateness.js'
import type { CodedEvent } from '../tracking/coded-events.js'
import {
  type Condition,
  evidenceOf,
  expectedDelivery,
  type Findings,
  nothing,
  placeOf,
  type ShipmentFacts,
  threatenedLines,
} from './condition.js'
import { hoursOf } from './thresholds.js'
import { isActual, latest, unitEvents } from './unit-events.js'

/** Rules about what does not come: movements, news, documents, invoices; and about what contradicts itself. */

/** Nothing has happened for too long at a place where goods should not stay. */
export function dwell(facts: ShipmentFacts): Findings {
  const { shipment, now } = facts
  if (isDelivered(shipment)) return nothing
  const conditions: Condition[] = []
  const checks: number[] = []
  for (const { container, all } of unitEvents(facts)) {
    const last = latest(all.filter(isActual))
    const limit = last && dwellLimit(facts, last)
    if (!last || limit === undefined) continue
    const due = last.span.to + limit
    checks.push(due)
    if (now < due) continue
    const place = placeOf(facts, last.step)
    conditions.push({
      kind: 'dwell',
      svc_shipment_id: shipment.svc_shipment_id,
      ...(container !== undefined && { container_number: container }),
      severity: 'warning',
      reason_key: 'dwelling',
      details: {
        code: last.code,
        ...(place !== undefined && { place }),
        ...(last.date !== undefined && { date: last.date }),
      },
      since: due,
      evidence: [evidenceOf(facts, last)],
      threatens: threatenedLines(facts, container),
    })
  }
  return { conditions, checks }
}

/** How long (ms) a unit may stay after its last event; undefined if it is on its way, or may stay. */
function dwellLimit({ shipment, journey, thresholds }: ShipmentFacts, last: CodedEvent): number | undefined {
  const { code, type, step } = last
  if (code === 'DEPARTED' || code === 'GATE_OUT' || code === 'DELIVERED' || code === 'EMPTY_IN') return undefined
  const isPort = type === 'origin_port' || type === 'transshipment_port' || type === 'destination_port'
  if (shipment.freight_mode === 'air' && isPort) return thresholds.dwell_airport_hours * hour
  if (shipment.freight_mode === 'truck' && type === 'inland_terminal') return thresholds.dwell_border_hours * hour
  if (type === 'transshipment_port') return thresholds.dwell_transshipment_days * day
  if (type === 'inland_terminal' && step > journey.origin && step < journey.destination)
    return thresholds.dwell_transshipment_days * day
  if (type === 'origin_port' && afterGateIn.has(code)) return thresholds.dwell_origin_days * day
  if (type === 'destination_port' && afterDischarge.has(code)) return thresholds.dwell_destination_days * day
  return undefined
}
const holds = ['CUSTOMS_HOLD', 'CUSTOMS_INSPECTION', 'CUSTOMS_RELEASED', 'CARRIER_HOLD', 'CARRIER_RELEASED'] as const
const afterDischarge = new Set<CodedEvent['code']>(['DISCHARGED', 'AVAILABLE', ...holds])
const afterGateIn = new Set<CodedEvent['code']>([
  'GATE_IN',
  'VGM',
  'CUSTOMS_CLEARED_EXPORT',
  'ROLLED',
  'OFFLOADED',
  ...holds,
])

/** Nothing was reported while it is under way. */
export function noNews(facts: ShipmentFacts): Findings {
  const { shipment, decided, thresholds, now, lastPosition = 0, lastReceived = 0 } = facts
  const happened = decided.events.filter(isActual)
  if (isDelivered(shipment) || happened.length === 0) return nothing
  const last = decided.events.reduce(
    (time, event) => Math.max(time, event.issuedAt ?? (isActual(event) ? event.span.to : 0)),
    // What is evaluated for a time before it was received does not count then.
    Math.max(lastPosition, lastReceived <= now ? lastReceived : 0),
  )
  const due = last + hoursOf(thresholds, 'no_news_hours', shipment.freight_mode)
  if (now < due) return { conditions: [], checks: [due] }
  const event = latest(happened)
  const condition: Condition = {
    kind: 'no_news',
    svc_shipment_id: shipment.svc_shipment_id,
    severity: 'info',
    reason_key: 'no_news',
    details: { date: new Date(last).toISOString() },
    since: due,
    evidence: event ? [evidenceOf(facts, event)] : [],
    threatens: threatenedLines(facts),
  }
  return { conditions: [condition], checks: [] }
}

/** Two sources disagree about when something happened; until an operator has set the date. */
export function conflict(facts: ShipmentFacts): Findings {
  const { shipment, decided, tracking } = facts
  const conditions = decided.decisions.flatMap(({ milestone, event, conflict: other }): Condition[] => {
    if (!event?.date || !other?.date || tracking.pins?.[milestone]) return []
    return [
      {
        kind: 'conflict',
        topic: milestone,
        svc_shipment_id: shipment.svc_shipment_id,
        severity: 'info',
        reason_key: 'conflicting_dates',
        details: {
          milestone,
          date: event.date,
          other_date: other.date,
          ...(event.source !== undefined && { source: event.source }),
          ...(other.source !== undefined && { other_source: other.source }),
        },
        since: other.issuedAt ?? event.issuedAt,
        evidence: [evidenceOf(facts, event), evidenceOf(facts, other)],
        threatens: threatenedLines(facts),
      },
    ]
  })
  return { conditions, checks: [] }
}

export function missingDocument(facts: ShipmentFacts): Findings {
  const { shipment, documents, waived, now } = facts
  const checks: number[] = []
  const conditions: Condition[] = []
  for (const { type, since, counts } of absentDocuments({ shipment, documents, waived })) {
    if (since === undefined) continue
    checks.push(since)
    if (!counts || now < since || !isWanted(facts, type, since)) continue
    conditions.push({
      kind: 'missing_document',
      topic: type,
      svc_shipment_id: shipment.svc_shipment_id,
      severity: type === 'dangerous_goods_declaration' ? 'critical' : 'warning',
      reason_key: 'document_missing',
      details: { document: type },
      since,
      evidence: [],
      threatens: threatenedLines(facts),
    })
  }
  return { conditions, checks }
}

// Of a finished shipment only the proof of delivery is asked for, and not if that was due before it was known here.
function isWanted({ shipment, knownSince }: ShipmentFacts, type: string, since: number): boolean {
  return shipment.status !== 'finished' || (type === 'proof_of_delivery' && since >= knownSince)
}

export function unbilled(facts: ShipmentFacts): Findings {
  const { shipment, isBilled, thresholds, now, knownSince } = facts
  const delivered = expectedDelivery(shipment)
  if (isBilled || !isDelivered(shipment) || delivered === undefined) return nothing
  const since = Date.parse(delivered) + thresholds.unbilled_days * day
  if (now < since) return { conditions: [], checks: [since] }
  if (shipment.status === 'finished' && since < knownSince) return nothing
  const condition: Condition = {
    kind: 'unbilled',
    svc_shipment_id: shipment.svc_shipment_id,
    severity: 'info',
    reason_key: 'unbilled',
    details: { date: delivered },
    since,
    evidence: [],
    threatens: [],
  }
  return { conditions: [condition], checks: [] }
}
