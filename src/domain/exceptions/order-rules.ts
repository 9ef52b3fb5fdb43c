import { Big } from 'big.js'
import type { ExceptionEvidence, ThreatenedLine } from '../../contract/public/exception.js'
import type { Shipment } from '../../contract/public/shipment.js'
import { dayNumber } from '../dates/local-days.js'
import { utcDate } from '../dates/local-time.js'
import { isCounted } from '../purchase-orders/assignment.js'
import { isDelivered } from '../shipments/lateness.js'
import {
  type Condition,
  dayAfter,
  expectedDelivery,
  type Findings,
  findRaised,
  merged,
  nothing,
  type OrderLine,
  type Raised,
  threatened,
} from './condition.js'
import { nextGrowth } from './growth.js'
import { type Lateness, latenessOf } from './lateness-margin.js'
import type { Thresholds } from './thresholds.js'

/** Rules about orders: what arrives late, is not assigned, or was not shipped. */

export type OrderFacts = {
  po_number: string
  desired_delivery_date: string | undefined
  desired_ex_factory_date: string | undefined
  isCancelled: boolean
  lines: (Omit<OrderLine, 'packed' | 'quantity'> & { ordered: number; assignments: OrderAssignment[] })[]
  shipments: Map<string, OrderShipment>
  /** Of the shipments that `shipmentsAtFault` names. */
  events: OrderEvidence
  /** What is raised already: it takes more to clear it than not to raise it. */
  raised: Raised[]
  /** Before this (ms), what is over is history. */
  knownSince: number
  thresholds: Thresholds
  now: number
}

export type OrderAssignment = { svc_shipment_id: string; assigned: number; packed: OrderLine['packed'] }

export type OrderShipment = Pick<Shipment, 'svc_shipment_id' | 'status' | 'freight_type' | 'main_tracking_dates'>

/** The events by which shipments leave and arrive when they do. */
export type OrderEvidence = Map<string, ShipmentEvidence>
export type ShipmentEvidence = { departure?: ExceptionEvidence; arrival?: ExceptionEvidence }

const orderRules = [arrivesLate, unassigned, shortShipped]

/** Nothing is expected of an order that is cancelled. */
export function evaluateOrder(facts: OrderFacts): Findings {
  return facts.isCancelled ? nothing : merged(orderRules.map((rule) => rule(facts)))
}

/** The shipments that come late or left short: their events are evidence. */
export function shipmentsAtFault(facts: Omit<OrderFacts, 'events'>): string[] {
  const atFault = assigned(facts).filter((each) => lateness(facts, each.shipment).isLate || shortOf(facts, each))
  return [...new Set(atFault.map(({ shipment }) => shipment.svc_shipment_id))]
}

type Line = OrderFacts['lines'][number]
type Assigned = { line: Line; assignment: OrderAssignment; shipment: OrderShipment }

function lateness(facts: Omit<OrderFacts, 'events'>, shipment: OrderShipment): Lateness {
  const { desired_delivery_date, thresholds, now } = facts
  if (desired_delivery_date === undefined || isDelivered(shipment)) return { days: 0, isLate: false, isCritical: false }
  const raised = findRaised(facts, 'order_at_risk', { topic: 'late' })
  const critical = thresholds.late_critical_days
  return latenessOf({ ...shipment, desired_delivery_date }, { today: utcDate(now), critical, raised })
}

/** A shipment of the order comes after the date for which the order is desired. */
function arrivesLate(facts: OrderFacts): Findings {
  const { po_number, desired_delivery_date: desired, thresholds } = facts
  if (desired === undefined) return { conditions: [], checks: [] }
  const checks: number[] = []
  const threatens: ThreatenedLine[] = []
  const dates: string[] = []
  const late = new Set<string>()
  let worst = 0
  let isCritical = false
  let isByToday = false
  for (const { line, assignment, shipment } of assigned(facts)) {
    if (isDelivered(shipment)) continue
    const found = lateness(facts, shipment)
    const expected = expectedDelivery(shipment)
    const last = expected !== undefined && expected.slice(0, 10) > desired ? expected.slice(0, 10) : desired
    checks.push(
      dayAfter(desired, 1),
      dayAfter(desired, thresholds.late_critical_days + 1),
      dayAfter(last, 1),
      ...nextGrowth(findRaised(facts, 'order_at_risk', { topic: 'late' }), last, facts.now),
    )
    if (!found.isLate) continue
    late.add(shipment.svc_shipment_id)
    worst = Math.max(worst, found.days)
    isCritical ||= found.isCritical
    isByToday ||= expected === undefined || found.days > dayNumber(expected.slice(0, 10)) - dayNumber(desired)
    if (expected !== undefined) dates.push(expected)
    threatens.push(threatened({ ...line, quantity: assignment.assigned }, expected))
  }
  if (late.size === 0) return { conditions: [], checks }
  const date = dates.toSorted((one, other) => Date.parse(one) - Date.parse(other)).at(-1)
  const condition: Condition = {
    kind: 'order_at_risk',
    topic: 'late',
    po_number,
    severity: isCritical ? 'critical' : 'warning',
    reason_key: 'order_late',
    details: {
      desired_date: desired,
      ...(date !== undefined && { date }),
      // Days that pass by themselves are not stored: they would change the record every day.
      ...(!isByToday && { days: worst }),
    },
    evidence: [...late].flatMap((id) => facts.events.get(id)?.arrival ?? []),
    threatens,
  }
  return { conditions: [condition], checks }
}

