import { Refusal } from '../../contract/refusals.js'
import type { OperatorHandler } from '../operator-context.js'
import { getShipmentRecord } from '../shipments/shipment-record.js'
import {
  getAssignment,
  refuseOtherAssignmentRevision,
  refuseUnknownContainers,
  saveAssignment,
} from './assignment-record.js'

/** Records what is packed of an order line that is assigned to a shipment. */
export const packOrderLine: OperatorHandler<'pack'> = async (
  { tx, account },
  { params: { reference, line, svc_shipment_id }, query: { revision }, body: { shipped_order_lines } },
) => {
  const stored = await getAssignment(tx, account, { reference, line, svc_shipment_id })
  await refuseOtherAssignmentRevision(tx, account, stored, revision)
  const shipment = await getShipmentRecord(tx.sql, account, svc_shipment_id)
  if (shipment.status === 'cancelled') throw new Refusal('shipment_cancelled')
  refuseUnknownContainers(shipped_order_lines, shipment)
  return saveAssignment(tx, account, { ...stored, shipped_order_lines })
}
