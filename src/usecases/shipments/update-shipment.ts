import { ShipmentInput } from '../../contract/operator/shipments.js'
import type { ShipmentRecord } from '../../contract/public/shipment.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import { validatorOf } from '../../contract/validation.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { mergePatch } from '../../domain/records/merge-patch.js'
import { findVersions } from '../../ledger/history.js'
import type { OperatorHandler } from '../operator-context.js'
import { getShipmentRecord } from './shipment-record.js'
import { reviseShipment, splitShipment } from './shipment-revision.js'

const inputValidator = validatorOf(ShipmentInput)

export const updateShipment: OperatorHandler<'updateShipment'> = async (
  { tx, account },
  { params: { svc_shipment_id }, query: { revision }, body, normalized },
) => {
  await refuseOtherRevision(tx.sql, account, svc_shipment_id, revision)
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

/** The lock of the account keeps others from changing it before this write is committed. */
async function refuseOtherRevision(
  db: Reader,
  account: AccountId,
  id: string,
  expected: number | undefined,
): Promise<void> {
  if (expected === undefined) return
  const current = (await findVersions(db, account, 'shipment', [id])).get(id)?.revision
  if (current !== undefined && current !== expected) {
    throw new Refusal('shipment_changed', `Its revision is ${current}.`)
  }
}