/** What is not assigned some days after it should have left the factory. */
function unassigned(facts: OrderFacts): Findings {
  const { po_number, desired_ex_factory_date: exFactory, desired_delivery_date: desired_date, thresholds, now } = facts
  if (exFactory === undefined) return { conditions: [], checks: [] }
  const since = dayAfter(exFactory, thresholds.order_unassigned_days)
  if (now < since) return { conditions: [], checks: [since] }
  const open = facts.lines.flatMap((line) => {
    const quantity = line.assignments
      .filter(({ svc_shipment_id }) => isCounted({ shipment_status: facts.shipments.get(svc_shipment_id)?.status }))
      .reduce((left, { assigned: some }) => left.minus(some), new Big(line.ordered))
      .toNumber()
    return quantity > 0 ? [threatened({ ...line, quantity, desired_date }, undefined)] : []
  })
  if (open.length === 0) return { conditions: [], checks: [] }
  const condition: Condition = {
    kind: 'order_at_risk',
    topic: 'unassigned',
    po_number,
    severity: 'warning',
    reason_key: 'order_unassigned',
    details: { day: exFactory, quantity: total(open) },
    since,
    evidence: [],
    threatens: open,
  }
  return { conditions: [condition], checks: [] }
}

/** Less left with a shipment than was assigned to it, as far as its packing is known. */
function shortShipped(facts: OrderFacts): Findings {
  const { po_number } = facts
  const departures: number[] = []
  const shipments = new Set<string>()
  const short = assigned(facts).flatMap((each) => {
    const found = shortOf(facts, each)
    if (!found) return []
    departures.push(found.left)
    shipments.add(each.shipment.svc_shipment_id)
    return [threatened({ ...each.line, quantity: found.quantity }, undefined)]
  })
  if (short.length === 0) return { conditions: [], checks: [] }
  const condition: Condition = {
    kind: 'order_at_risk',
    topic: 'short',
    po_number,
    severity: 'warning',
    reason_key: 'order_short',
    details: { quantity: total(short) },
    since: Math.max(...departures),
    evidence: [...shipments].flatMap((id) => facts.events.get(id)?.departure ?? []),
    threatens: short,
  }
  return { conditions: [condition], checks: [] }
}

/** What is missing of an assignment, and when its shipment left (ms). */
function shortOf({ knownSince }: Pick<OrderFacts, 'knownSince'>, { assignment, shipment }: Assigned) {
  const departure = shipment.main_tracking_dates?.departure_date
  if (departure?.status !== 'actual' || assignment.packed.length === 0) return undefined
  const left = Date.parse(departure.date)
  if (shipment.status === 'finished' && left < knownSince) return undefined
  const quantity = assignment.packed
    .reduce((rest, { shipped_quantity = 0 }) => rest.minus(shipped_quantity), new Big(assignment.assigned))
    .toNumber()
  return quantity > 0 ? { quantity, left } : undefined
}

function assigned({ lines, shipments }: Pick<OrderFacts, 'lines' | 'shipments'>): Assigned[] {
  return lines.flatMap((line) =>
    line.assignments.flatMap((assignment) => {
      const shipment = shipments.get(assignment.svc_shipment_id)
      return shipment && isCounted({ shipment_status: shipment.status }) ? [{ line, assignment, shipment }] : []
    }),
  )
}

function total(lines: ThreatenedLine[]): number {
  return lines.reduce((sum, { quantity }) => sum.plus(quantity), new Big(0)).toNumber()
}
