import { Big } from 'big.js'
import type { AssignedLine, PurchaseOrder, PurchaseOrderLine } from '../../contract/public/purchase-order.js'
import type { ShipmentStatus } from '../../contract/public/shipment.js'

/** Ordered, assigned and shipped quantities, and how far they have come. Quantities are exact decimals: 0.1 + 0.2 is 0.3. */

export type OrderQuantities = { ordered: number; assigned: number; shipped: number }

type Line = Pick<PurchaseOrderLine, 'ordered_quantity' | 'assigned_order_lines'>

export function quantitiesOf(lines: Line[]): OrderQuantities {
  // A cancelled shipment gives its quantities back.
  const assigned = lines.flatMap(assignmentsOf).filter((each) => stageOf(each) !== 'cancelled')
  return {
    ordered: total(lines.map(({ ordered_quantity }) => ordered_quantity)),
    assigned: total(assigned.map(({ assigned_quantity }) => assigned_quantity)),
    shipped: total(assigned.map(shippedOf)),
  }
}

/** What of a line is not assigned. */
export function openQuantityOf(line: Line): number {
  // Most lines of a long order: decimals cost ten times more.
  if (assignmentsOf(line).length === 0) return line.ordered_quantity
  const { ordered, assigned } = quantitiesOf([line])
  return Math.max(0, new Big(ordered).minus(assigned).toNumber())
}

/** Whether any line is assigned to a shipment: such an order can no longer be updated. */
export function isAssigned({ purchase_order_lines }: Pick<PurchaseOrder, 'purchase_order_lines'>): boolean {
  return purchase_order_lines.some((line) => assignmentsOf(line).length > 0)
}

type Priced = { ordered_quantity: number; unit_price?: { amount: number; currency: string } }

/** The price of all lines, per currency. */
export function priceOfLines(lines: Priced[]): { amount: number; currency: string }[] {
  const sums = new Map<string, Big>()
  for (const { ordered_quantity, unit_price } of lines) {
    if (!unit_price) continue
    const sum = sums.get(unit_price.currency) ?? new Big(0)
    sums.set(unit_price.currency, sum.plus(new Big(unit_price.amount).times(ordered_quantity)))
  }
  return [...sums].map(([currency, amount]) => ({ amount: amount.toNumber(), currency }))
}

/** The quantity of an assigned line that is packed. */
export function shippedOf({ shipped_order_lines = [] }: AssignedLine): number {
  return total(shipped_order_lines.map(({ shipped_quantity }) => shipped_quantity ?? 0))
}

export type OrderState = 'open' | 'partly_assigned' | 'assigned' | 'shipped' | 'cancelled'

/** The state of an order: not assigned, partly or fully assigned, fully shipped, or cancelled. */
export function orderStateOf({ ordered, assigned, shipped }: OrderQuantities, isCancelled = false): OrderState {
  if (isCancelled) return 'cancelled'
  if (assigned <= 0) return 'open'
  if (assigned < ordered) return 'partly_assigned'
  return shipped < ordered ? 'assigned' : 'shipped'
}

/** The ordered quantity by the progress of its shipments. */
export type OrderProgress = {
  ordered: number
  unassigned: number
  planned: number
  under_way: number
  delivered: number
  /** On cancelled shipments: part of what is unassigned again. */
  cancelled: number
}

type Stage = Exclude<keyof OrderProgress, 'ordered' | 'unassigned'>

const stageByStatus = {
  draft: 'planned',
  booking_request: 'planned',
  awaiting_booking: 'planned',
  booked: 'planned',
  in_progress: 'under_way',
  finished: 'delivered',
  cancelled: 'cancelled',
} satisfies Record<ShipmentStatus, Stage>

export function orderProgressOf(lines: Line[]): OrderProgress {
  const { ordered, assigned } = quantitiesOf(lines)
  const assignments = lines.flatMap(assignmentsOf)
  const at = (stage: Stage) =>
    total(assignments.flatMap((each) => (stageOf(each) === stage ? [each.assigned_quantity] : [])))
  return {
    ordered,
    unassigned: Math.max(0, new Big(ordered).minus(assigned).toNumber()),
    planned: at('planned'),
    under_way: at('under_way'),
    delivered: at('delivered'),
    cancelled: at('cancelled'),
  }
}

// A shipment without a status counts as planned.
function stageOf({ shipment_status }: AssignedLine): Stage {
  return shipment_status === undefined ? 'planned' : stageByStatus[shipment_status]
}

function assignmentsOf({ assigned_order_lines = [] }: Line): AssignedLine[] {
  return assigned_order_lines
}

function total(quantities: number[]): number {
  return quantities.reduce((sum, quantity) => sum.plus(quantity), new Big(0)).toNumber()
}
