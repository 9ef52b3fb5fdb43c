import type { Fragment, Reader } from '../database/database.js'

/** The rule of `daysLate`, as expressions on a row of `inbound`. */

/** Whether it is, or was, later than desired. */
export function isLateOn(db: Reader, today: string): Fragment {
  return db`(desired_on is not null and (expected_on > desired_on or (not delivered and desired_on < ${today}::text::date)))`
}

/** By how many days; negative if it is early, null without dates. */
export function daysLateOn(db: Reader, today: string): Fragment {
  return db`greatest(expected_on - desired_on,
    case when not delivered and desired_on < ${today}::text::date then ${today}::text::date - desired_on end)`
}
