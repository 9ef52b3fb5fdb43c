import { Big } from 'big.js'
import type { PurchaseOrder, PurchaseOrderLine } from '../../contract/public/purchase-order.js'
import type { ShipmentStatus } from '../../contract/public/shipment.js'
import { isCounted } from '../purchase-orders/assignment.js'
import { shippedOf } from '../purchase-orders/order-quantities.js'

/** A part of an order line: what a shipment brings of it, or what is not assigned to any. */
export type InboundPart = {
  reference: string
  line: string
  svc_shipment_id: string | undefined
  shipment_status: ShipmentStatus | undefined
  sku: string
  name: string | undefined
  supplier: string | undefined
  desired_date: string | undefined
  quantity: number
  shipped_quantity: number
}

/** The parts of all lines of an order. Those of a line add up to what is ordered, or to what is assigned if that is more. */
export function inboundParts(order: PurchaseOrder): InboundPart[] {
  return order.purchase_order_lines.flatMap((line) => partsOfLine(order, line))
}

export function partsOfLine(
  { po_number, supplier_name, desired_delivery_date }: PurchaseOrder,
  { reference: line, product, ordered_quantity, assigned_order_lines = [] }: PurchaseOrderLine,
): InboundPart[] {
  const common = {
    reference: po_number,
    line,
    sku: product.sku,
    name: product.name ?? product.description,
    supplier: supplier_name,
    desired_date: desired_delivery_date,
  }
  const rest = { svc_shipment_id: undefined, shipment_status: undefined, shipped_quantity: 0 }
  const assigned = assigned_order_lines.filter(isCounted)
  if (assigned.length === 0) return ordered_quantity > 0 ? [{ ...common, ...rest, quantity: ordered_quantity }] : []
  const unassigned = assigned.reduce((left, each) => left.minus(each.assigned_quantity), new Big(ordered_quantity))
  const parts: InboundPart[] = assigned.map((each) => ({
    ...common,
    svc_shipment_id: each.svc_shipment_id,
    shipment_status: each.shipment_status,
    quantity: each.assigned_quantity,
    shipped_quantity: shippedOf(each),
  }))
  if (unassigned.lte(0)) return parts
  return [...parts, { ...common, ...rest, quantity: unassigned.toNumber() }]
}
