import { mapInSlices } from '../../jobs/in-slices.js'
import { findRevisionAt, listIdsAt, listVersionsOf } from '../../ledger/history.js'
import { listLocationIds } from '../../store/locations.js'
import { getVersion } from '../history/versions.js'
import type { OperatorHandler } from '../operator-context.js'
import { locationVersion } from './location-record.js'

export const listLocationVersions: OperatorHandler<'listLocations'> = async (
  { db, account },
  { query: { skip = 0, take = 20, as_of } },
) => {
  if (as_of !== undefined) {
    const revision = await findRevisionAt(db, account, as_of)
    const ids = await listIdsAt(db, account, 'location', revision, { skip, take })
    return mapInSlices(await listVersionsOf(db, account, 'location', ids, revision), locationVersion)
  }
  const ids = await listLocationIds(db, account, { skip, take })
  return mapInSlices(await listVersionsOf(db, account, 'location', ids), locationVersion)
}

export const getLocationVersion: OperatorHandler<'getLocation'> = async (
  { db, account },
  { params: { id }, query: { as_of } },
) => {
  const { version } = await getVersion(db, account, 'location', id, { asOf: as_of, missing: 'location_not_found' })
  return locationVersion(version)
}
