import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { findVersions } from '../../ledger/history.js'
import type { OperatorHandler } from '../operator-context.js'
import { patchedShipment } from './patched-shipment.js'
import { getShipmentRecord } from './shipment-record.js'
import { reviseShipment } from './shipment-revision.js'

export const updateShipment: OperatorHandler<'updateShipment'> = async (
  { tx, account },
  { params: { svc_shipment_id }, query: { revision }, body, normalized },
) => {
  await refuseOtherRevision(tx.sql, account, svc_shipment_id, revision)
  const record = await getShipmentRecord(tx.sql, account, svc_shipment_id)
  return reviseShipment(tx, account, record, patchedShipment(record, body), normalized)
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
