import type { OwnLocationRecord } from '../contract/location.js'
import type { LocationVersion } from '../contract/ops/operations.js'
import { invalid, Refusal } from '../contract/refusals.js'
import { renderLocation } from '../domain/location.js'
import type { Reader } from '../storage/database.js'
import { findRevisionAt, findVersions, listVersionsAt, type PresentVersion } from '../storage/history.js'
import { isLocationId, listLocationIds, nextLocationId, saveLocations } from '../storage/locations.js'
import type { AccountId, Transaction } from '../storage/transaction.js'
import type { OperatorHandlers } from './handlers.js'
import { envelopeOf, getVersion, isUnchanged } from './versions.js'

export const locationHandlers: OperatorHandlers<
  'listLocations' | 'createLocation' | 'getLocation' | 'replaceLocation' | 'updateLocation'
> = {
  async listLocations({ db, account }, { query: { skip = 0, take = 20, as_of } }) {
    if (as_of !== undefined) {
      const revision = await findRevisionAt(db, account, as_of)
      return (await listVersionsAt(db, account, 'location', revision, { skip, take })).map(versionOf)
    }
    const ids = await listLocationIds(db, account, { skip, take })
    const versions = await findVersions(db, account, 'location', ids)
    return ids.flatMap((id) => versions.get(id) ?? []).map(versionOf)
  },

  async createLocation({ tx, account }, { body }) {
    const record = { ...body, id: body.id ?? (await nextLocationId(tx, account)) }
    if (!Number.isSafeInteger(record.id)) {
      throw invalid([{ pointer: '/id', detail: 'is required: the account uses the highest number there is' }])
    }
    const stored = await findVersions(tx.sql, account, 'location', [String(record.id)])
    if (stored.size > 0) throw new Refusal('location_exists')
    return save(tx, account, record, { what: 'created' })
  },

  async getLocation({ db, account }, { params: { id }, query: { as_of } }) {
    const { version } = await getVersion(db, account, 'location', id, { asOf: as_of, missing: 'location_not_found' })
    return versionOf(version)
  },

  async replaceLocation({ tx, account }, { params: { id }, body }) {
    const { retired, id: number } = await getRecord(tx.sql, account, id)
    return save(tx, account, { id: number, ...body, ...(retired && { retired }) }, { what: 'updated' })
  },

  async updateLocation({ tx, account }, { params: { id }, body: { retired, reason } }) {
    const { retired: _before, ...record } = await getRecord(tx.sql, account, id)
    return save(tx, account, { ...record, ...(retired && { retired }) }, { what: 'updated', reason })
  },
}

async function getRecord(db: Reader, account: AccountId, id: string): Promise<OwnLocationRecord> {
  const version = isLocationId(id) && (await findVersions(db, account, 'location', [id])).get(id)
  if (!version) throw new Refusal('location_not_found')
  return JSON.parse(version.record) as OwnLocationRecord
}

async function save(
  tx: Transaction,
  account: AccountId,
  record: OwnLocationRecord,
  change: { what: 'created' | 'updated'; reason?: string | undefined },
): Promise<LocationVersion> {
  const id = String(record.id)
  const before = (await findVersions(tx.sql, account, 'location', [id])).get(id)
  if (!isUnchanged(before?.record, record)) {
    const { retired = false, ...location } = record
    const body = JSON.stringify(renderLocation(location))
    const row = { location_id: record.id, retired, body, record: JSON.stringify(record) }
    await saveLocations(tx, account, [{ ...row, ...change }])
  }
  const { version } = await getVersion(tx.sql, account, 'location', id, {
    asOf: undefined,
    missing: 'location_not_found',
  })
  return versionOf(version)
}

function versionOf(version: PresentVersion): LocationVersion {
  const envelope = { ...envelopeOf(version), record: JSON.parse(version.record) as OwnLocationRecord }
  const { retired: _retired, ...location } = envelope.record
  return { ...envelope, shown: renderLocation(location) }
}
