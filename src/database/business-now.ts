import { simulatedTime } from '../clock/clock.js'
import type { Reader } from './database.js'

/** Business time within a statement: the database's clock, or the simulated time (`clock/clock.ts`). */
export function businessNow(sql: Reader) {
  const simulated = simulatedTime()
  return simulated === undefined ? sql`now()` : sql`${new Date(simulated).toISOString()}::timestamptz`
}

/** The same, but the time of the statement, not of the start of its transaction. */
export function businessNowInStatement(sql: Reader) {
  return simulatedTime() === undefined ? sql`clock_timestamp()` : businessNow(sql)
}
