import type { Fragment, Reader } from '../database.js'
import type { AccountId } from '../transaction.js'
import { cursorOf, type Place } from './cursor.js'
import { type Found, whileTheyFit } from './found.js'
import type { Listed } from './searched.js'
import { type Order, walk } from './walk.js'

/**
 * A page of what is looked for. Where a condition leaves few, those are gathered, checked and sorted. Otherwise the
 * order is walked, so far at most, and the page goes on where it ended: no request reads a whole account.
 */

// So many are few; so many rows a request may read to find its page.
export const few = 1000
const leastWalk = 100
export const longestWalk = 5000
/** One more than can be gathered: then they are too many. */
export const mostGathered = longestWalk + 1

/** A condition that an index answers. */
export type Condition = {
  /** How many fulfil it, as far as was counted. */
  size: number
  /** Whether that is all of them. */
  isWhole: boolean
  /** False: not all that were counted fulfil it. */
  isExact?: boolean
  /** So many fulfil it in any case, where that is less. */
  atLeast?: number
  /** Which part of all fulfils it, as far as a sample tells, where they could not be counted. */
  share?: number | undefined
  /** A query of these columns of those that fulfil it, or of one more than may be gathered. */
  gathered(columns: Fragment): Fragment
  /** The column of which it asks for a stretch: an order along it need not look elsewhere. */
  column?: string
  /** The property of which it asks for values. */
  facet?: string
}

export type Wish = {
  /** How many there are of the kind. */
  total: number
  conditions: Condition[]
  /** All conditions in one, for a row of the table. */
  matches: Fragment
  order: Order
  after: Place | undefined
  take: number
}

export type Count = { value: number; exact: boolean }
export type Page = { ids: string[]; bodies: string[]; count: Count; next: string | undefined }

export async function findPage(db: Reader, account: AccountId, listed: Listed, wish: Wish): Promise<Page> {
  const selective = mostSelective(wish) ?? everySmall(db, account, listed, wish)
  if (selective && !isInOrder(wish) && !isSoonMet(wish)) {
    const page = await gather(db, account, listed, wish, selective)
    if (page) return page
  }
  const [smallest] = bySize(wish)
  const way = nearWalk(wish, smallest)
  const near = await walkThrough(db, account, listed, wish, way)
  if (!near.isCutShort) return near.page
  const goFurther = async () => (way === longestWalk ? near : await walkThrough(db, account, listed, wish, longestWalk))
  // What is looked for lies elsewhere: it may still be little enough to be gathered. Or some of it lies here, and the rest
  // comes sooner than it is gathered.
  const far = smallest && isSoonFound(wish, way, near, smallest) ? await goFurther() : undefined
  if (far && !far.isCutShort) return far.page
  const page = smallest && (await gather(db, account, listed, wish, smallest))
  return page ?? (far ?? (await goFurther())).page
}

/** On how long a way a page is met, where those that are looked for are spread evenly. */
function expectedWay({ conditions, order, total, take }: Wish): number {
  const shareOfAll = conditions
    .filter((condition) => !isTogether(condition, order))
    .reduce((product, { size, share }) => product * (share ?? Math.min(1, size / Math.max(total, 1))), 1)
  return (take + 1) / shareOfAll
}

// Where three times as far is not enough they lie elsewhere, and it is of no use to go on looking here: sooner still where
// they can be gathered instead.
function nearWalk(wish: Wish, smallest: Condition | undefined): number {
  if (wish.conditions.some(({ size, share }) => size === Number.POSITIVE_INFINITY && share === undefined)) return few
  const expected = expectedWay(wish)
  const longest = smallest?.isWhole && smallest.size <= expected ? few : longestWalk
  // The dearer the other way is, the longer this one is worth a trial.
  const shortest = Math.max(leastWalk, Math.min(few, (smallest?.size ?? few) / 2))
  return Math.min(longest, Math.ceil(Math.max(shortest, 3 * expected)))
}

// A row that is gathered costs about as much as one that is walked past.
function isSoonFound(wish: Wish, way: number, near: { page: Page }, { size, isWhole }: Condition): boolean {
  const wayToGo = (way * (wish.take + 1)) / near.page.ids.length
  return wayToGo <= (isWhole ? Math.min(longestWalk, size) : longestWalk)
}

// Of those that are spread evenly a page is met on a shorter way than it takes to gather them all.
function isSoonMet(wish: Wish): boolean {
  const [only, ...others] = wish.conditions
  if (!only?.isWhole || only.isExact === false || others.length > 0 || wish.order.paths.length > 1) return false
  return expectedWay(wish) < Math.min(few, only.size)
}

/** What is looked for lies together in the order, and nothing else does. */
function isInOrder({ conditions: [only, ...others], order, take }: Wish): boolean {
  if (!only || others.length > 0) return false
  if (isTogether(only, order)) return only.size > take
  return only.column !== undefined && only.isWhole && order.paths[0]?.column === only.column
}

function isTogether({ facet }: Condition, { paths: [path] }: Order): boolean {
  return facet !== undefined && path?.together?.facet === facet
}

