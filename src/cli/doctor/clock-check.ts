import { systemTime } from '../../clock/clock.js'
import type { Database } from '../../database/database.js'
import { readClock } from '../../database/server-info.js'
import { type Finding, ok, warning, wrong } from './finding.js'

// Expiry of keys, sessions and links depends on these clocks; S3 refuses signatures that are 15 minutes off.
const warningAfter = 5000
const wrongAfter = 60_000

export async function checkDatabaseClock(db: Database): Promise<Finding[]> {
  const { clock, took } = await readClock(db)
  return [clockFinding('the database', clock, took)]
}

/** Compares a clock with that of this process. `took`: the duration of the query, during which the clock was read. */
export function clockFinding(owner: string, clock: Date, took: number): Finding {
  const difference = clock.getTime() - (systemTime() - took / 2)
  const off = Math.max(0, Math.abs(difference) - took / 2)
  const what = `the clock of ${owner} is ${(off / 1000).toFixed(1)} s ${difference > 0 ? 'ahead of' : 'behind'} the clock of this machine`
  const fix = 'synchronize both clocks with NTP'
  if (off > wrongAfter) return wrong('clock', what, fix)
  if (off > warningAfter) return warning('clock', what, fix)
  return ok('clock', `the clock of ${owner} agrees with the clock of this machine`)
}
