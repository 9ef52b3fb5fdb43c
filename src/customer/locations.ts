import { Refusal } from '../contract/refusals.js'
import { findLocation, isLocationId, listLocations } from '../storage/locations.js'
import { bodiesOf, type Handlers } from './handlers.js'

export const locationHandlers: Handlers<'listLocations' | 'getLocation'> = {
  async listLocations({ db, account }, { query }) {
    return bodiesOf(listLocations(db, account, { skip: query.skip ?? 0, take: query.take }))
  },

  async getLocation({ db, account }, { params }) {
    const location = isLocationId(params.id) && (await findLocation(db, account, Number(params.id)))
    if (!location) throw new Refusal('location_not_found')
    return location
  },
}
