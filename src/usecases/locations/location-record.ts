import type { LocationVersion } from '../../contract/operator/operations.js'
import type { OwnLocationRecord } from '../../contract/public/location.js'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { renderLocation } from '../../domain/locations/location.js'
import { findVersions, type PresentVersion } from '../../ledger/history.js'
import { findRecord } from '../../ledger/records.js'
import { Transaction } from '../../ledger/transaction.js'
import { isLocationId } from '../../store/locations.js'
import { envelopeOf } from '../history/versions.js'

export async function getLocationRecord(db: Reader, account: AccountId, id: string): Promise<OwnLocationRecord> {
  const record = isLocationId(id) ? await findRecord(db, account, 'location', id) : undefined
  if (!record) throw new Refusal('location_not_found')
  return record
}

export async function saveLocation(
  tx: Transaction,
  account: AccountId,
  record: OwnLocationRecord,
  before: OwnLocationRecord | undefined,
  reason?: string,
): Promise<LocationVersion> {
  const id = String(record.id)
  tx.put('location', [{ record, before, reason }])
  return locationVersion((await findVersions(tx.sql, account, 'location', [id])).get(id) as PresentVersion)
}

export function locationVersion(version: PresentVersion): LocationVersion {
  const envelope = { ...envelopeOf(version), record: JSON.parse(version.record) as OwnLocationRecord }
  const { retired: _retired, ...location } = envelope.record
  return { ...envelope, shown: renderLocation(location) }
}