function bySize({ conditions }: Wish): Condition[] {
  return conditions.toSorted((one, other) => one.size - other.size).filter(({ size }) => size <= longestWalk)
}

// Where there are few of all, they can just as well be counted.
function everySmall(db: Reader, account: AccountId, listed: Listed, { conditions, total }: Wish) {
  if (conditions.length === 0 || total > few) return undefined
  const [table, id] = [db(listed.table), db(listed.id)]
  const gathered = (columns: Fragment) => db`
    select ${columns} from ${table} where account_id = ${account} order by newest_first, ${id} limit ${mostGathered}`
  return { gathered }
}

/** The condition that leaves few: or at least fewer than would have to be walked past, as far as can be told. */
function mostSelective(wish: Wish): Condition | undefined {
  const smallest = bySize(wish).find(({ isWhole }) => isWhole)
  const limit = wish.conditions.length > 1 ? Math.min(expectedWay(wish), longestWalk) : 0
  return smallest && smallest.size <= Math.max(few, limit) ? smallest : undefined
}

/** Undefined when they are too many after all. */
async function gather(
  db: Reader,
  account: AccountId,
  listed: Listed,
  { matches, order, after, take }: Wish,
  { gathered }: Pick<Condition, 'gathered'>,
): Promise<Page | undefined> {
  const [id, source] = [db(listed.id), db(listed.source)]
  const direction = order.isDown ? db`desc` : db`asc`
  const rows = await db<((Found | { id: null }) & { considered: number; count: number })[]>`
    with considered as materialized (
      ${gathered(db`${id} as id, ${order.key} as key, ${matches} as is_sought`)}
    ), page as (
      select id, key, row_number() over (order by key ${direction} nulls last, id ${direction}) as place from considered
      where is_sought and ${behind(db, order, after)}
      order by key ${direction} nulls last, id ${direction} limit ${take + 1}
    )
    select considered, counted.count, shown.id, shown.key, shown.body
    from (select count(*) as considered, count(*) filter (where is_sought) as count from considered) counted
    left join (
      select page.id, to_jsonb(page.key) as key, place, ${whileTheyFit(db)} as body
      from page cross join lateral (
        select body from ${source} where account_id = ${account} and ${id} = page.id offset 0
      ) stored
    ) shown on true
    order by place`
  if ((rows[0]?.considered ?? 0) > longestWalk) return undefined
  const found = rows.filter((row) => row.id !== null)
  const before = after?.before ?? 0
  return pageOf(found, take, undefined, before, { value: rows[0]?.count ?? 0, exact: true })
}

function behind(db: Reader, { isDown }: Order, after: Place | undefined): Fragment {
  if (!after) return db`true`
  const { key, id } = after
  if (key === null) return isDown ? db`key is null and id < ${id}` : db`key is null and id > ${id}`
  return isDown ? db`(key is null or (key, id) < (${key}, ${id}))` : db`(key is null or (key, id) > (${key}, ${id}))`
}

async function walkThrough(
  db: Reader,
  account: AccountId,
  listed: Listed,
  wish: Wish,
  longest: number,
): Promise<{ page: Page; isCutShort: boolean }> {
  const { conditions, total, order, after, take } = wish
  // Where there is another way to go on than from where it ended, that place need not be found.
  const isTrial = longest < longestWalk && order.paths.length === 1
  const short = conditions.length === 0 ? 'ended' : isTrial ? 'given up' : 'measured'
  const { found, horizon } = await walk(db, account, listed, wish, { longest, isLong: total > longest, short })
  const before = after?.before ?? 0
  const shown = fitting(found, take).length
  const isAll = shown === found.length
  const seen = before + shown
  const count = isAll && !horizon ? { value: seen, exact: true } : countOf(conditions, total, seen)
  const page = pageOf(found, take, horizon, before, count)
  return { page, isCutShort: isAll && horizon !== undefined }
}

// What two conditions leave together nobody has counted: it is told how many there were so far.
function countOf([only, ...others]: Condition[], total: number, seen: number): Count {
  if (only === undefined) return { value: total, exact: true }
  if (others.length > 0) return { value: seen, exact: false }
  if (only.isWhole && only.isExact !== false) return { value: only.size, exact: true }
  return { value: Math.max(seen, Math.min(only.atLeast ?? only.size, few)), exact: false }
}

type Shown = Found & { body: string }

/** Those that a page has room for. */
function fitting(found: Found[], take: number): Shown[] {
  const first = found.slice(0, take)
  const full = first.findIndex(({ body }) => body === null)
  return (full < 0 ? first : first.slice(0, full)) as Shown[]
}

function pageOf(
  found: Found[],
  take: number,
  horizon: Omit<Place, 'before'> | undefined,
  before: number,
  count: Count,
): Page {
  const rows = fitting(found, take)
  const last = found.length > rows.length ? rows.at(-1) : horizon
  return {
    ids: rows.map(({ id }) => id),
    bodies: rows.map(({ body }) => body),
    count,
    next: last && cursorOf({ key: last.key, id: last.id, before: before + rows.length }),
  }
}
