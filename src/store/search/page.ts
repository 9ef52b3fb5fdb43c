import type { AccountId } from '../../database/account-id.js'
import type { Fragment, Reader } from '../../database/database.js'
import { type Cursor, encodeCursor } from './cursor.js'
import { type Order, scan } from './index-scan.js'
import { bodyWithinLimit, type ResultRow, rowsThatFit } from './result-row.js'
import type { SearchTable } from './search-tables.js'

/**
 * A page of search results. If a condition matches few rows, those are collected, filtered and sorted. Otherwise the index
 * of the order is scanned up to a limit, and the next page continues where the scan stopped: no request reads a whole account.
 */

export const few = 1000
const shortestScan = 100
/** The most rows that a request may read to fill its page. */
export const longestScan = 5000
/** One more than can be collected: with that many rows there are too many. */
export const collectLimit = longestScan + 1

/** A condition that an index can evaluate. */
export type SearchCondition = {
  /** How many rows match, as far as they were counted. */
  size: number
  /** Whether all matches were counted. */
  isComplete: boolean
  /** False: some of the rows that were counted may not match. */
  isExact?: boolean
  /** A lower bound of the matches, if it is below `size`. */
  atLeast?: number
  /** The fraction of all rows that match, estimated from a sample, if they could not be counted. */
  selectivity?: number | undefined
  /** A query for these columns of the matches, with `collectLimit` as its limit. */
  select(columns: Fragment): Fragment
  /** The column that it is a range of: in the order of that column the matches are contiguous. */
  column?: string
  /** The facet that it requests values of. */
  facet?: string
}

export type PageQuery = {
  /** How many rows the table has for the account. */
  total: number
  conditions: SearchCondition[]
  /** The conjunction of all conditions, as a condition on a row. */
  matches: Fragment
  order: Order
  after: Cursor | undefined
  take: number
}

export type Count = { value: number; exact: boolean }
export type Page = { ids: string[]; bodies: string[]; count: Count; next: string | undefined }

export async function findPage(db: Reader, account: AccountId, table: SearchTable, query: PageQuery): Promise<Page> {
  const selective = mostSelective(query) ?? smallTable(db, account, table, query)
  if (selective && !isContiguous(query) && !isPageNear(query)) {
    const page = await collect(db, account, table, query, selective)
    if (page) return page
  }
  const [smallest] = bySize(query)
  const length = firstScanLength(query, smallest)
  const near = await scanPage(db, account, table, query, length)
  if (!near.isCutShort) return near.page
  const scanFurther = async () =>
    length === longestScan ? near : await scanPage(db, account, table, query, longestScan)
  // The first scan did not fill the page. If it found some matches, a longer scan may be cheaper than collecting all of
  // them; if not, they lie elsewhere and may be few enough to be collected.
  const far = smallest && isScanCheaper(query, length, near, smallest) ? await scanFurther() : undefined
  if (far && !far.isCutShort) return far.page
  const page = smallest && (await collect(db, account, table, query, smallest))
  return page ?? (far ?? (await scanFurther())).page
}

/** How many rows must be scanned to fill a page, if matches are spread evenly. */
function expectedScanLength({ conditions, order, total, take }: PageQuery): number {
  const selectivityOfAll = conditions
    .filter((condition) => !isPartitioned(condition, order))
    .reduce((product, { size, selectivity }) => product * (selectivity ?? Math.min(1, size / Math.max(total, 1))), 1)
  return (take + 1) / selectivityOfAll
}

// If three times the expected length does not fill the page, the matches lie elsewhere and scanning on is of no use. The scan is
// shorter still if the matches can be collected instead.
function firstScanLength(query: PageQuery, smallest: SearchCondition | undefined): number {
  const isUnknown = ({ size, selectivity }: SearchCondition) =>
    size === Number.POSITIVE_INFINITY && selectivity === undefined
  if (query.conditions.some(isUnknown)) return few
  const expected = expectedScanLength(query)
  const longest = smallest?.isComplete && smallest.size <= expected ? few : longestScan
  // The more expensive collecting would be, the longer a scan is worth trying.
  const shortest = Math.max(shortestScan, Math.min(few, (smallest?.size ?? few) / 2))
  return Math.min(longest, Math.ceil(Math.max(shortest, 3 * expected)))
}

// Collecting a row costs about as much as scanning one.
function isScanCheaper(query: PageQuery, length: number, near: { page: Page }, condition: SearchCondition): boolean {
  const remaining = (length * (query.take + 1)) / near.page.ids.length
  return remaining <= (condition.isComplete ? Math.min(longestScan, condition.size) : longestScan)
}

// If matches are spread evenly, a page is filled by a scan that is shorter than collecting all of them.
function isPageNear(query: PageQuery): boolean {
  const [only, ...others] = query.conditions
  if (!only?.isComplete || only.isExact === false || others.length > 0 || query.order.paths.length > 1) return false
  return expectedScanLength(query) < Math.min(few, only.size)
}

/** Whether the matches are contiguous in the order. */
function isContiguous({ conditions: [only, ...others], order, take }: PageQuery): boolean {
  if (!only || others.length > 0) return false
  if (isPartitioned(only, order)) return only.size > take
  return only.column !== undefined && only.isComplete && order.paths[0]?.column === only.column
}

