import { listLocationCities } from '../../store/locations.js'
import type { PortalHandler } from '../portal-context.js'

/** The coordinates and time zones of the account's locations, as far as their cities are known. */
export const listPlaces: PortalHandler<'listPlaces'> = async ({ db, account }) => {
  const cities = await listLocationCities(db, account)
  // Loaded on first use: the city and port data is large.
  const { findCity } = await import('../../geography/cities.js')
  return cities.flatMap(({ id, city, country }) => {
    const place = findCity(country.toUpperCase(), city)
    return place ? [{ id, point: [...place.coordinates], time_zone: place.timeZone }] : []
  })
}
