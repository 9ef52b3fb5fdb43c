import { airports } from './airports.js'
import { findSeaPort, type Place, seaPortCodes, seaPorts } from './ports.js'
import { railTerminals, roadPlaces } from './terminals.js'

/** One code may stand for a port, an airport and a terminal. */
export type Purpose = 'sea' | 'air' | 'rail' | 'road'

const airportsByCode: ReadonlyMap<string, Place> = new Map([...airports.values()].map((place) => [place.code, place]))

const finders: Record<Purpose, (code: string) => Place | undefined> = {
  sea: findSeaPort,
  air: (code) => airportsByCode.get(code),
  rail: (code) => railTerminals.get(code),
  road: (code) => roadPlaces.get(code),
}

/** Finds a place by UN/LOCODE, with or without a slash: the one for the purpose, or else any. */
export function findPlace(unlocode: string, purpose: Purpose): Place | undefined {
  const letters = unlocode.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  if (letters.length !== 5) return undefined
  const code = `${letters.slice(0, 2)}/${letters.slice(2)}`
  const purposes = new Set<Purpose>([purpose, 'sea', 'air', 'rail', 'road'])
  for (const each of purposes) {
    const place = finders[each](code)
    if (place) return place
  }
  return undefined
}

let zonesByCountry: Map<string, string | undefined> | undefined

/** The time zone of a country, if all of its ports and airports have the same. */
export function findCountryZone(country: string): string | undefined {
  if (!zonesByCountry) {
    zonesByCountry = new Map()
    const ports = seaPortCodes().flatMap((code) => findSeaPort(code) ?? [])
    for (const { country: each, timeZone } of [...ports, ...airports.values()]) {
      const isSame = !zonesByCountry.has(each) || zonesByCountry.get(each) === timeZone
      zonesByCountry.set(each, isSame ? timeZone : undefined)
    }
  }
  return zonesByCountry.get(country)
}

/** The name of the place with this code, for any purpose. */
export function placeNameOf(unlocode: string): string | undefined {
  return (seaPorts.get(unlocode) ?? findPlace(unlocode, 'air'))?.city
}