function isPartitioned({ facet }: SearchCondition, { paths: [path] }: Order): boolean {
  return facet !== undefined && path?.partition?.facet === facet
}

function bySize({ conditions }: PageQuery): SearchCondition[] {
  return conditions.toSorted((one, other) => one.size - other.size).filter(({ size }) => size <= longestScan)
}

// All rows of a small account can be collected, which makes the count exact.
function smallTable(db: Reader, account: AccountId, table: SearchTable, { conditions, total }: PageQuery) {
  if (conditions.length === 0 || total > few) return undefined
  const id = db(table.id)
  const select = (columns: Fragment) => db`
    select ${columns} from ${db(table.table)}
    where account_id = ${account} order by newest_first, ${id} limit ${collectLimit}`
  return { select }
}

/** The condition that matches few rows, or at least fewer than a scan is expected to read. */
function mostSelective(query: PageQuery): SearchCondition | undefined {
  const smallest = bySize(query).find(({ isComplete }) => isComplete)
  const limit = query.conditions.length > 1 ? Math.min(expectedScanLength(query), longestScan) : 0
  return smallest && smallest.size <= Math.max(few, limit) ? smallest : undefined
}

/** Undefined if there are too many matches after all. */
async function collect(
  db: Reader,
  account: AccountId,
  table: SearchTable,
  { matches, order, after, take }: PageQuery,
  { select }: Pick<SearchCondition, 'select'>,
): Promise<Page | undefined> {
  const [id, source] = [db(table.id), db(table.source)]
  const direction = order.isDescending ? db`desc` : db`asc`
  const rows = await db<((ResultRow | { id: null }) & { considered: number; count: number })[]>`
    with considered as materialized (
      ${select(db`${id} as id, ${order.key} as key, ${matches} as is_match`)}
    ), page as (
      select id, key, row_number() over (order by key ${direction} nulls last, id ${direction}) as place from considered
      where is_match and ${afterCursor(db, order, after)}
      order by key ${direction} nulls last, id ${direction} limit ${take + 1}
    )
    select considered, counted.count, shown.id, shown.key, shown.body
    from (select count(*) as considered, count(*) filter (where is_match) as count from considered) counted
    left join (
      select page.id, to_jsonb(page.key) as key, place, ${bodyWithinLimit(db)} as body
      from page cross join lateral (
        select body from ${source} where account_id = ${account} and ${id} = page.id offset 0
      ) stored
    ) shown on true
    order by place`
  if ((rows[0]?.considered ?? 0) > longestScan) return undefined
  const found = rows.filter((row) => row.id !== null)
  const before = after?.before ?? 0
  return pageOf(found, take, undefined, before, { value: rows[0]?.count ?? 0, exact: true })
}

function afterCursor(db: Reader, { isDescending }: Order, after: Cursor | undefined): Fragment {
  if (!after) return db`true`
  const { key, id } = after
  if (key === null) return isDescending ? db`key is null and id < ${id}` : db`key is null and id > ${id}`
  return isDescending
    ? db`(key is null or (key, id) < (${key}, ${id}))`
    : db`(key is null or (key, id) > (${key}, ${id}))`
}

async function scanPage(
  db: Reader,
  account: AccountId,
  table: SearchTable,
  query: PageQuery,
  longest: number,
): Promise<{ page: Page; isCutShort: boolean }> {
  const { conditions, total, order, after, take } = query
  // The first, shorter scan need not know where it stopped: there is another way to continue.
  const isTrial = longest < longestScan && order.paths.length === 1
  const whenShort = conditions.length === 0 ? 'end' : isTrial ? 'ignore' : 'locate'
  const { found, stoppedAt } = await scan(db, account, table, query, { longest, isLong: total > longest, whenShort })
  const before = after?.before ?? 0
  const shown = rowsThatFit(found, take).length
  const isAll = shown === found.length
  const seen = before + shown
  const count = isAll && !stoppedAt ? { value: seen, exact: true } : countOf(conditions, total, seen)
  const page = pageOf(found, take, stoppedAt, before, count)
  return { page, isCutShort: isAll && stoppedAt !== undefined }
}

// The matches of two conditions together are not counted: the count is the number of rows so far.
function countOf([only, ...others]: SearchCondition[], total: number, seen: number): Count {
  if (only === undefined) return { value: total, exact: true }
  if (others.length > 0) return { value: seen, exact: false }
  if (only.isComplete && only.isExact !== false) return { value: only.size, exact: true }
  return { value: Math.max(seen, Math.min(only.atLeast ?? only.size, few)), exact: false }
}

function pageOf(
  found: ResultRow[],
  take: number,
  stoppedAt: Omit<Cursor, 'before'> | undefined,
  before: number,
  count: Count,
): Page {
  const rows = rowsThatFit(found, take)
  const last = found.length > rows.length ? rows.at(-1) : stoppedAt
  return {
    ids: rows.map(({ id }) => id),
    bodies: rows.map(({ body }) => body),
    count,
    next: last && encodeCursor({ key: last.key, id: last.id, before: before + rows.length }),
  }
}
