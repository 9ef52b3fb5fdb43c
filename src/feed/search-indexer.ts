import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountId } from '../database/account-id.js'
import type { Database } from '../database/database.js'
import { findOutdatedAccount, indexStep, tryIndexerLock } from '../store/search/search-state.js'

/**
 * Updates the search index in the background, so that a search has little left to do. It works in steps, and pauses nine
 * times as long as each step took. One process at a time does it, and only for accounts that have people: only people search.
 */

type Options = { signal: AbortSignal; onError(error: unknown): void }

const idlePause = 1500
const shortestPause = 50
const pauseAfterError = 30_000
const pauseFactor = 9

/** Runs until the signal aborts. */
export async function runSearchIndexer(db: Database, { signal, onError }: Options): Promise<void> {
  let last: AccountId = 0
  while (!signal.aborted) {
    const startedAt = performance.now()
    let pause = idlePause
    try {
      const account = await indexNextAccount(db, last, signal)
      last = account ?? last
      if (account !== undefined) pause = Math.max(shortestPause, pauseFactor * (performance.now() - startedAt))
    } catch (error) {
      if (signal.aborted) return
      onError(error)
      pause = pauseAfterError
    }
    await sleep(pause, undefined, { signal }).catch(() => {})
  }
}

/** Returns the account of the step; undefined if all accounts are current, or another process holds the lock. */
async function indexNextAccount(db: Database, last: AccountId, signal: AbortSignal): Promise<AccountId | undefined> {
  return db.begin(
    async (sql) => {
      const account = (await tryIndexerLock(sql)) ? await findOutdatedAccount(sql, last) : undefined
      if (account !== undefined) await indexStep(sql, account, signal)
      return account
    },
    { statementTimeout: 0 },
  )
}
