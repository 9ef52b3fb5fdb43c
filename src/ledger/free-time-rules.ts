import type { Reader } from '../database/database.js'
import { type FreeTimeRules, freeTimeRules } from '../domain/free-time/free-time-rules.js'
import { findPlace } from '../geography/places.js'
import { listCalendars, listTerms } from '../store/free-time.js'

/** All rules and calendars of the forwarder, at present or at a time. Read once for many shipments, and pass to `freeTimeOf`. */
export async function readFreeTimeRules(db: Reader, asOf?: string): Promise<FreeTimeRules> {
  const [terms, calendars] = await Promise.all([listTerms(db, 'all', { asOf }), listCalendars(db, { asOf })])
  const zones = new Map(calendars.map(({ place, time_zone }) => [place, time_zone]))
  return freeTimeRules(terms, calendars, (port) => zones.get(port) ?? findPlace(port, 'sea')?.timeZone)
}
