import { Big } from 'big.js'
import type { ThreatenedLine } from '../../contract/public/exception.js'
import type { Shipment } from '../../contract/public/shipment.js'
import { isCounted } from '../purchase-orders/assignment.js'
import { dayNumber, isDelivered, lateDays } from '../shipments/lateness.js'
import {
  type Condition,
  dayAfter,
  dayOf,
  expectedDelivery,
  type Findings,
  type OrderLine,
  threatened,
} from './condition.js'
import type { Thresholds } from './thresholds.js'

/** Rules about orders: what arrives late, is not assigned, or was not shipped. */

export type OrderFacts = {
  po_number: string
  desired_delivery_date: string | undefined
  desired_ex_factory_date: string | undefined
  lines: (Omit<OrderLine, 'packed' | 'quantity'> & { ordered: number; assignments: OrderAssignment[] })[]
  shipments: Map<string, OrderShipment>
  /** Before this (ms), what is over is history. */
  knownSince: number
  thresholds: Thresholds
  now: number
}

export type OrderAssignment = { svc_shipment_id: string; assigned: number; packed: OrderLine['packed'] }

export type OrderShipment = Pick<Shipment, 'svc_shipment_id' | 'status' | 'freight_type' | 'main_tracking_dates'>

export const orderRules = [arrivesLate, unassigned, shortShipped]

type Line = OrderFacts['lines'][number]

/** A shipment of the order comes after the date for which the order is desired. */
function arrivesLate(facts: OrderFacts): Findings {
  const { po_number, desired_delivery_date: desired, thresholds, now } = facts
  if (desired === undefined) return { conditions: [], checks: [] }
  const today = dayOf(now)
  const checks: number[] = []
  const threatens: ThreatenedLine[] = []
  const dates: string[] = []
  let worst = 0
  let isByToday = false
  for (const { line, assignment, shipment } of assigned(facts)) {
    if (isDelivered(shipment)) continue
    const days = lateDays({ ...shipment, desired_delivery_date: desired }, today)
    const expected = expectedDelivery(shipment)
    const last = expected !== undefined && expected.slice(0, 10) > desired ? expected.slice(0, 10) : desired
    checks.push(dayAfter(desired, 1), dayAfter(desired, thresholds.late_critical_days + 1), dayAfter(last, 1))
    if (days === undefined || days <= 0) continue
    worst = Math.max(worst, days)
    isByToday ||= expected === undefined || days > dayNumber(expected.slice(0, 10)) - dayNumber(desired)
    if (expected !== undefined) dates.push(expected)
    threatens.push(threatened({ ...line, quantity: assignment.assigned }, expected))
  }
  if (worst === 0) return { conditions: [], checks }
  const date = dates.toSorted((one, other) => Date.parse(one) - Date.parse(other)).at(-1)
  const condition: Condition = {
    kind: 'order_at_risk',
    topic: 'late',
    po_number,
    severity: worst > thresholds.late_critical_days ? 'critical' : 'warning',
    reason_key: 'order_late',
    details: {
      desired_date: desired,
      ...(date !== undefined && { date }),
      // Days that pass by themselves are not stored: they would change the record every day.
      ...(!isByToday && { days: worst }),
    },
    evidence: [],
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
  const { po_number, knownSince } = facts
  const departures: number[] = []
  const short = assigned(facts).flatMap(({ line, assignment, shipment }) => {
    const departure = shipment.main_tracking_dates?.departure_date
    if (departure?.status !== 'actual' || assignment.packed.length === 0) return []
    const left = Date.parse(departure.date)
    if (shipment.status === 'finished' && left < knownSince) return []
    const quantity = assignment.packed
      .reduce((rest, { shipped_quantity = 0 }) => rest.minus(shipped_quantity), new Big(assignment.assigned))
      .toNumber()
    if (quantity <= 0) return []
    departures.push(left)
    return [threatened({ ...line, quantity }, undefined)]
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
    evidence: [],
    threatens: short,
  }
  return { conditions: [condition], checks: [] }
}

function assigned({
  lines,
  shipments,
}: OrderFacts): { line: Line; assignment: OrderAssignment; shipment: OrderShipment }[] {
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
