import type { Database, Fragment, Reader } from '../database.js'
import type { AccountId } from '../transaction.js'
import type { Criterion } from './measuring.js'
import { type Condition, few, mostGathered } from './page.js'
import { indexed, type Listed } from './searched.js'
import type { Days } from './walk.js'
import { beginning, queryOf, type Sought } from './words.js'

/**
 * What an index can be asked. Every query is in the order of its index and has a limit, so that there is no better plan
 * than to read as much of it, whatever the planner takes the values for.
 */

/** Has one of these values: how many have which is counted with every change. */
export function havingValue(
  db: Database,
  account: AccountId,
  { kind, table }: Listed,
  facet: string,
  values: string[],
): Criterion {
  const column = db(facet)
  const matches = facet === 'is_open' ? db`${column} = any(${values}::boolean[])` : db`${column} = any(${values})`
  return {
    matches,
    count: db`(
      select coalesce(sum(count), 0) from search_counts
      where account_id = ${account} and kind = ${kind} and facet = ${facet} and value = any(${values}))`,
    conditionOf: (counted) => ({
      size: Number(counted),
      isWhole: true,
      facet,
      gathered: (columns) => db`
        select ${columns} from ${db(table)}
        where account_id = ${account} and ${matches} order by ${column} limit ${mostGathered}`,
    }),
  }
}

/** Fulfils what a query asks of one index of the table. */
export function answering(
  db: Database,
  matches: Fragment,
  query: (columns: Fragment, limit: number) => Fragment,
  column?: string,
): Criterion {
  return {
    matches,
    count: db`(select count(*) from (${query(db`true`, few + 1)}) as met)`,
    conditionOf: (counted) => ({
      size: Number(counted),
      isWhole: Number(counted) <= few,
      gathered: (columns) => query(columns, mostGathered),
      ...(column !== undefined && { column }),
    }),
  }
}

/** Has something that no index knows: it is checked row by row. */
export function unindexed(db: Database, { table }: Listed, matches: Fragment): Criterion {
  return {
    matches,
    count: db`true`,
    conditionOf: () => ({
      size: Number.POSITIVE_INFINITY,
      isWhole: false,
      atLeast: 0,
      gathered: (columns) => db`select ${columns} from ${db(table)} where false`,
    }),
  }
}

/** Undefined where neither is given. */
export function daysBetween(from: string | undefined, to: string | undefined): Days | undefined {
  return from === undefined && to === undefined ? undefined : { from: from ?? '-infinity', to: to ?? 'infinity' }
}

export function withinDays(
  db: Database,
  account: AccountId,
  { table, id }: Listed,
  column: string,
  { from, to }: Days,
): Criterion {
  return answering(
    db,
    db`${db(column)} between ${from}::text::date and ${to}::text::date`,
    (columns, limit) => db`
      select ${columns} from ${db(table)}
      where account_id = ${account} and ${db(column)} between ${from}::text::date and ${to}::text::date
      order by ${db(column)}, ${db(id)} limit ${limit}`,
    column,
  )
}

/** Fulfils either of two criteria. */
export function eitherOf(
  db: Database,
  account: AccountId,
  listed: Listed,
  one: Criterion,
  other: Criterion,
): Criterion {
  return {
    matches: db`(${one.matches} or ${other.matches})`,
    count: db`jsonb_build_array(${one.count}, ${other.count})`,
    conditionOf(counted) {
      const [first, second] = counted as [unknown, unknown]
      const [left, right] = [one.conditionOf(first), other.conditionOf(second)]
      const id = db`${db(listed.id)}`
      return {
        size: left.size + right.size,
        isWhole: left.isWhole && right.isWhole,
        atLeast: Math.max(left.size, right.size),
        gathered: among(db, account, listed, db`array((${left.gathered(id)}) union all (${right.gathered(id)}))`),
      }
    },
  }
}

/** Columns of those that have one of these identifiers: an array. */
function among(db: Database, account: AccountId, { table, id }: Listed, ids: Fragment): Condition['gathered'] {
  return (columns) => db`select ${columns} from ${db(table)} where account_id = ${account} and ${db(id)} = any(${ids})`
}

// The longest words tell the most; who types more than these has said enough.
const mostCounted = 4
// A word that so many of the newest and the oldest have is too common to be looked up. In the statement it is written out,
// and what is unnested is selected first: the planner would make a plan for every value of either (see `rendered.ts`).
const sampleLength = 100
const halfOfSample = (db: Database) => db`50`
const tooMany = 10

/** What the index was asked, and those it found, where they are very few; null: all words are common. */
type WordCount = {
  /** How many of the sample have the most common word, and how many have all. */
  sampled: number
  together: number
  isAll: boolean
  query: string | null
  size: number | null
  ids: string[] | null
}

