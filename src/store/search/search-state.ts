import type { AccountId } from '../../database/account-id.js'
import type { Database, Fragment, Reader, TransactionSql } from '../../database/database.js'
import { reindex } from './reindex.js'
import { type SearchedKind, searchedKinds, searchTables } from './search-tables.js'

/**
 * How far the search index of an account has followed its change log. A new index is backfilled from all resources, kind by
 * kind; from then on the changes of the log are applied. Both work in steps, each a transaction, which processes can share.
 */

// The version of the derived rows. Another value here makes every account reindex everything.
const indexVersion = 'edition 4'

type State = {
  /** All changes up to this revision are indexed. */
  revision: number
  /** How far the backfill has come; null once it is complete, and `id` is then the version of the index. */
  kind: SearchedKind | null
  id: string | null
}

/** Whether all changes are indexed, as a condition on an `account` and its `state`. */
export function isCurrent(db: Reader): Fragment {
  return db`coalesce(state.revision >= account.revision and state.kind is null and state.id = ${indexVersion}, false)`
}

// Resources and changes per step.
const stepLength = 500
const mostChanges = 2000

/** Indexes every change that was committed before the call. */
export async function updateSearchIndex(db: Database, account: AccountId): Promise<void> {
  const { revision, isReached } = await compareRevisions(db, account)
  if (isReached) return
  for (;;) {
    const state = await sharedStep(db, account)
    if (state.kind === null && state.revision >= revision) return
  }
}

async function compareRevisions(db: Database, account: AccountId): Promise<{ revision: number; isReached: boolean }> {
  const [row] = await db<{ revision: number; isReached: boolean }[]>`
    select account.revision, ${isCurrent(db)} as "isReached"
    from accounts account left join search_state state using (account_id)
    where account_id = ${account}`
  if (!row) throw new Error(`there is no account ${account}`)
  return row
}

const runningSteps = new WeakMap<Database, Map<AccountId, Promise<State>>>()

// Requests of this process share a step, so that waiting for an account takes one connection.
function sharedStep(db: Database, account: AccountId): Promise<State> {
  const steps = runningSteps.get(db) ?? new Map<AccountId, Promise<State>>()
  runningSteps.set(db, steps)
  const step = steps.get(account) ?? startStep(db, account).finally(() => steps.delete(account))
  steps.set(account, step)
  return step
}

function startStep(db: Database, account: AccountId): Promise<State> {
  return db.begin((sql) => indexStep(sql, account))
}

/** Performs one step, if any is left. Aborting rolls it back. */
export async function indexStep(sql: TransactionSql, account: AccountId, signal?: AbortSignal): Promise<State> {
  const state = await lockState(sql, account)
  const next = await (state.kind === null ? applyChanges : backfill)(sql, account, state, signal)
  await sql`
    update search_state set revision = ${next.revision}, kind = ${next.kind}, id = ${next.id}
    where account_id = ${account}`
  return next
}

async function lockState(sql: TransactionSql, account: AccountId): Promise<State> {
  await sql`
    insert into search_state (account_id, revision, kind)
    select account_id, revision, ${searchedKinds[0]} from accounts where account_id = ${account}
    on conflict do nothing`
  const [state] = await sql<State[]>`
    select revision, kind, id from search_state where account_id = ${account} for update`
  if (!state) throw new Error(`there is no account ${account}`)
  const isOutdated = state.kind === null && state.id !== indexVersion
  return isOutdated ? { ...state, kind: searchedKinds[0], id: null } : state
}

type Step = (sql: TransactionSql, account: AccountId, state: State, signal: AbortSignal | undefined) => Promise<State>

/** Changes during the backfill have a revision after the one it began with, and are applied later. */
const backfill: Step = async (sql, account, state, signal) => {
  const kind = state.kind as SearchedKind
  const ids = await listIdentifiers(sql, account, kind, state.id)
  await reindex(sql, account, kind, ids, signal)
  if (ids.length === stepLength) return { ...state, id: ids.at(-1) as string }
  if (state.id !== null) await updateStatistics(sql, kind)
  const next = searchedKinds[searchedKinds.indexOf(kind) + 1]
  return next ? { ...state, kind: next, id: null } : { ...state, kind: null, id: indexVersion }
}

async function listIdentifiers(
  sql: TransactionSql,
  account: AccountId,
  kind: SearchedKind,
  after: string | null,
): Promise<string[]> {
  const { id, source } = searchTables[kind]
  const rows = await sql<{ id: string }[]>`
    select ${sql(id)} as id from ${sql(source)}
    where account_id = ${account} ${after === null ? sql`` : sql`and ${sql(id)} > ${after}`}
    order by ${sql(id)} limit ${stepLength}`
  return rows.map((row) => row.id)
}

const applyChanges: Step = async (sql, account, state, signal) => {
  const revision = await findLastRevision(sql, account, state.revision)
  const changed = await sql<{ kind: SearchedKind; ids: string[] }[]>`
    select kind, array_agg(distinct id) as ids from changes
    where account_id = ${account} and revision > ${state.revision} and revision <= ${revision}
      and kind = any(${[...searchedKinds]})
    group by kind order by kind`
  for (const { kind, ids } of changed) {
    await reindex(sql, account, kind, ids, signal)
    if (ids.length > stepLength) await updateStatistics(sql, kind)
  }
  return { ...state, revision }
}

// Without statistics PostgreSQL assumes that a new account is small, and sorts all of it instead of scanning an index.
async function updateStatistics(sql: TransactionSql, kind: SearchedKind): Promise<void> {
  await sql`analyze (skip_locked) ${sql(searchTables[kind].table)}`
}

/** The last revision of a step: as many as fit `mostChanges`, and at least one. */
async function findLastRevision(sql: TransactionSql, account: AccountId, revision: number): Promise<number> {
  const [row] = await sql<{ newest: number; first: number | null; beyond: number | null }[]>`
    select revision as newest,
      (select revision from changes where account_id = ${account} and revision > ${revision}
        order by revision limit 1) as first,
      (select revision from changes where account_id = ${account} and revision > ${revision}
        order by revision offset ${mostChanges} limit 1) as beyond
    from accounts where account_id = ${account}`
  if (!row) throw new Error(`there is no account ${account}`)
  const { newest, first, beyond } = row
  return beyond === null ? newest : Math.max(beyond - 1, first ?? newest)
}

// The key of the advisory lock that the background indexer holds during a step.
const indexerLock = 0x7365_6172

/** Whether this transaction got the lock of the background indexer, until its end. */
export async function tryIndexerLock(sql: TransactionSql): Promise<boolean> {
  const [row] = await sql<{ isLocked: boolean }[]>`select pg_try_advisory_xact_lock(${indexerLock}) as "isLocked"`
  return row?.isLocked ?? false
}

/** The next account with people and changes to index. Round robin: constant writes to one do not starve the others. */
export async function findOutdatedAccount(sql: TransactionSql, last: AccountId): Promise<AccountId | undefined> {
  const [row] = await sql<{ account_id: AccountId }[]>`
    select account.account_id from accounts account left join search_state state using (account_id)
    where not ${isCurrent(sql)}
      and exists (select from people where people.account_id = account.account_id)
    order by account.account_id <= ${last}, account.account_id limit 1`
  return row?.account_id
}
