import { findPlace } from '../../geography/places.js'

/** Whether a UN/LOCODE is of a port, an airport, a terminal or a city that Waybill knows. */
export function isKnownPlace(code: string): boolean {
  return findPlace(code, 'sea') !== undefined
}
