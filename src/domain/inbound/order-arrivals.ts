import { Big } from 'big.js'
import type { LineArrival, LineArrivals, OrderArrivals } from '../../contract/public/inbound.js'
import type { OrderCancellation, PurchaseOrder, PurchaseOrderLine } from '../../contract/public/purchase-order.js'
import { daysLate } from '../shipments/lateness.js'
import { type InboundPart, partsOfLine } from './inbound-parts.js'
import type { ShipmentArrival } from './shipment-arrival.js'

type ArrivalsById = Map<string, ShipmentArrival>

/** When an order and each of its lines arrive, by shipment, against the desired date. */
export function orderArrivals(
  order: PurchaseOrder,
  shipments: ArrivalsById,
  { today, cancellation }: { today: string; cancellation: OrderCancellation | undefined },
): OrderArrivals {
  const partsOf = (line: PurchaseOrderLine) => (cancellation ? [] : partsOfLine(order, line))
  const lines = order.purchase_order_lines.map((line) => lineArrivals(line, partsOf(line), shipments, today))
  const { desired_delivery_date, desired_ex_factory_date } = order
  const unassigned_quantity = total(lines.map((line) => line.unassigned_quantity))
  return {
    reference: order.po_number,
    ...(desired_ex_factory_date !== undefined && { desired_ex_factory_date }),
    ...(desired_delivery_date !== undefined && { desired_delivery_date }),
    ...lastOf(
      lines.flatMap(({ arrivals }) => arrivals),
      unassigned_quantity,
    ),
    ...latestOf(lines),
    unassigned_quantity,
    unshipped_quantity: total(lines.map((line) => line.unshipped_quantity)),
    lines,
    ...(cancellation && { cancellation }),
  }
}

function lineArrivals(
  line: PurchaseOrderLine,
  ofLine: InboundPart[],
  shipments: ArrivalsById,
  today: string,
): LineArrivals {
  const parts = ofLine.map((part) => ({ part, shown: shownPart(part, shipments, today) }))
  const arrivals = parts.flatMap(({ part, shown }) =>
    part.svc_shipment_id === undefined ? [] : { ...shown, svc_shipment_id: part.svc_shipment_id },
  )
  const { product, reference, ordered_quantity } = line
  const name = product.name ?? product.description
  const unassigned_quantity = total(
    parts.flatMap(({ part }) => (part.svc_shipment_id === undefined ? part.quantity : [])),
  )
  return {
    line: reference,
    sku: product.sku,
    ...(name !== undefined && { name }),
    ordered_quantity,
    ...lastOf(arrivals, unassigned_quantity),
    ...latestOf(parts.map(({ shown }) => shown)),
    unassigned_quantity,
    unshipped_quantity: total(arrivals.flatMap(({ quantity, shipped_quantity }) => [quantity, -shipped_quantity])),
    arrivals,
  }
}

/** A part with the dates of its shipment, and how late it is. */
export function shownPart(part: InboundPart, shipments: ArrivalsById, today: string) {
  const { svc_shipment_id, shipment_status, quantity, shipped_quantity, desired_date: desired } = part
  const shipment = svc_shipment_id === undefined ? undefined : shipments.get(svc_shipment_id)
  const { expected_date, date_status = 'unknown', shipment_name, date_of, location, vessel } = shipment ?? {}
  const isOver = shipment?.is_delivered ?? false
  const days_late = daysLate({ desired, expected: expected_date, isOver }, today)
  return {
    ...(shipment_name !== undefined && { shipment_name }),
    ...(shipment_status && { shipment_status }),
    quantity,
    shipped_quantity,
    date_status,
    ...(expected_date !== undefined && { expected_date }),
    ...(date_of && { date_of }),
    ...(days_late !== undefined && { days_late }),
    ...(location !== undefined && { location }),
    ...(vessel !== undefined && { vessel }),
  } satisfies Omit<LineArrival, 'svc_shipment_id'>
}

/**
 * The last of those still to come; once all is there, the last that came. When the rest comes that is not assigned is
 * unknown.
 */
function lastOf(arrivals: LineArrival[], unassigned: number): Pick<LineArrival, 'expected_date' | 'date_status'> {
  const coming = arrivals.filter(({ date_status }) => date_status !== 'actual')
  if (coming.length === 0 && unassigned > 0) return { date_status: 'unknown' }
  const dated = (coming.length > 0 ? coming : arrivals).filter(({ expected_date }) => expected_date !== undefined)
  const last = dated.toSorted((one, other) => ((one.expected_date ?? '') < (other.expected_date ?? '') ? -1 : 1)).at(-1)
  if (last?.expected_date === undefined) return { date_status: 'unknown' }
  return { expected_date: last.expected_date, date_status: last.date_status }
}

function latestOf(parts: { days_late?: number }[]): { days_late?: number } {
  const days = parts.flatMap(({ days_late }) => days_late ?? [])
  return days.length === 0 ? {} : { days_late: days.reduce((most, each) => Math.max(most, each)) }
}

function total(quantities: number[]): number {
  return quantities.reduce((sum, quantity) => sum.plus(quantity), new Big(0)).toNumber()
}
