import { Refusal } from '../../contract/refusals.js'
import { findLocation, isLocationId, streamLocationBodies } from '../../store/locations.js'
import { bodiesOf, type CustomerHandler } from '../customer-context.js'

export const listLocations: CustomerHandler<'listLocations'> = async ({ ask, account }, { query }) =>
  bodiesOf(streamLocationBodies(ask, account, { skip: query.skip ?? 0, take: query.take }))

export const getLocation: CustomerHandler<'getLocation'> = async ({ ask, account }, { params }) => {
  const location = isLocationId(params.id) && (await ask((db) => findLocation(db, account, Number(params.id))))
  if (!location) throw new Refusal('location_not_found')
  return location
}
