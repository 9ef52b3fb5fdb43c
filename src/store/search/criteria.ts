import type { AccountId } from '../../database/account-id.js'
import type { Database, Fragment, Reader } from '../../database/database.js'
import type { DateRange } from './index-scan.js'
import type { Criterion } from './match-counts.js'
import { collectLimit, few, type SearchCondition } from './page.js'
import { indexedWord, type SearchTable } from './search-tables.js'
import { prefixQuery, type SearchTerms, tsqueryOf } from './search-words.js'

/**
 * Search criteria that an index can evaluate. Every query follows the order of its index and has a limit, so that reading
 * that part of the index is the best plan whatever the planner estimates.
 */

/** Has one of these values. Exact: the counts of each value are maintained by the indexer. */
export function valueCriterion(
  db: Database,
  account: AccountId,
  { kind, table }: SearchTable,
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
      isComplete: true,
      facet,
      select: (columns) => db`
        select ${columns} from ${db(table)}
        where account_id = ${account} and ${matches} order by ${column} limit ${collectLimit}`,
    }),
  }
}

/** Is found by a query on one index of the table. */
export function indexCriterion(
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
      isComplete: Number(counted) <= few,
      select: (columns) => query(columns, collectLimit),
      ...(column !== undefined && { column }),
    }),
  }
}

/** No index covers it: it is checked row by row. */
export function unindexedCriterion(db: Database, { table }: SearchTable, matches: Fragment): Criterion {
  return {
    matches,
    count: db`true`,
    conditionOf: () => ({
      size: Number.POSITIVE_INFINITY,
      isComplete: false,
      atLeast: 0,
      select: (columns) => db`select ${columns} from ${db(table)} where false`,
    }),
  }
}

/** Undefined if neither end is given. */
export function dateRange(from: string | undefined, to: string | undefined): DateRange | undefined {
  return from === undefined && to === undefined ? undefined : { from: from ?? '-infinity', to: to ?? 'infinity' }
}

export function dateCriterion(
  db: Database,
  account: AccountId,
  { table, id }: SearchTable,
  column: string,
  { from, to }: DateRange,
): Criterion {
  return indexCriterion(
    db,
    db`${db(column)} between ${from}::text::date and ${to}::text::date`,
    (columns, limit) => db`
      select ${columns} from ${db(table)}
      where account_id = ${account} and ${db(column)} between ${from}::text::date and ${to}::text::date
      order by ${db(column)}, ${db(id)} limit ${limit}`,
    column,
  )
}

/** What is found by a query on one index of the table. */
export type IndexQuery = { matches: Fragment; query(columns: Fragment, limit: number): Fragment }

/** Is found by one of two indexes, or by both. */
export function eitherCriterion(
  db: Database,
  account: AccountId,
  table: SearchTable,
  one: IndexQuery,
  other: IndexQuery,
): Criterion {
  const id = db`${db(table.id)}`
  return {
    matches: db`(${one.matches} or ${other.matches})`,
    // Rows that both find are counted once.
    count: db`(
      select jsonb_build_array(
        count(*) filter (where is_first), count(*) filter (where not is_first), count(distinct found_id))
      from (
        select true as is_first, found_id from (${one.query(id, few + 1)}) as met (found_id)
        union all
        select false, found_id from (${other.query(id, few + 1)}) as met (found_id)
      ) as met)`,
    conditionOf(counted) {
      const [first, second, together] = counted as [number, number, number]
      const isComplete = first <= few && second <= few
      return {
        size: isComplete ? together : first + second,
        isComplete,
        atLeast: Math.max(first, second),
        select: rowsWithIds(
          db,
          account,
          table,
          db`array((${one.query(id, collectLimit)}) union all (${other.query(id, collectLimit)}))`,
        ),
      }
    },
  }
}

/** Selects the rows with these identifiers: an array expression. */
function rowsWithIds(
  db: Database,
  account: AccountId,
  { table, id }: SearchTable,
  ids: Fragment,
): SearchCondition['select'] {
  return (columns) => db`select ${columns} from ${db(table)} where account_id = ${account} and ${db(id)} = any(${ids})`
}

// The longest words are the most selective; more words are not counted.
const mostCounted = 4
// A word that this many rows of the sample have is too common to look up. The sample is the newest and the oldest rows. Its length is
// a literal in the statement, and arrays are selected before they are unnested: otherwise PostgreSQL would make a plan for
// every value (see `rendered.ts`).
const sampleLength = 100
const halfOfSample = (db: Database) => db`50`
const tooMany = 10

/** The query for the word index, and the identifiers it found if they are few; null: all words are common. */
type WordCount = {
  /** How many rows of the sample have the most common word, and how many have all words. */
  sampled: number
  together: number
  isAll: boolean
  query: string | null
  size: number | null
  ids: string[] | null
}

// Sending more identifiers costs more than finding them again.
const mostNamed = 100

