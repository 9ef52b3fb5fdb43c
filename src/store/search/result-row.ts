import type { Fragment, Reader } from '../../database/database.js'
import type { Cursor } from './cursor.js'

/** A row of a search result. Its body is null if the bodies before it have used up the size limit. */
export type ResultRow = { id: string; key: Cursor['key']; body: string | null }

// A page with larger bodies is split, as lists are.
const mostBytes = 4 * 1024 * 1024

/** The `stored` body of a row with its `place`, or null once the bodies before it exceed the size limit. */
export function bodyWithinLimit(db: Reader): Fragment {
  return db`
    case when sum(octet_length(stored.body)) over (order by place) - octet_length(stored.body) < ${mostBytes}
      then stored.body end`
}

/** The rows of the page whose bodies fit the size limit. */
export function rowsThatFit<Row extends Pick<ResultRow, 'body'>>(
  found: Row[],
  take: number,
): (Row & { body: string })[] {
  const first = found.slice(0, take)
  const full = first.findIndex(({ body }) => body === null)
  return (full < 0 ? first : first.slice(0, full)) as (Row & { body: string })[]
}
