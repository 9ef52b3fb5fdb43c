import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, TransactionSql } from '../database.js'
import type { AccountId } from '../transaction.js'
import { isCurrent, stepWithin } from './search-state.js'

/**
 * Beside the writes, so that a search finds little left to do: step by step, and resting nine times as long as each took. Of
 * all processes one at a time is at it. Only accounts that have people are looked after: nobody else searches.
 */

type Options = { signal: AbortSignal; onError(error: unknown): void }

const idlePause = 1500
const shortestPause = 50
const pauseAfterError = 30_000
const restFactor = 9
// Of all advisory locks that Waybill takes, that of this work.
const lock = 0x7365_6172

/** Until it is told to stop; then at once. */
export async function keepSearchUpToDate(db: Database, { signal, onError }: Options): Promise<void> {
  let last: AccountId = 0
  while (!signal.aborted) {
    const begun = performance.now()
    let pause = idlePause
    try {
      const account = await stepSomewhere(db, last, signal)
      last = account ?? last
      if (account !== undefined) pause = Math.max(shortestPause, restFactor * (performance.now() - begun))
    } catch (error) {
      if (signal.aborted) return
      onError(error)
      pause = pauseAfterError
    }
    await sleep(pause, undefined, { signal }).catch(() => {})
  }
}

/** The account that was looked after; undefined when there is nothing to do, or somebody else does it. */
async function stepSomewhere(db: Database, last: AccountId, signal: AbortSignal): Promise<AccountId | undefined> {
  return db.begin(async (sql) => {
    const [row] = await sql<{ isOurs: boolean }[]>`select pg_try_advisory_xact_lock(${lock}) as "isOurs"`
    const account = row?.isOurs ? await findBehind(sql, last) : undefined
    if (account !== undefined) await stepWithin(sql, account, signal)
    return account
  })
}

/** Round and round: one that is written to all the time leaves the others their turn. */
async function findBehind(sql: TransactionSql, last: AccountId): Promise<AccountId | undefined> {
  const [row] = await sql<{ account_id: AccountId }[]>`
    select account.account_id from accounts account left join search_state state using (account_id)
    where not ${isCurrent(sql)}
      and exists (select from people where people.account_id = account.account_id)
    order by account.account_id <= ${last}, account.account_id limit 1`
  return row?.account_id
}
