import type { OperatorHandler } from '../operator-context.js'
import { patchedShipment } from './patched-shipment.js'
import { getShipmentRecord } from './shipment-record.js'
import { refuseOtherShipmentRevision, reviseShipment } from './shipment-revision.js'

export const updateShipment: OperatorHandler<'updateShipment'> = async (
  { tx, account },
  { params: { svc_shipment_id }, query: { revision }, body, normalized },
) => {
  await refuseOtherShipmentRevision(tx.sql, account, svc_shipment_id, revision)
  const record = await getShipmentRecord(tx.sql, account, svc_shipment_id)
  return reviseShipment(tx, account, record, patchedShipment(record, body), normalized)
}
