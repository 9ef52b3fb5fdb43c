import type { ShipmentOrderLine } from '../../contract/operator/bookings.js'
import type { PurchaseOrder } from '../../contract/public/purchase-order.js'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { openQuantityOf } from '../../domain/purchase-orders/order-quantities.js'
import { findVersions } from '../../ledger/history.js'
import { assignmentId, findAssignmentsOfShipments } from '../../store/assignments.js'
import { findPurchaseOrderBodies } from '../../store/purchase-orders.js'
import type { OperatorHandler } from '../operator-context.js'
import { getShipmentRecord } from '../shipments/shipment-record.js'
import { assignOrderLines } from './assign-order-lines.js'

export const listOrderLines: OperatorHandler<'listOrderLines'> = async (
  { db, account },
  { params: { svc_shipment_id }, query: { skip = 0, take = 100 } },
) => {
  await getShipmentRecord(db, account, svc_shipment_id)
  return orderLinesOf(db, account, svc_shipment_id, { skip, take })
}

export const addOrderLines: OperatorHandler<'addOrderLines'> = async (
  { tx, account },
  { params: { svc_shipment_id }, body: { order_lines } },
) => {
  const shipment = await getShipmentRecord(tx.sql, account, svc_shipment_id)
  if (shipment.status === 'cancelled') throw new Refusal('shipment_cancelled')
  await assignOrderLines(tx, account, shipment, order_lines)
  await tx.derive()
  return orderLinesOf(tx.sql, account, svc_shipment_id, { skip: 0, take: 1000 })
}

async function orderLinesOf(
  db: Reader,
  account: AccountId,
  shipment: string,
  { skip, take }: { skip: number; take: number },
): Promise<ShipmentOrderLine[]> {
  const assignments = (await findAssignmentsOfShipments(db, account, [shipment])).slice(skip, skip + take)
  const ids = assignments.map(assignmentId)
  const [versions, bodies] = await Promise.all([
    findVersions(db, account, 'assignment', ids),
    findPurchaseOrderBodies(db, account, [...new Set(assignments.map(({ reference }) => reference))]),
  ])
  const lines = new Map(
    [...bodies].flatMap(([reference, body]) =>
      (JSON.parse(body) as PurchaseOrder).purchase_order_lines.map((line) => [
        JSON.stringify([reference, line.reference]),
        line,
      ]),
    ),
  )
  return assignments.flatMap(
    ({ reference, line, assigned_quantity, shipped_order_lines, over_shipment_reason }, index) => {
      const id = ids[index] as string
      const version = versions.get(id)
      const ordered = lines.get(JSON.stringify([reference, line]))
      if (!version || !ordered) return []
      const { revision, recorded_at, recorded_by } = version
      const { sku, name } = ordered.product
      return {
        id,
        revision,
        recorded_at,
        recorded_by,
        record: {
          reference,
          line,
          svc_shipment_id: shipment,
          assigned_quantity,
          shipped_order_lines,
          ...(over_shipment_reason !== undefined && { over_shipment_reason }),
        },
        sku,
        ...(name !== undefined && { name }),
        ordered_quantity: ordered.ordered_quantity,
        open_quantity: openQuantityOf(ordered),
      }
    },
  )
}
