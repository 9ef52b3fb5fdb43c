import type { OwnLocationRecord } from '../contract/public/location.js'
import type { TrackingRecord } from '../contract/public/tracking.js'
import type { AccountId } from '../database/account-id.js'
import type { Reader } from '../database/database.js'
import { stepLocationIds } from '../domain/tracking/tracking.js'
import { findVersions } from './history.js'

/** The saved locations that tracking steps refer to by identifier, now or at a revision. */
export async function findStepLocations(
  db: Reader,
  account: AccountId,
  trackings: TrackingRecord[],
  revision?: number,
): Promise<Map<number, OwnLocationRecord>> {
  const ids = new Set(trackings.flatMap(stepLocationIds))
  if (ids.size === 0) return new Map()
  const versions = await findVersions(db, account, 'location', [...ids].map(String), revision)
  const records = [...versions.values()].map(({ record }) => JSON.parse(record) as OwnLocationRecord)
  return new Map(records.map((record) => [record.id, record]))
}
