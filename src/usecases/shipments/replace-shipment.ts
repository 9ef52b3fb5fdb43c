import type { OperatorHandler } from '../operator-context.js'
import { getShipmentRecord } from './shipment-record.js'
import { reviseShipment, splitShipment } from './shipment-revision.js'

export const replaceShipment: OperatorHandler<'replaceShipment'> = async (
  { tx, account },
  { params: { svc_shipment_id }, body, normalized },
) => {
  const before = await getShipmentRecord(tx.sql, account, svc_shipment_id)
  // Fields that are not input stay: the status, and what an import stored that nothing is derived from yet.
  const { computed_totals: _computed, ...rest } = splitShipment(before).rest
  const { created_at } = before
  return reviseShipment(tx, account, before, { ...rest, ...(created_at && { created_at }), ...body }, normalized)
}
