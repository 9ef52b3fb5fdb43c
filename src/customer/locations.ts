import { Refusal } from '../contract/refusals.js'
import { findLocation, isLocationId, listLocations } from '../storage/locations.js'
import { bodiesOf, type Handlers } from './handlers.js'

export const locationHandlers: Handlers<'listLocations' | 'getLocation'> = {
  async listLocations({ ask, account }, { query }) {
    return bodiesOf(listLocations(ask, account, { skip: query.skip ?? 0, take: query.take }))
  },

  async getLocation({ ask, account }, { params }) {
    const location = isLocationId(params.id) && (await ask((db) => findLocation(db, account, Number(params.id))))
    if (!location) throw new Refusal('location_not_found')
    return location
  },
}
