import type { Wish } from '../../contender.js'
import { type ShipmentItem, shipmentOf, withoutNulls } from './shipment-answer.js'

/** What Directus answers, in the names and the nesting of Waybill. */

type OrderItem = {
  reference: string
  supplier_id: string | null
  desired_ex_factory_date: string | null
  desired_delivery_date: string | null
  custom_parameters: unknown
  lines: LineItem[]
}

type LineItem = {
  reference: string
  position: number
  ordered_quantity: number
  unit_price: number | null
  unit_price_currency: string | null
  product_sku: string
  product_name: string | null
  product_hs_code: string | null
  product_description: string | null
  product_is_hazardous: boolean | null
  product_hazardous_description: string | null
  product_custom_parameters: unknown
  assigned: AssignedItem[]
}

type AssignedItem = {
  shipment_id: { svc_shipment_id: string; status: string | null }
  assigned_quantity: number
  shipped: Record<string, unknown>[]
}

export function answerOf(wish: Wish, body: unknown): unknown {
  const { data } = body as { data: unknown }
  switch (wish.of) {
    case 'shipment':
      return (data as ShipmentItem[]).map(shipmentOf)[0]
    case 'shipments':
      return (data as ShipmentItem[]).map(shipmentOf)
    case 'order':
      return (data as OrderItem[]).map(orderOf)[0]
    case 'orders':
      return (data as OrderItem[]).map(orderOf)
    case 'create order':
      return data
    case 'update order':
      // It changes all that the filter finds.
      return (data as { reference: string }[])[0]
  }
}

function orderOf(item: OrderItem) {
  return withoutNulls({
    po_number: item.reference,
    supplier_name: item.supplier_id,
    // It reads children in batches, and does not put them back in order over these.
    purchase_order_lines: item.lines.toSorted((one, two) => one.position - two.position).map(lineOf),
    desired_ex_factory_date: item.desired_ex_factory_date,
    desired_delivery_date: item.desired_delivery_date,
    custom_parameters: item.custom_parameters,
  })
}

function lineOf(item: LineItem) {
  return withoutNulls({
    reference: item.reference,
    product: withoutNulls({
      sku: item.product_sku,
      name: item.product_name,
      hs_code: item.product_hs_code,
      description: item.product_description,
      // Interface 2.5: carried as a string.
      is_hazardous: item.product_is_hazardous?.toString(),
      hazardous_description: item.product_hazardous_description,
      custom_parameters: item.product_custom_parameters,
    }),
    ordered_quantity: item.ordered_quantity,
    unit_price: item.unit_price === null ? null : { amount: item.unit_price, currency: item.unit_price_currency },
    assigned_order_lines: item.assigned.map(assignedOf),
  })
}

function assignedOf({ shipment_id: shipment, assigned_quantity, shipped }: AssignedItem) {
  return withoutNulls({
    svc_shipment_id: shipment.svc_shipment_id,
    shipment_status: shipment.status,
    assigned_quantity,
    shipped_order_lines: shipped.map(shippedOf),
  })
}

function shippedOf({ id: _id, assigned_line_id: _parent, position: _position, ...shipped }: Record<string, unknown>) {
  return withoutNulls(shipped)
}
