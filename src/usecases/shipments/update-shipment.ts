import { ShipmentInput } from '../../contract/operator/shipments.js'
import type { ShipmentRecord } from '../../contract/public/shipment.js'
import { invalid } from '../../contract/refusals.js'
import { validatorOf } from '../../contract/validation.js'
import { mergePatch } from '../../domain/records/merge-patch.js'
import type { OperatorHandler } from '../operator-context.js'
import { getShipmentRecord } from './shipment-record.js'
import { reviseShipment, splitShipment } from './shipment-revision.js'

const inputValidator = validatorOf(ShipmentInput)

export const updateShipment: OperatorHandler<'updateShipment'> = async (
  { tx, account },
  { params: { svc_shipment_id }, body, normalized },
) => {
  const record = await getShipmentRecord(tx.sql, account, svc_shipment_id)
  const merged = mergePatch(record, body) as ShipmentRecord
  const { input, rest } = splitShipment(merged)
  const faults = inputValidator.faultsIn(input)
  if (faults.length > 0) throw invalid(faults)
  // A total that the patch sets or removes is no longer computed.
  const sent = Object.keys(((body as { cargo?: object }).cargo ?? {}) satisfies object)
  const computed_totals = (record.computed_totals ?? []).filter((name) => !sent.includes(name))
  return reviseShipment(tx, account, record, { ...rest, ...input, computed_totals }, normalized)
}