// To name more of them costs more than to find them again.
const mostNamed = 100

/** Has words that begin with what was typed. */
export function havingWords(db: Database, account: AccountId, listed: Listed, sought: Sought): Criterion {
  const longest = sought.words.toSorted((one, other) => other.length - one.length).slice(0, mostCounted)
  return {
    matches: hasWords(db, queryOf(sought)),
    count: countWords(db, account, listed, { words: longest, whole: sought.whole }),
    conditionOf(counted) {
      const { sampled, together, isAll, query, size, ids } = counted as WordCount
      const isWhole = size !== null && size <= few
      const isExact = isAll && longest.length === sought.words.length
      return {
        size: size ?? Number.POSITIVE_INFINITY,
        isWhole,
        isExact,
        share: isWhole && isExact ? undefined : Math.max(together, 1) / sampleLength,
        // Words that each occur often may never occur together.
        atLeast: sought.words.length === 1 ? (size ?? sampled) : 0,
        gathered: among(
          db,
          account,
          listed,
          ids ? known(db, listed, ids) : found(db, listed, query ?? '', mostGathered),
        ),
      }
    },
  }
}

// All words that are not common in one query, or else what was typed with gaps as one. The offset keeps the planner from
// asking the index once for each mention of what it finds.
function countWords(db: Database, account: AccountId, { kind, table, id }: Listed, sought: Sought): Fragment {
  const words = [...sought.words, ...(sought.whole === undefined ? [] : [sought.whole])]
  return db`(
    with sample as materialized (
      (select words from ${db(table)} where account_id = ${account}
      order by newest_first, ${db(id)} limit ${halfOfSample(db)})
      union all
      (select words from ${db(table)} where account_id = ${account}
      order by newest_first desc, ${db(id)} desc limit ${halfOfSample(db)})
    ), sampled as materialized (
      select place > ${sought.words.length} as is_whole, indexed,
        (select count(*) from sample where words @@ query) as count
      from unnest(
        (select ${words.map(beginning)}::text[]::tsquery[]),
        (select ${words.map((word) => beginning(indexed(account, kind, word)))}::text[])
      ) with ordinality as sought (query, indexed, place)
    ), asked as materialized (
      select max(count) filter (where not is_whole) as sampled, bool_and(count < ${tooMany}) as is_all,
        case when coalesce(bool_and(count < ${tooMany}) filter (where is_whole), true) then
          string_agg(indexed, ' & ') filter (where not is_whole and count < ${tooMany})
            || coalesce(' | ' || max(indexed) filter (where is_whole), '') end as query
      from sampled
    )
    select jsonb_build_object('sampled', sampled, 'isAll', is_all, 'query', query,
      'together', (select count(*) from sample where ${hasWords(db, queryOf(sought))}),
      'size', case when query is not null then cardinality(ids) end,
      'ids', case when query is not null and cardinality(ids) <= ${mostNamed} then to_jsonb(ids) end)
    from asked cross join lateral (
      select array(select id from search_found(query::tsquery, ${few + 1}) as id) as ids offset 0
    ) found)`
}

/** Has this very word. */
export function havingWord(db: Database, account: AccountId, listed: Listed, word: string): Criterion {
  const query = `'${indexed(account, listed.kind, word)}'`
  return {
    matches: hasWords(db, `'${word}'`),
    count: db`(select count(*) from search_found(${query}::text::tsquery, ${few + 1}))`,
    conditionOf: (counted) => ({
      size: Number(counted),
      isWhole: Number(counted) <= few,
      gathered: among(db, account, listed, found(db, listed, query, mostGathered)),
    }),
  }
}

/** Of a row of the table. What was typed is read once, not for every row. */
export function hasWords(db: Reader, query: string): Fragment {
  return db`words @@ (select ${query}::text::tsquery)`
}

/** The identifiers of those that a query of the index of words finds: an array. */
function found(db: Database, { kind }: Listed, query: string, limit: number): Fragment {
  const id = kind === 'document' ? db`id::uuid` : db`id`
  return db`array(select ${id} from search_found(${query}::text::tsquery, ${limit}) as id)`
}

function known(db: Database, { kind }: Listed, ids: string[]): Fragment {
  return kind === 'document' ? db`${ids}::text[]::uuid[]` : db`${ids}::text[]`
}

/** All criteria in one, of a row of the table. */
export function matchingAll(db: Database, criteria: Criterion[]): Fragment {
  const [first, ...others] = criteria.map(({ matches }) => matches)
  return first ? others.reduce((all, matches) => db`${all} and ${matches}`, first) : db`true`
}
