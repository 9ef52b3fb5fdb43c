import type { PortalQuery } from '../../src/contract/portal/operations.js'
import type { PurchaseOrder } from '../../src/contract/public/purchase-order.js'
import type { Shipment } from '../../src/contract/public/shipment.js'
import { orderStateOf, quantitiesOf } from '../../src/domain/purchase-orders/order-quantities.js'
import { lateDays } from '../../src/domain/shipments/lateness.js'
import { parseSearch, sortKeyOf, wordsOf } from '../../src/store/search/search-words.js'
import { today } from './generated-account.js'

/** A reference implementation of search and sort: filters one body at a time. */

export type ShipmentQuery = PortalQuery<'findShipments'>
export type OrderQuery = PortalQuery<'findPurchaseOrders'>

export const textsOf = ({ svc_shipment_id, name, cargo, booking_information: booking, route, ...rest }: Shipment) => ({
  identifiers: [
    svc_shipment_id,
    ...(cargo?.containers ?? []).flatMap((each) => [each.container_number, each.seal_number]),
    ...(rest.purchase_order_references ?? []),
    ...(rest.invoice_references ?? []),
    booking?.master_bill,
    booking?.house_bill,
    booking?.ocean_booking?.booking_number,
    booking?.ocean_booking?.voyage,
    booking?.air_booking?.flight_number,
    route?.origin_port_unlocode,
    route?.destination_port_unlocode,
  ].map((text) => text ?? null),
  names: [name, booking?.carrier, booking?.ocean_booking?.vessel].map((text) => text ?? null),
})

function hasWords(texts: Parameters<typeof wordsOf>[0], q: string | undefined): boolean {
  const sought = parseSearch(q)
  if (!sought) return true
  const own = wordsOf(texts)
  const begins = (typed: string) => own.some((word) => word.startsWith(typed))
  return sought.words.every(begins) || (sought.joined !== undefined && begins(sought.joined))
}

const dayOf = (date: { date: string } | undefined) => date?.date.slice(0, 10)

function isWithin(day: string | undefined, from: string | undefined, to: string | undefined): boolean {
  if (from === undefined && to === undefined) return true
  return day !== undefined && (from === undefined || day >= from) && (to === undefined || day <= to)
}

export function locationsOf({ route }: Shipment): string[] {
  return [route?.pickup_location_id, route?.delivery_location_id].flatMap((id) => id ?? [])
}

export function matchesShipment(shipment: Shipment, query: ShipmentQuery): boolean {
  const { status, freight_mode, route, main_tracking_dates: dates } = shipment
  const has = (values: string | undefined, value: string | undefined) =>
    values === undefined || (value !== undefined && values.split(',').includes(value))
  return (
    has(query.status, status) &&
    has(query.freight_mode, freight_mode) &&
    has(query.origin, route?.origin_port_unlocode) &&
    has(query.destination, route?.destination_port_unlocode) &&
    (query.location === undefined || locationsOf(shipment).includes(String(query.location))) &&
    isWithin(dayOf(dates?.departure_date), query.departs_from, query.departs_to) &&
    isWithin(dayOf(dates?.arrival_date), query.arrives_from, query.arrives_to) &&
    (query.late === undefined || (lateDays(shipment, today()) ?? 0) > 0) &&
    hasWords(textsOf(shipment), query.q)
  )
}

export type Key = string | number | undefined

export const shipmentKeys: Record<NonNullable<ShipmentQuery['sort']>, (shipment: Shipment) => Key> = {
  newest: ({ created_at }) => -Date.parse(created_at ?? ''),
  departure: ({ main_tracking_dates: dates }) => dayOf(dates?.departure_date),
  arrival: ({ main_tracking_dates: dates }) => dayOf(dates?.arrival_date),
  delivery: ({ main_tracking_dates: dates }) => dayOf(dates?.delivery_date),
  name: ({ name }) => sortKeyOf(name),
  late: (shipment) => lateDays(shipment, today()),
}

/** Sorted by the key, then by the identifier; entries without a key come last. */
export function sorted<Thing>(
  things: Thing[],
  keyOf: (thing: Thing) => Key,
  idOf: (thing: Thing) => string,
  isDown: boolean,
) {
  const compare = (one: Key, other: Key) => (one === other ? 0 : (one as string) < (other as string) ? -1 : 1)
  return things.toSorted((one, other) => {
    const [left, right] = [keyOf(one), keyOf(other)]
    if ((left === undefined) !== (right === undefined)) return left === undefined ? 1 : -1
    return (compare(left, right) || compare(idOf(one), idOf(other))) * (isDown ? -1 : 1)
  })
}

export const orderTexts = ({ po_number, supplier_name, purchase_order_lines: lines }: PurchaseOrder) => ({
  identifiers: [
    po_number,
    ...lines.map(({ product }) => product.sku),
    ...lines.flatMap(({ assigned_order_lines = [] }) => assigned_order_lines.map((each) => each.svc_shipment_id)),
  ],
  names: [supplier_name ?? null, ...lines.map(({ product }) => product.name ?? null)],
})

export function matchesOrder(order: PurchaseOrder, { q, state, supplier }: OrderQuery): boolean {
  const states = state?.split(',')
  return (
    (states === undefined || states.includes(orderStateOf(quantitiesOf(order.purchase_order_lines)))) &&
    (supplier === undefined || sortKeyOf(order.supplier_name) === sortKeyOf(supplier)) &&
    hasWords(orderTexts(order), q)
  )
}
