import { listLocationCities } from '../storage/locations.js'
import type { PortalHandlers } from './handlers.js'

export const placeHandlers: PortalHandlers<'listPlaces'> = {
  async listPlaces({ db, account }) {
    const cities = await listLocationCities(db, account)
    // The cities and ports of the world are loaded when somebody wants to see them.
    const { findCity } = await import('../geography/cities.js')
    return cities.flatMap(({ id, city, country }) => {
      const place = findCity(country.toUpperCase(), city)
      return place ? [{ id, point: [...place.coordinates], time_zone: place.timeZone }] : []
    })
  },
}
