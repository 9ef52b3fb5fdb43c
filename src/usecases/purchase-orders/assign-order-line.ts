import { invalid, Refusal } from '../../contract/refusals.js'
import { assignedFault, isCounted, namesFault } from '../../domain/purchase-orders/assignment.js'
import { getOverShipmentPercent } from '../../store/accounts.js'
import { findAssignmentsOfOrders } from '../../store/assignments.js'
import type { OperatorHandler } from '../operator-context.js'
import { getShipmentRecord } from '../shipments/shipment-record.js'
import {
  quantityExceeded,
  refuseOtherAssignmentRevision,
  refuseUnknownContainers,
  saveAssignment,
} from './assignment-record.js'
import { getPurchaseOrderRecord } from './purchase-order-record.js'

/** Assigns a quantity of an order line to a shipment, or changes the quantity that is assigned. */
export const assignOrderLine: OperatorHandler<'assign'> = async (
  { tx, account },
  { params: { reference, line, svc_shipment_id }, query: { revision }, body },
) => {
  const order = await getPurchaseOrderRecord(tx.sql, account, reference)
  if (order.cancellation) throw new Refusal('purchase_order_cancelled')
  const orderLine = order.product_lines.find((each) => each.reference === line)
  if (!orderLine) throw new Refusal('line_not_found')
  const shipment = await getShipmentRecord(tx.sql, account, svc_shipment_id)
  if (shipment.status === 'cancelled') throw new Refusal('shipment_cancelled')
  const tooLong = namesFault({ reference, line, svc_shipment_id })
  if (tooLong) throw invalid([tooLong])
  await refuseOtherAssignmentRevision(tx, account, { reference, line, svc_shipment_id }, revision)
  const ofOrder = await findAssignmentsOfOrders(tx.sql, account, [reference])
  const others = ofOrder.filter(
    (each) => each.line === line && each.svc_shipment_id !== svc_shipment_id && isCounted(each),
  )
  const stored = ofOrder.find((each) => each.line === line && each.svc_shipment_id === svc_shipment_id)
  const { assigned_quantity, over_shipment_reason, shipped_order_lines = stored?.shipped_order_lines ?? [] } = body
  // Only the lines of this request are validated: stored ones may come from an import and stay as they are.
  refuseUnknownContainers(body.shipped_order_lines ?? [], shipment)
  const assigned = others.map((each) => each.assigned_quantity)
  const tolerance = await getOverShipmentPercent(tx.sql, account)
  const excess = assignedFault(orderLine.ordered_quantity, [...assigned, assigned_quantity], tolerance)
  if (excess && over_shipment_reason === undefined) throw quantityExceeded(excess)
  const written = { reference, line, svc_shipment_id, assigned_quantity, shipped_order_lines }
  return saveAssignment(tx, account, {
    ...written,
    ...(excess && over_shipment_reason !== undefined && { over_shipment_reason }),
  })
}
