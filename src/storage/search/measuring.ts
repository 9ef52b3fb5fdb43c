import type { Database, Fragment } from '../database.js'
import type { AccountId } from '../transaction.js'
import type { Condition } from './page.js'
import { bringUpToDate, isCurrent } from './search-state.js'
import type { SearchedKind } from './searched.js'

/** Something that is looked for, before it is known how many have it. */
export type Criterion = {
  /** Of a row of the table: whether it has it. */
  matches: Fragment
  /** Counts them, as far as that is cheap: an expression. */
  count: Fragment
  conditionOf(counted: unknown): Condition
}

export type Measure = { total: number; conditions: Condition[] }

/** How many there are of a kind, and how many fulfil each criterion: all that was written before is counted. */
export async function measure(
  db: Database,
  account: AccountId,
  kind: SearchedKind,
  criteria: Criterion[],
): Promise<Measure> {
  const found = await count(db, account, kind, criteria)
  if (found.isCurrent) return found
  await bringUpToDate(db, account)
  return count(db, account, kind, criteria)
}

// The same statement tells whether all changes are in: a search costs no look of its own at that.
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
