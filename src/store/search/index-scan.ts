import type { AccountId } from '../../database/account-id.js'
import type { Fragment, Reader } from '../../database/database.js'
import type { Cursor } from './cursor.js'
import { bodyWithinLimit, type ResultRow } from './result-row.js'
import type { SearchTable } from './search-tables.js'

/** Scans an index in the requested order until the page is full or the scan limit is reached. */

/** An index, and the part of it that belongs to the order. Rows without a value in the column are not part of it. */
export type ScanPath = {
  column: string
  /** Added to the value of the column to get the sort key. */
  shift?: number
  /** A bound of the column, if the path ends before the index does. */
  within?: Fragment
  /** Which rows belong to this path; the others belong to another path. */
  only?: Fragment
  /** The value that the index is partitioned by: the path contains no other value. */
  partition?: Partition
}

export type Partition = { facet: string; is: Fragment }

export type Order = {
  isDescending: boolean
  /** The sort key, as an expression on a row. */
  key: Fragment
  /** Several paths are merged by their keys, which must be numbers or dates then. */
  paths: ScanPath[]
  /** Rows without a key come last, ordered by identifier; undefined if every row has a key. */
  rest: ScanPath | undefined
}

const neverNull = new Set(['newest_first', 'reference'])

/** One partition for each requested value; none if every value is. */
export function partitionsBy(db: Reader, facet: string, values: string[] | undefined): Partition[] {
  return [...new Set(values)].map((value) => ({ facet, is: db`${db(facet)} = ${value}` }))
}

export type DateRange = { from: string; to: string }

/** The order of one column, or of a range of it. `newest_first` is negated time: ascending by default. */
export function columnOrder(
  db: Reader,
  column: string,
  order: 'asc' | 'desc' | undefined,
  { range, partitions = [] }: { range?: DateRange | undefined; partitions?: Partition[] } = {},
): Order {
  const within = range && db`${db(column)} between ${range.from}::text::date and ${range.to}::text::date`
  const path = { column, ...(within && { within }) }
  const [partition, ...others] = partitions
  // The rows without a value are not merged: those of several partitions are found in the index of the column.
  const rest = { column, ...(partition && others.length === 0 && { partition }) }
  return {
    isDescending: order === (column === 'newest_first' ? 'asc' : 'desc'),
    key: db`${db(column)}`,
    paths: partition ? partitions.map((each) => ({ ...path, partition: each })) : [path],
    rest: neverNull.has(column) || within ? undefined : rest,
  }
}

type ScanQuery = { matches: Fragment; order: Order; after: Cursor | undefined; take: number }
type ScanPosition = Omit<Cursor, 'before'>

/** `stoppedAt` is set if the scan limit was reached before the page was full. */
type ScanResult = { found: ResultRow[]; stoppedAt: ScanPosition | undefined }

/**
 * The most rows to scan, and whether the table may have more. If a scan finds fewer rows than requested: `end` means that
 * there are no more, `locate` looks up where the scan stopped, and `ignore` leaves that position unknown.
 */
type ScanLimits = { longest: number; isLong: boolean; whenShort: 'end' | 'locate' | 'ignore' }

const unknownPosition: ScanPosition = { key: null, id: '' }

/** Returns one row more than requested, if there is one. */
export async function scan(
  db: Reader,
  account: AccountId,
  table: SearchTable,
  { matches, order, after, take }: ScanQuery,
  limits: ScanLimits,
): Promise<ScanResult> {
  const scanPath = async (path: ScanPath, from: Cursor | undefined, limit: number): Promise<ScanResult> => {
    const found = await scanIndex(db, account, table, path, { matches, order, from, limit, longest: limits.longest })
    const isEnd = found.length >= limit || !limits.isLong || limits.whenShort === 'end'
    if (isEnd || limits.whenShort === 'ignore') return { found, stoppedAt: isEnd ? undefined : unknownPosition }
    return { found, stoppedAt: await findStop(db, account, table, path, order, from, limits) }
  }
  const first =
    after?.key === null
      ? { found: [], stoppedAt: undefined }
      : merge(await Promise.all(order.paths.map((path) => scanPath(path, after, take + 1))), order)
  if (first.found.length > take || first.stoppedAt || !order.rest) return first
  const rest = await scanPath(order.rest, after?.key === null ? after : undefined, take + 1 - first.found.length)
  return { found: [...first.found, ...rest.found], stoppedAt: rest.stoppedAt }
}

