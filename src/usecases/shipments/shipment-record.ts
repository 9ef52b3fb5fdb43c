import type { ShipmentVersion } from '../../contract/operator/shipments.js'
import type { Warning } from '../../contract/operator/version.js'
import type { Shipment, ShipmentRecord, ShipmentStatus } from '../../contract/public/shipment.js'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { shipmentWarnings } from '../../domain/shipments/shipment-warnings.js'
import { findVersions, type PresentVersion } from '../../ledger/history.js'
import { findRecord } from '../../ledger/records.js'
import { Transaction } from '../../ledger/transaction.js'
import { findShipmentBodies } from '../../store/shipments.js'
import { envelopeOf } from '../history/versions.js'
import { followShipmentStatus } from '../tracking/tracking-record.js'
import { isKnownPlace } from './known-place.js'

/** Records of shipments: read, stored and shown. */

export async function getShipmentRecord(db: Reader, account: AccountId, id: string): Promise<ShipmentRecord> {
  const record = await findRecord(db, account, 'shipment', id)
  if (!record) throw new Refusal('shipment_not_found')
  return record
}

/** Stores the record, and returns it as customers see it. */
export async function saveShipment(
  tx: Transaction,
  account: AccountId,
  record: ShipmentRecord,
  before: ShipmentRecord | undefined,
  {
    normalized,
    ...change
  }: { what?: 'corrected'; reason?: string | undefined; normalized?: Warning[] | undefined } = {},
): Promise<ShipmentVersion> {
  tx.put('shipment', [{ record, before, ...change }])
  if (before && before.status !== record.status) {
    await followShipmentStatus(tx, account, record.svc_shipment_id, record.status as ShipmentStatus, change.reason)
  }
  await tx.derive()
  const { svc_shipment_id: id } = record
  const [versions, shown] = await Promise.all([
    findVersions(tx.sql, account, 'shipment', [id]),
    findShownShipment(tx.sql, account, id),
  ])
  return shipmentVersion(versions.get(id) as PresentVersion, shown, normalized)
}

/** The shipment as customers see it. */
export async function findShownShipment(db: Reader, account: AccountId, id: string): Promise<Shipment | undefined> {
  const body = (await findShipmentBodies(db, account, [id])).get(id)
  return body === undefined ? undefined : (JSON.parse(body) as Shipment)
}

/** `normalized`: the values that were read in another form than they were sent. */
export function shipmentVersion(
  version: PresentVersion,
  shown: Shipment | undefined,
  normalized: Warning[] = [],
): ShipmentVersion {
  const envelope = { ...envelopeOf(version), record: JSON.parse(version.record) as ShipmentRecord }
  const warnings = [...normalized, ...shipmentWarnings(envelope.record, isKnownPlace)]
  return { ...envelope, ...(shown && { shown }), ...(warnings.length > 0 && { warnings }) }
}
