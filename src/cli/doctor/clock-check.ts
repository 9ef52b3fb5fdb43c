import type { Database } from '../../storage/database.js'
import { readClock } from '../../storage/server-facts.js'
import { type Finding, ok, warning, wrong } from './finding.js'

// Keys, sessions and links end by these clocks; a bucket refuses requests that are signed a quarter of an hour off.
const tolerated = 5000
const bearable = 60_000

export async function checkDatabaseClock(db: Database): Promise<Finding[]> {
  const { clock, took } = await readClock(db)
  return [judgeClock('the database', clock, took)]
}

/** How far it is from the clock of this process. Nobody knows when within that time it was read. */
export function judgeClock(whose: string, clock: Date, took: number): Finding {
  const difference = clock.getTime() - (Date.now() - took / 2)
  const off = Math.max(0, Math.abs(difference) - took / 2)
  const how = `that of ${whose} is ${(off / 1000).toFixed(1)} s ${difference > 0 ? 'ahead of' : 'behind'} this machine's`
  const mend = 'let both be set by a time server (NTP)'
  if (off > bearable) return wrong('clock', how, mend)
  if (off > tolerated) return warning('clock', how, mend)
  return ok('clock', `that of ${whose} agrees with this machine's`)
}
