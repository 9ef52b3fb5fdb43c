import { Refusal } from '../contract/refusals.js'
import { findLocation, listLocations } from '../storage/locations.js'
import { bodiesOf, type Handlers } from './handlers.js'

// An identifier has one address: /v1/locations/7, not /v1/locations/007.
const locationId = /^(?:0|-?[1-9]\d{0,15})$/

export const locationHandlers: Handlers<'listLocations' | 'getLocation'> = {
  async listLocations({ db, account }, { query }) {
    return bodiesOf(listLocations(db, account, { skip: query.skip ?? 0, take: query.take }))
  },

  async getLocation({ db, account }, { params }) {
    const location = locationId.test(params.id) && (await findLocation(db, account, Number(params.id)))
    if (!location) throw new Refusal('location_not_found')
    return location
  },
}
