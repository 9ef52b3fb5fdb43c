import type { Database, Fragment } from '../database.js'
import type { AccountId } from '../transaction.js'
import type { Criterion } from './measuring.js'
import { few, mostGathered } from './page.js'
import { indexed, type Listed, type SearchedKind } from './searched.js'
import { beginning, queryOf, type Sought } from './words.js'

/**
 * What an index can be asked. Every query is in the order of its index and has a limit, so that there is no better plan
 * than to read as much of it, whatever the planner takes the values for.
 */

/** Has one of these values: how many have which is counted with every change. */
export function havingValue(
  db: Database,
  account: AccountId,
  { kind, table, id }: Listed,
  facet: string,
  values: string[],
): Criterion {
  const of = facet === 'is_open' ? db`wanted.value::boolean` : db`wanted.value`
  return {
    matches: facet === 'is_open' ? db`is_open = any(${values}::boolean[])` : db`${db(facet)} = any(${values})`,
    count: db`(
      select coalesce(sum(count), 0) from search_counts
      where account_id = ${account} and kind = ${kind} and facet = ${facet} and value = any(${values}))`,
    conditionOf: (counted) => ({
      size: Number(counted),
      isWhole: true,
      candidates: db`
        select found.id from unnest(${values}::text[]) as wanted (value)
        cross join lateral (
          select ${db(id)} as id from ${db(table)} where account_id = ${account} and ${db(facet)} = ${of}
          order by ${db(facet)}, ${db(id)} limit ${mostGathered}
        ) found`,
    }),
  }
}

/** Fulfils what a query of `id` asks of one index. */
export function answering(
  db: Database,
  matches: Fragment,
  query: (limit: number) => Fragment,
  column?: string,
): Criterion {
  return {
    matches,
    count: db`(select count(*) from (${query(few + 1)}) as met)`,
    conditionOf: (counted) => ({
      size: Number(counted),
      isWhole: Number(counted) <= few,
      candidates: query(mostGathered),
      ...(column !== undefined && { column }),
    }),
  }
}

/** Has something that no index knows: it is checked row by row. */
export function unindexed(db: Database, matches: Fragment): Criterion {
  return {
    matches,
    count: db`true`,
    conditionOf: () => ({
      size: Number.POSITIVE_INFINITY,
      isWhole: false,
      atLeast: 0,
      candidates: db`select null as id where false`,
    }),
  }
}

export type Days = { from: string; to: string }

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
    (limit) => db`
      select ${db(id)} as id from ${db(table)}
      where account_id = ${account} and ${db(column)} between ${from}::text::date and ${to}::text::date
      order by ${db(column)}, ${db(id)} limit ${limit}`,
    column,
  )
}

/** Fulfils either of two criteria. */
export function eitherOf(db: Database, one: Criterion, other: Criterion): Criterion {
  return {
    matches: db`(${one.matches} or ${other.matches})`,
    count: db`jsonb_build_array(${one.count}, ${other.count})`,
    conditionOf(counted) {
      const [first, second] = counted as [unknown, unknown]
      const [left, right] = [one.conditionOf(first), other.conditionOf(second)]
      return {
        size: left.size + right.size,
        isWhole: left.isWhole && right.isWhole,
        atLeast: Math.max(left.size, right.size),
        candidates: db`(${left.candidates}) union all (${right.candidates})`,
      }
    },
  }
}

// The longest words tell the most; who types more than these has said enough.
const mostCounted = 4
// A word that so many of the newest and the oldest have is too common to be looked up.
const sampleLength = 200
const tooMany = 20

/** Undefined size: it was not counted, as it is common. */
type WordCount = { size: number | null; sampled: number }

/** Has words that begin with what was typed. */
export function havingWords(db: Database, account: AccountId, listed: Listed, sought: Sought): Criterion {
  const longest = sought.words.toSorted((one, other) => other.length - one.length).slice(0, mostCounted)
  const words = [...longest, ...(sought.whole === undefined ? [] : [sought.whole])]
  return {
    matches: db`words @@ ${queryOf(sought)}::text::tsquery`,
    count: countWords(db, account, listed, words),
    conditionOf(counted) {
      const counts = (counted as WordCount[]).map(({ size, sampled }, index) => ({
        word: words[index] as string,
        size: size ?? Number.POSITIVE_INFINITY,
        atLeast: size ?? sampled,
      }))
      const byRarity = counts.slice(0, longest.length).toSorted((one, other) => one.size - other.size)
      const chosen = [...byRarity.slice(0, 1), ...counts.slice(longest.length)]
      const size = chosen.reduce((sum, each) => sum + each.size, 0)
      return {
        size,
        isWhole: chosen.every((each) => each.size <= few),
        // Words that each occur often may never occur together.
        atLeast: counts.length === 1 ? chosen.reduce((sum, each) => sum + each.atLeast, 0) : 0,
        candidates: foundByQueries(
          db,
          listed.kind,
          chosen.map(({ word }) => beginning(indexed(account, listed.kind, word))),
          mostGathered,
        ),
      }
    },
  }
}

function countWords(db: Database, account: AccountId, { kind, table, id }: Listed, words: string[]): Fragment {
  return db`(
    with sample as materialized (
      (select words from ${db(table)} where account_id = ${account}
      order by newest_first, ${db(id)} limit ${sampleLength / 2})
      union all
      (select words from ${db(table)} where account_id = ${account}
      order by newest_first desc, ${db(id)} desc limit ${sampleLength / 2})
    )
    select jsonb_agg(jsonb_build_object('sampled', sampled, 'size', size) order by place)
    from unnest(
      ${words.map(beginning)}::text[], ${words.map((word) => beginning(indexed(account, kind, word)))}::text[]
    ) with ordinality as sought (word, indexed, place)
    cross join lateral (
      select count(*) as sampled from sample where words @@ word::tsquery
    ) sampled
    cross join lateral (
      select case when sampled < ${tooMany} then (select count(*) from search_found(indexed::tsquery, ${few + 1})) end as size
    ) counted)`
}

/** Has this very word. */
export function havingWord(db: Database, account: AccountId, kind: SearchedKind, word: string): Criterion {
  return answering(db, db`words @@ ${`'${word}'`}::text::tsquery`, (limit) =>
    foundByQueries(db, kind, [`'${indexed(account, kind, word)}'`], limit),
  )
}

/** Those that any of the queries finds: a query of `id`. */
function foundByQueries(db: Database, kind: SearchedKind, queries: string[], limit: number): Fragment {
  return db`
    select ${kind === 'document' ? db`found::uuid` : db`found collate "C"`} as id
    from unnest(${queries}::text[]) as sought (query) cross join lateral search_found(query::tsquery, ${limit}) as found`
}

/** All criteria in one, of a row of the table. */
export function matchingAll(db: Database, criteria: Criterion[]): Fragment {
  const [first, ...others] = criteria.map(({ matches }) => matches)
  return first ? others.reduce((all, matches) => db`${all} and ${matches}`, first) : db`true`
}
