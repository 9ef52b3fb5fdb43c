import type { Fragment, Reader } from '../database.js'
import type { Place } from './cursor.js'

/** A row that was found. Its body is null where those before it fill the page. */
export type Found = { id: string; key: Place['key']; body: string | null }

// What is longer is several pages, as it is several stretches of a list.
const mostBytes = 4 * 1024 * 1024

/** Of a row with its `place` and the `stored` body: the body, as long as those before it leave room. */
export function whileTheyFit(db: Reader): Fragment {
  return db`
    case when sum(octet_length(stored.body)) over (order by place) - octet_length(stored.body) < ${mostBytes}
      then stored.body end`
}
