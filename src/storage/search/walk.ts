import type { Fragment, Reader } from '../database.js'
import type { AccountId } from '../transaction.js'
import type { Place } from './cursor.js'
import { type Found, whileTheyFit } from './found.js'
import type { Listed } from './searched.js'

/** Walking along an index in the order that is wanted, until enough is found or it has been far enough. */

/** An index, and what of it belongs to the order: rows that have no value in the column never do. */
export type Path = {
  column: string
  /** What has to be added to a value of the column to make it the key that is sorted by. */
  shift?: number
  /** A bound of the column, where the path ends before the index does. */
  within?: Fragment
  /** Which rows stand here: others have their place on another path. */
  only?: Fragment
  /** The value that the index holds together, in the order of the column: the path leads past no other. */
  together?: Together
}

export type Together = { facet: string; is: Fragment }

export type Order = {
  /** From high values of the column to low ones. */
  isDown: boolean
  /** What is sorted by, of a row of the table. */
  key: Fragment
  /** Several are merged into one by their keys, which are numbers then. */
  paths: Path[]
  /** Those that have no key come last, in the order of their identifiers; undefined: all have one. */
  rest: Path | undefined
}

const everywhere = new Set(['newest_first', 'reference'])

/** Undefined where not one value alone is asked for. */
export function togetherBy(db: Reader, facet: string, values: string[] | undefined): Together | undefined {
  const [value, ...others] = values ?? []
  return value === undefined || others.length > 0 ? undefined : { facet, is: db`${db(facet)} = ${value}` }
}

export type Days = { from: string; to: string }

/**
 * Along one column, up or down, or along a stretch of it. The newest have the smallest key, and come first unless it is
 * asked otherwise.
 */
export function columnOrder(
  db: Reader,
  column: string,
  order: 'asc' | 'desc' | undefined,
  { stretch, together }: { stretch?: Days | undefined; together?: Together | undefined } = {},
): Order {
  const within = stretch && db`${db(column)} between ${stretch.from}::text::date and ${stretch.to}::text::date`
  const path = { column, ...(together && { together }) }
  return {
    isDown: order === (column === 'newest_first' ? 'asc' : 'desc'),
    key: db`${db(column)}`,
    paths: [{ ...path, ...(within && { within }) }],
    rest: everywhere.has(column) || within ? undefined : { ...path },
  }
}

type Wish = { matches: Fragment; order: Order; after: Place | undefined; take: number }
type Stop = Omit<Place, 'before'>
type Walk = { found: Found[]; horizon: Stop | undefined }

/**
 * How far it is walked at most, and whether there are as many rows at all. Where it found less than was wanted, it has
 * come to the end, or it is measured where it stopped, or nobody wants to know that.
 */
type Reach = { longest: number; isLong: boolean; short: 'ended' | 'measured' | 'given up' }

const somewhere: Stop = { key: null, id: '' }

/** One row more than is wanted, if there is one. The horizon is where it was given up before that. */
export async function walk(
  db: Reader,
  account: AccountId,
  listed: Listed,
  { matches, order, after, take }: Wish,
  reach: Reach,
): Promise<Walk> {
  const walkPath = async (path: Path, from: Place | undefined, limit: number): Promise<Walk> => {
    const found = await walkAlong(db, account, listed, path, { matches, order, from, limit, longest: reach.longest })
    const isEnd = found.length >= limit || !reach.isLong || reach.short === 'ended'
    if (isEnd || reach.short === 'given up') return { found, horizon: isEnd ? undefined : somewhere }
    return { found, horizon: await findHorizon(db, account, listed, path, order, from, reach) }
  }
  const first =
    after?.key === null
      ? { found: [], horizon: undefined }
      : merged(await Promise.all(order.paths.map((path) => walkPath(path, after, take + 1))), order)
  if (first.found.length > take || first.horizon || !order.rest) return first
  const rest = await walkPath(order.rest, after?.key === null ? after : undefined, take + 1 - first.found.length)
  return { found: [...first.found, ...rest.found], horizon: rest.horizon }
}

/** What lies behind the nearest horizon is left: something that belongs before it may not have been seen. */
function merged(walks: Walk[], { isDown }: Order): Walk {
  const [only, ...others] = walks
  if (only && others.length === 0) return only
  const compare = (one: Stop, other: Stop) => compareStops(one, other) * (isDown ? -1 : 1)
  const [horizon] = walks.flatMap((each) => each.horizon ?? []).toSorted(compare)
  const found = walks.flatMap((each) => each.found).filter((row) => !horizon || compare(row, horizon) <= 0)
  return { found: found.toSorted(compare), horizon }
}

function compareStops(one: Stop, other: Stop): number {
  return Number(one.key) - Number(other.key) || Buffer.compare(Buffer.from(one.id), Buffer.from(other.id))
}

type Leg = { matches: Fragment; order: Order; from: Place | undefined; limit: number; longest: number }

// The inner limit bounds what is read, the outer one ends it as soon as enough is found.
async function walkAlong(
  db: Reader,
  account: AccountId,
  listed: Listed,
  path: Path,
  { matches, order, from, limit, longest }: Leg,
): Promise<Found[]> {
  const [id, column, table, source] = [db(listed.id), db(path.column), db(listed.table), db(listed.source)]
  const rows = await db<Found[]>`
    select found.id, found.key, ${whileTheyFit(db)} as body
    from (
      select id, key, row_number() over () as place
      from (
        select ${id} as id, to_jsonb(${column}) as key
        from (
          select * from ${table}
          where account_id = ${account} and ${onPath(db, listed, path, order, from)}
          order by ${along(db, listed, path, order)} limit ${longest}
        ) walked
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

/** The last row that was walked to; undefined when there was an end before it. */
async function findHorizon(
  db: Reader,
  account: AccountId,
  listed: Listed,
  path: Path,
  order: Order,
  from: Place | undefined,
  { longest }: Reach,
): Promise<Stop | undefined> {
  const [row] = await db<Stop[]>`
    select ${db(listed.id)} as id, to_jsonb(${db(path.column)}) as key from ${db(listed.table)}
    where account_id = ${account} and ${onPath(db, listed, path, order, from)}
    order by ${along(db, listed, path, order)} offset ${longest - 1} limit 1`
  return row && { id: row.id, key: keyOf(path, row.key) }
}

function onPath(db: Reader, listed: Listed, path: Path, order: Order, from: Place | undefined): Fragment {
  const [id, column] = [db(listed.id), db(path.column)]
  const together = path.together ? db`and ${path.together.is}` : db``
  const within = path.within ? db`${together} and ${path.within}` : together
  const isRest = path === order.rest
  if (!from) return isRest ? db`${column} is null ${together}` : db`${column} is not null ${within}`
  if (isRest) return db`${column} is null ${together} and ${id} ${order.isDown ? db`<` : db`>`} ${from.id}`
  const value = typeof from.key === 'number' ? from.key - (path.shift ?? 0) : from.key
  return order.isDown
    ? db`${column} is not null and (${column}, ${id}) < (${value}, ${from.id}) ${within}`
    : db`${column} is not null and (${column}, ${id}) > (${value}, ${from.id}) ${within}`
}

function along(db: Reader, listed: Listed, { column }: Path, { isDown }: Order): Fragment {
  const [first, second] = [db(column), db(listed.id)]
  return isDown ? db`${first} desc, ${second} desc` : db`${first}, ${second}`
}

function keyOf({ shift = 0 }: Path, value: Place['key']): Place['key'] {
  return typeof value === 'number' ? value + shift : value
}
