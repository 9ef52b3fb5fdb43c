import type { AccountId } from '../../database/account-id.js'
import type { Database, Fragment } from '../../database/database.js'
import type { SearchCondition } from './page.js'
import { isCurrent, updateSearchIndex } from './search-state.js'
import type { SearchedKind } from './search-tables.js'

/** A search criterion before its matches are counted. */
export type Criterion = {
  /** Whether a row matches. */
  matches: Fragment
  /** An expression that counts the matches as far as that is cheap. */
  count: Fragment
  conditionOf(counted: unknown): SearchCondition
}

export type MatchCounts = { total: number; conditions: SearchCondition[] }

/** How many rows of a kind there are, and how many match each criterion, after every change was indexed. */
export async function countMatches(
  db: Database,
  account: AccountId,
  kind: SearchedKind,
  criteria: Criterion[],
): Promise<MatchCounts> {
  const counts = await count(db, account, kind, criteria)
  if (counts.isCurrent) return counts
  await updateSearchIndex(db, account)
  return count(db, account, kind, criteria)
}

// The same statement checks that the index is current, which saves a round trip.
async function count(db: Database, account: AccountId, kind: SearchedKind, criteria: Criterion[]) {
  const counts = criteria.reduce((before, criterion) => db`${before}, ${criterion.count}`, db`true`)
  const [row] = await db<{ isCurrent: boolean; total: number | null; counts: [true, ...unknown[]] }[]>`
    select ${isCurrent(db)} as "isCurrent",
      (select count from search_counts
        where account_id = ${account} and kind = ${kind} and facet = 'all' and value = '') as total,
      jsonb_build_array(${counts}) as counts
    from accounts account left join search_state state using (account_id)
    where account_id = ${account}`
  if (!row) throw new Error(`there is no account ${account}`)
  const [, ...counted] = row.counts
  const conditions = criteria.map((criterion, index) => criterion.conditionOf(counted[index]))
  return { isCurrent: row.isCurrent, total: row.total ?? 0, conditions }
}