/** Drops rows after the first stop: rows of the stopped path may belong before them. */
function merge(results: ScanResult[], { isDescending }: Order): ScanResult {
  const [only, ...others] = results
  if (only && others.length === 0) return only
  const compare = (one: ScanPosition, other: ScanPosition) => comparePositions(one, other) * (isDescending ? -1 : 1)
  const [stoppedAt] = results.flatMap((each) => each.stoppedAt ?? []).toSorted(compare)
  const found = results.flatMap((each) => each.found).filter((row) => !stoppedAt || compare(row, stoppedAt) <= 0)
  return { found: found.toSorted(compare), stoppedAt }
}

function comparePositions(one: ScanPosition, other: ScanPosition): number {
  return compareKeys(one.key, other.key) || Buffer.compare(Buffer.from(one.id), Buffer.from(other.id))
}

/** Dates are ISO 8601, which sorts as text. */
function compareKeys(one: Cursor['key'], other: Cursor['key']): number {
  if (typeof one === 'string' && typeof other === 'string') return one < other ? -1 : one > other ? 1 : 0
  return Number(one) - Number(other)
}

type ScanOptions = { matches: Fragment; order: Order; from: Cursor | undefined; limit: number; longest: number }

// The inner limit bounds the rows that are read; the outer one ends the scan once enough rows match.
async function scanIndex(
  db: Reader,
  account: AccountId,
  table: SearchTable,
  path: ScanPath,
  { matches, order, from, limit, longest }: ScanOptions,
): Promise<ResultRow[]> {
  const [id, column, source] = [db(table.id), db(path.column), db(table.source)]
  const rows = await db<ResultRow[]>`
    select found.id, found.key, ${bodyWithinLimit(db)} as body
    from (
      select id, key, row_number() over () as place
      from (
        select ${id} as id, to_jsonb(${column}) as key
        from (
          select * from ${db(table.table)}
          where account_id = ${account} and ${pathCondition(db, table, path, order, from)}
          order by ${pathOrder(db, table, path, order)} limit ${longest}
        ) scanned
        where ${path.only ?? db`true`} and ${matches}
        limit ${limit}
      ) met
    ) found
    cross join lateral (
      select body from ${source} where account_id = ${account} and ${id} = found.id offset 0
    ) stored
    order by place`
  return rows.map((row) => ({ ...row, key: keyOf(path, row.key) }))
}

/** The last row that was scanned; undefined if the path ended before the limit. */
async function findStop(
  db: Reader,
  account: AccountId,
  table: SearchTable,
  path: ScanPath,
  order: Order,
  from: Cursor | undefined,
  { longest }: ScanLimits,
): Promise<ScanPosition | undefined> {
  const [row] = await db<ScanPosition[]>`
    select ${db(table.id)} as id, to_jsonb(${db(path.column)}) as key from ${db(table.table)}
    where account_id = ${account} and ${pathCondition(db, table, path, order, from)}
    order by ${pathOrder(db, table, path, order)} offset ${longest - 1} limit 1`
  return row && { id: row.id, key: keyOf(path, row.key) }
}

function pathCondition(
  db: Reader,
  table: SearchTable,
  path: ScanPath,
  order: Order,
  from: Cursor | undefined,
): Fragment {
  const [id, column] = [db(table.id), db(path.column)]
  const partition = path.partition ? db`and ${path.partition.is}` : db``
  const within = path.within ? db`${partition} and ${path.within}` : partition
  const isRest = path === order.rest
  if (!from) return isRest ? db`${column} is null ${partition}` : db`${column} is not null ${within}`
  if (isRest) return db`${column} is null ${partition} and ${id} ${order.isDescending ? db`<` : db`>`} ${from.id}`
  const value = typeof from.key === 'number' ? from.key - (path.shift ?? 0) : from.key
  return order.isDescending
    ? db`${column} is not null and (${column}, ${id}) < (${value}, ${from.id}) ${within}`
    : db`${column} is not null and (${column}, ${id}) > (${value}, ${from.id}) ${within}`
}

function pathOrder(db: Reader, table: SearchTable, { column }: ScanPath, { isDescending }: Order): Fragment {
  const [first, second] = [db(column), db(table.id)]
  return isDescending ? db`${first} desc, ${second} desc` : db`${first}, ${second}`
}

function keyOf({ shift = 0 }: ScanPath, value: Cursor['key']): Cursor['key'] {
  return typeof value === 'number' ? value + shift : value
}