/** Has words that begin with the search terms. */
export function wordsCriterion(db: Database, account: AccountId, table: SearchTable, terms: SearchTerms): Criterion {
  const longest = terms.words.toSorted((one, other) => other.length - one.length).slice(0, mostCounted)
  return {
    matches: matchesWords(db, tsqueryOf(terms)),
    count: countWords(db, account, table, { words: longest, joined: terms.joined }),
    conditionOf(counted) {
      const { sampled, together, isAll, query, size, ids } = counted as WordCount
      const isComplete = size !== null && size <= few
      const isExact = isAll && longest.length === terms.words.length
      return {
        size: size ?? Number.POSITIVE_INFINITY,
        isComplete,
        isExact,
        selectivity: isComplete && isExact ? undefined : Math.max(together, 1) / sampleLength,
        // Words that are common each may never occur together.
        atLeast: terms.words.length === 1 ? (size ?? sampled) : 0,
        select: rowsWithIds(
          db,
          account,
          table,
          ids ? idArray(db, table, ids) : idsMatching(db, table, query ?? '', collectLimit),
        ),
      }
    },
  }
}

/** The same as a query on the word index, also where words are common. */
export function wordsQuery(db: Database, account: AccountId, table: SearchTable, terms: SearchTerms): IndexQuery {
  const words = terms.words.map((word) => prefixQuery(indexedWord(account, table.kind, word))).join(' & ')
  const joined = terms.joined === undefined ? '' : ` | ${prefixQuery(indexedWord(account, table.kind, terms.joined))}`
  return {
    matches: matchesWords(db, tsqueryOf(terms)),
    query: (columns, limit) => rowsWithIds(db, account, table, idsMatching(db, table, words + joined, limit))(columns),
  }
}

// One query for all words that are not common, or else for the search text as one word. `offset 0` keeps the planner from
// running the index query once for every reference to its result.
function countWords(db: Database, account: AccountId, { kind, table, id }: SearchTable, terms: SearchTerms): Fragment {
  const words = [...terms.words, ...(terms.joined === undefined ? [] : [terms.joined])]
  return db`(
    with sample as materialized (
      (select words from ${db(table)} where account_id = ${account}
      order by newest_first, ${db(id)} limit ${halfOfSample(db)})
      union all
      (select words from ${db(table)} where account_id = ${account}
      order by newest_first desc, ${db(id)} desc limit ${halfOfSample(db)})
    ), sampled as materialized (
      select place > ${terms.words.length} as is_joined, indexed,
        (select count(*) from sample where words @@ query) as count
      from unnest(
        (select ${words.map(prefixQuery)}::text[]::tsquery[]),
        (select ${words.map((word) => prefixQuery(indexedWord(account, kind, word)))}::text[])
      ) with ordinality as searched (query, indexed, place)
    ), asked as materialized (
      select max(count) filter (where not is_joined) as sampled, bool_and(count < ${tooMany}) as is_all,
        case when coalesce(bool_and(count < ${tooMany}) filter (where is_joined), true) then
          string_agg(indexed, ' & ') filter (where not is_joined and count < ${tooMany})
            || coalesce(' | ' || max(indexed) filter (where is_joined), '') end as query
      from sampled
    )
    select jsonb_build_object('sampled', sampled, 'isAll', is_all, 'query', query,
      'together', (select count(*) from sample where ${matchesWords(db, tsqueryOf(terms))}),
      'size', case when query is not null then cardinality(ids) end,
      'ids', case when query is not null and cardinality(ids) <= ${mostNamed} then to_jsonb(ids) end)
    from asked cross join lateral (
      select array(select id from search_found(query::tsquery, ${few + 1}) as id) as ids offset 0
    ) found)`
}

/** Has exactly this word. */
export function wordCriterion(db: Database, account: AccountId, table: SearchTable, word: string): Criterion {
  const query = `'${indexedWord(account, table.kind, word)}'`
  return {
    matches: matchesWords(db, `'${word}'`),
    count: db`(select count(*) from search_found(${query}::text::tsquery, ${few + 1}))`,
    conditionOf: (counted) => ({
      size: Number(counted),
      isComplete: Number(counted) <= few,
      select: rowsWithIds(db, account, table, idsMatching(db, table, query, collectLimit)),
    }),
  }
}

/** A condition on a row. The scalar subquery makes PostgreSQL parse the query once, not once per row. */
export function matchesWords(db: Reader, query: string): Fragment {
  return db`words @@ (select ${query}::text::tsquery)`
}

/** The identifiers that a query of the word index finds: an array expression. */
function idsMatching(db: Database, { kind }: SearchTable, query: string, limit: number): Fragment {
  const id = kind === 'document' ? db`id::uuid` : db`id`
  return db`array(select ${id} from search_found(${query}::text::tsquery, ${limit}) as id)`
}

function idArray(db: Database, { kind }: SearchTable, ids: string[]): Fragment {
  return kind === 'document' ? db`${ids}::text[]::uuid[]` : db`${ids}::text[]`
}

/** The conjunction of all criteria, as a condition on a row. */
export function matchesAll(db: Database, criteria: Criterion[]): Fragment {
  const [first, ...others] = criteria.map(({ matches }) => matches)
  return first ? others.reduce((all, matches) => db`${all} and ${matches}`, first) : db`true`
}
