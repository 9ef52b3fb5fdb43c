import { Big } from 'big.js'
import type { AssignedLine, PurchaseOrder, PurchaseOrderLine } from '../contract/purchase-order.js'
import type { ShipmentStatus } from '../contract/shipment.js'

/** How much was ordered, put on shipments and shipped, and where it has got to. Quantities are decimals: 0.1 and 0.2 are 0.3. */

export type OrderQuantities = { ordered: number; assigned: number; shipped: number }

type Line = Pick<PurchaseOrderLine, 'ordered_quantity' | 'assigned_order_lines'>

export function quantitiesOf(lines: Line[]): OrderQuantities {
  const assigned = lines.flatMap(assignmentsOf)
  return {
    ordered: total(lines.map(({ ordered_quantity }) => ordered_quantity)),
    assigned: total(assigned.map(({ assigned_quantity }) => assigned_quantity)),
    shipped: total(assigned.map(shippedOf)),
  }
}

/** Whether a line of it is on a shipment: such an order can no longer be updated. */
export function isAssigned({ purchase_order_lines }: Pick<PurchaseOrder, 'purchase_order_lines'>): boolean {
  return purchase_order_lines.some((line) => assignmentsOf(line).length > 0)
}

type Priced = { ordered_quantity: number; unit_price?: { amount: number; currency: string } }

/** What the lines cost, one sum for each currency that occurs. */
export function priceOfLines(lines: Priced[]): { amount: number; currency: string }[] {
  const sums = new Map<string, Big>()
  for (const { ordered_quantity, unit_price } of lines) {
    if (!unit_price) continue
    const sum = sums.get(unit_price.currency) ?? new Big(0)
    sums.set(unit_price.currency, sum.plus(new Big(unit_price.amount).times(ordered_quantity)))
  }
  return [...sums].map(([currency, amount]) => ({ amount: amount.toNumber(), currency }))
}

/** What of an assigned line is in containers. */
export function shippedOf({ shipped_order_lines = [] }: AssignedLine): number {
  return total(shipped_order_lines.map(({ shipped_quantity }) => shipped_quantity ?? 0))
}

export type OrderState = 'open' | 'partly_assigned' | 'assigned' | 'shipped'

/** How far an order has got: nothing, a part, or all of it assigned, or all of it shipped. */
export function orderStateOf({ ordered, assigned, shipped }: OrderQuantities): OrderState {
  if (assigned <= 0) return 'open'
  if (assigned < ordered) return 'partly_assigned'
  return shipped < ordered ? 'assigned' : 'shipped'
}

/** Where what was ordered is, by how far its shipments have got. */
export type Whereabouts = {
  ordered: number
  unassigned: number
  planned: number
  under_way: number
  delivered: number
  cancelled: number
}

type Place = Exclude<keyof Whereabouts, 'ordered' | 'unassigned'>

const placeByStatus = {
  draft: 'planned',
  booking_request: 'planned',
  awaiting_booking: 'planned',
  booked: 'planned',
  in_progress: 'under_way',
  finished: 'delivered',
  cancelled: 'cancelled',
} satisfies Record<ShipmentStatus, Place>

export function whereaboutsOf(lines: Line[]): Whereabouts {
  const { ordered, assigned } = quantitiesOf(lines)
  const assignments = lines.flatMap(assignmentsOf)
  const at = (place: Place) =>
    total(assignments.flatMap((each) => (placeOf(each) === place ? [each.assigned_quantity] : [])))
  return {
    ordered,
    unassigned: new Big(ordered).minus(assigned).toNumber(),
    planned: at('planned'),
    under_way: at('under_way'),
    delivered: at('delivered'),
    cancelled: at('cancelled'),
  }
}

// What is not known of a shipment is not claimed: it is planned.
function placeOf({ shipment_status }: AssignedLine): Place {
  return shipment_status === undefined ? 'planned' : placeByStatus[shipment_status]
}

function assignmentsOf({ assigned_order_lines = [] }: Line): AssignedLine[] {
  return assigned_order_lines
}

function total(quantities: number[]): number {
  return quantities.reduce((sum, quantity) => sum.plus(quantity), new Big(0)).toNumber()
}
