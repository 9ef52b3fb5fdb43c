import { airports } from './airports.js'
import { findSeaPort, type Place, seaPorts } from './ports.js'
import { railTerminals, roadPlaces } from './terminals.js'

/** What a place is for: one code may name a port, an airport and a terminal. */
export type Purpose = 'sea' | 'air' | 'rail' | 'road'

const airportsByCode: ReadonlyMap<string, Place> = new Map([...airports.values()].map((place) => [place.code, place]))

const finders: Record<Purpose, (code: string) => Place | undefined> = {
  sea: findSeaPort,
  air: (code) => airportsByCode.get(code),
  rail: (code) => railTerminals.get(code),
  road: (code) => roadPlaces.get(code),
}

/** The place with this UN/LOCODE, with or without its slash: the one for that purpose, or else any. */
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

/** What people call the place with this code, whatever it is for: as we call it, where we do. */
export function placeNameOf(unlocode: string): string | undefined {
  return (seaPorts.get(unlocode) ?? findPlace(unlocode, 'air'))?.city
}
