import { businessTime } from '../../clock/clock.js'
import type { OrderArrivals } from '../../contract/public/inbound.js'
import type { PurchaseOrder } from '../../contract/public/purchase-order.js'
import type { Shipment } from '../../contract/public/shipment.js'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { orderArrivals } from '../../domain/inbound/order-arrivals.js'
import { shipmentArrival } from '../../domain/inbound/shipment-arrival.js'
import type { PurchaseOrderRecord } from '../../domain/purchase-orders/purchase-order.js'
import { findRevisionAt, findVersions } from '../../ledger/history.js'
import { findVessels } from '../../store/inbound-on-the-way.js'
import { findPurchaseOrderBodies } from '../../store/purchase-orders.js'
import { findShipmentBodies } from '../../store/shipments.js'
import type { CustomerHandler } from '../customer-context.js'
import { ordersShownAt, shipmentsShownAt } from '../history/as-of.js'
import type { OperatorHandler } from '../operator-context.js'

/** When an order and each of its lines arrive, for its account. */
export const getOrderArrivals: CustomerHandler<'getOrderArrivals'> = async (
  { ask, account },
  { params: { reference }, query: { as_of } },
) => {
  const arrivals = await ask((db) => findOrderArrivals(db, account, reference, as_of))
  if (!arrivals) throw new Refusal('purchase_order_not_found')
  return { body: JSON.stringify(arrivals), revision: 0, id: reference }
}

/** The same for operators. */
export const getOrderArrivalsOf: OperatorHandler<'getOrderArrivals'> = async (
  { db, account },
  { params: { reference }, query: { as_of } },
) => {
  const arrivals = await findOrderArrivals(db, account, reference, as_of)
  if (arrivals) return arrivals
  const exists = (await findPurchaseOrderBodies(db, account, [reference])).has(reference)
  throw new Refusal(exists ? 'version_not_found' : 'purchase_order_not_found')
}

async function findOrderArrivals(
  db: Reader,
  account: AccountId,
  reference: string,
  asOf: string | undefined,
): Promise<OrderArrivals | undefined> {
  const today = (asOf === undefined ? new Date(businessTime()) : new Date(asOf)).toISOString().slice(0, 10)
  const revision = asOf === undefined ? undefined : await findRevisionAt(db, account, asOf)
  const found = await findOrder(db, account, reference, revision)
  if (!found) return undefined
  const { order, cancellation } = found
  const shipments = await findShipments(db, account, shipmentsOf(order), revision)
  const vessels = await findVessels(
    db,
    account,
    shipments.map(({ svc_shipment_id }) => svc_shipment_id),
    revision,
  )
  const arrivals = shipments.map((shipment) => {
    const { svc_shipment_id: id } = shipment
    const arrival = shipmentArrival(shipment)
    return [id, { ...arrival, vessel: vessels.get(id) ?? arrival.vessel }] as const
  })
  return orderArrivals(order, new Map(arrivals), { today, cancellation })
}

function shipmentsOf({ purchase_order_lines: lines }: PurchaseOrder): string[] {
  const assigned = lines.flatMap(({ assigned_order_lines = [] }) => assigned_order_lines)
  return [...new Set(assigned.map(({ svc_shipment_id }) => svc_shipment_id))]
}

type FoundOrder = { order: PurchaseOrder; cancellation: PurchaseOrderRecord['cancellation'] }

async function findOrder(
  db: Reader,
  account: AccountId,
  reference: string,
  revision: number | undefined,
): Promise<FoundOrder | undefined> {
  const versions = await findVersions(db, account, 'purchase_order', [reference], revision)
  const version = versions.get(reference)
  if (!version) return undefined
  const { cancellation } = JSON.parse(version.record) as PurchaseOrderRecord
  if (revision === undefined) {
    const body = (await findPurchaseOrderBodies(db, account, [reference])).get(reference)
    return body === undefined ? undefined : { order: JSON.parse(body) as PurchaseOrder, cancellation }
  }
  const order = (await ordersShownAt(db, account, [version], revision)).get(reference)
  return order && { order, cancellation }
}

async function findShipments(
  db: Reader,
  account: AccountId,
  ids: string[],
  revision: number | undefined,
): Promise<Shipment[]> {
  if (revision === undefined) {
    const bodies = await findShipmentBodies(db, account, ids)
    return [...bodies.values()].map((body) => JSON.parse(body) as Shipment)
  }
  const versions = await findVersions(db, account, 'shipment', ids, revision)
  return [...(await shipmentsShownAt(db, account, [...versions.values()], revision)).values()]
}
