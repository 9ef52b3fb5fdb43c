import type { Database, Fragment, Reader, TransactionSql } from '../database.js'
import type { AccountId } from '../transaction.js'
import { replaceSearched } from './replacing.js'
import { listed, type SearchedKind, searchedKinds } from './searched.js'

/**
 * How far what is searched follows the account. At first it is made of everything there is, kind by kind; from then on of
 * what the change log tells. Either goes in steps, each a transaction: several processes take turns, and none is wasted.
 */

// Which edition of the rows this program makes. With another name here everything is made again, account by account.
const edition = 'edition 2'

type State = {
  /** All changes up to here are in. */
  revision: number
  /** The first look has got so far; null when it is done, and `id` then tells in which edition. */
  kind: SearchedKind | null
  id: string | null
}

/** Of an `account` and its `state`: whether all changes are in. */
export function isCurrent(db: Reader): Fragment {
  return db`coalesce(state.revision >= account.revision and state.kind is null and state.id = ${edition}, false)`
}

// So many are looked at in a step.
const stepLength = 500
const mostChanges = 2000

/** Afterwards whatever was written before is found. */
export async function bringUpToDate(db: Database, account: AccountId): Promise<void> {
  const { revision, isReached } = await compareRevisions(db, account)
  if (isReached) return
  for (;;) {
    const state = await stepTogether(db, account)
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

const underWay = new WeakMap<Database, Map<AccountId, Promise<State>>>()

// Whoever waits for an account waits here, not with a connection each.
function stepTogether(db: Database, account: AccountId): Promise<State> {
  const steps = underWay.get(db) ?? new Map<AccountId, Promise<State>>()
  underWay.set(db, steps)
  const step = steps.get(account) ?? stepForward(db, account).finally(() => steps.delete(account))
  steps.set(account, step)
  return step
}

function stepForward(db: Database, account: AccountId): Promise<State> {
  return db.begin((sql) => stepWithin(sql, account))
}

/** One step, if there is anything to do. It can be broken off between its parts, and then has not happened. */
export async function stepWithin(sql: TransactionSql, account: AccountId, signal?: AbortSignal): Promise<State> {
  const state = await lockState(sql, account)
  const next = await (state.kind === null ? followChanges : lookFurther)(sql, account, state, signal)
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
  const isOutdated = state.kind === null && state.id !== edition
  return isOutdated ? { ...state, kind: searchedKinds[0], id: null } : state
}

type Step = (sql: TransactionSql, account: AccountId, state: State, signal: AbortSignal | undefined) => Promise<State>

/** What is changed meanwhile is changed after the revision that it began with, and made again later. */
const lookFurther: Step = async (sql, account, state, signal) => {
  const kind = state.kind as SearchedKind
  const ids = await listIdentifiers(sql, account, kind, state.id)
  await replaceSearched(sql, account, kind, ids, signal)
  if (ids.length === stepLength) return { ...state, id: ids.at(-1) as string }
  if (state.id !== null) await informPlanner(sql, kind)
  const next = searchedKinds[searchedKinds.indexOf(kind) + 1]
  return next ? { ...state, kind: next, id: null } : { ...state, kind: null, id: edition }
}

async function listIdentifiers(
  sql: TransactionSql,
  account: AccountId,
  kind: SearchedKind,
  after: string | null,
): Promise<string[]> {
  const { id, source } = listed[kind]
  const rows = await sql<{ id: string }[]>`
    select ${sql(id)} as id from ${sql(source)}
    where account_id = ${account} ${after === null ? sql`` : sql`and ${sql(id)} > ${after}`}
    order by ${sql(id)} limit ${stepLength}`
  return rows.map((row) => row.id)
}

const followChanges: Step = async (sql, account, state, signal) => {
  const revision = await findEnd(sql, account, state.revision)
  const changed = await sql<{ kind: SearchedKind; ids: string[] }[]>`
    select kind, array_agg(distinct id) as ids from changes
    where account_id = ${account} and revision > ${state.revision} and revision <= ${revision}
      and kind = any(${[...searchedKinds]})
    group by kind order by kind`
  for (const { kind, ids } of changed) {
    await replaceSearched(sql, account, kind, ids, signal)
    if (ids.length > stepLength) await informPlanner(sql, kind)
  }
  return { ...state, revision }
}

// An account that it has not heard of it takes for a small one, and would rather sort all of it than walk along an index.
async function informPlanner(sql: TransactionSql, kind: SearchedKind): Promise<void> {
  await sql`analyze (skip_locked) ${sql(listed[kind].table)}`
}

/** The revision that a step ends with: that before the one in which there are too many changes, and at least one. */
async function findEnd(sql: TransactionSql, account: AccountId, revision: number): Promise<number> {
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
