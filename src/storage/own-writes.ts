import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, isUnreachable } from './database.js'
import type { AccountId } from './transaction.js'

/**
 * What we write ourselves: of each account how often something was, and whether something is being written right now.
 * Whoever remembers something of an account can tell by it that nothing of ours came between.
 */
export type Writes = {
  /** Grows with every write to the account; undefined while there is one. */
  countOf(account: AccountId): number | undefined
  /** A write begins, of each account as often as it is named, or of any. What is answered is to be called when it has ended. */
  begin(accounts: AccountId[] | 'any'): () => void
}

/** Those of this process alone, through one pool. */
class OwnWrites implements Writes {
  readonly #counts = new Map<AccountId, number>()
  readonly #underWay = new Map<AccountId, number>()
  #countOfAny = 0
  #anyUnderWay = 0

  countOf(account: AccountId): number | undefined {
    if (this.#anyUnderWay > 0 || this.#underWay.has(account)) return undefined
    return this.#countOfAny + (this.#counts.get(account) ?? 0)
  }

  begin(accounts: AccountId[] | 'any'): () => void {
    if (accounts === 'any') this.#anyUnderWay += 1
    else for (const account of accounts) this.#underWay.set(account, (this.#underWay.get(account) ?? 0) + 1)
    return () => this.#end(accounts)
  }

  #end(accounts: AccountId[] | 'any'): void {
    if (accounts === 'any') {
      this.#anyUnderWay -= 1
      this.#countOfAny += 1
      return
    }
    for (const account of accounts) {
      this.#counts.set(account, (this.#counts.get(account) ?? 0) + 1)
      const left = (this.#underWay.get(account) ?? 0) - 1
      if (left > 0) this.#underWay.set(account, left)
      else this.#underWay.delete(account)
    }
  }
}

const writes = new WeakMap<Database, Writes>()

export function ownWritesOf(db: Database): Writes {
  const known = writes.get(db)
  if (known) return known
  const fresh = new OwnWrites()
  writes.set(db, fresh)
  return fresh
}

/** For a process that is one of several: theirs count as its own. Before anything is written. */
export function countTogether(db: Database, shared: Writes): void {
  writes.set(db, shared)
}

/**
 * Does something that may raise the revision of these accounts, of each as often as it is named, or of any. Whatever does
 * has to be done in here: by the time that it is answered, nothing that was remembered before is taken to hold.
 */
export async function asOwnWrite<Result>(
  db: Database,
  accounts: AccountId[] | 'any',
  work: () => Promise<Result>,
): Promise<Result> {
  const end = ownWritesOf(db).begin(accounts)
  let result: Result
  try {
    result = await work()
  } catch (error) {
    // However it ended: it may have happened all the same, or still happen.
    if (isUnreachable(error)) endLater(db, end)
    else end()
    throw error
  }
  end()
  return result
}

type Lost = { at: number; ends: (() => void)[] }

const lostWrites = new WeakMap<Database, Lost>()

/** A connection that was lost does not end what was sent through it: that is waited for, of all that were, at once. */
function endLater(db: Database, end: () => void): void {
  const others = lostWrites.get(db)
  const lost = others ?? { at: 0, ends: [] }
  lost.at = performance.now()
  lost.ends.push(end)
  if (others) return
  lostWrites.set(db, lost)
  void endWhenOver(db, lost)
}

const pause = 1000

async function endWhenOver(db: Database, lost: Lost): Promise<void> {
  let seen: number
  do {
    await sleep(pause, undefined, { ref: false })
    seen = lost.at
  } while (!(await isOver(db, seen).catch(isGivenUp)) || seen !== lost.at)
  lostWrites.delete(db)
  for (const end of lost.ends) end()
}

/** Whether nothing is left of what this process had under way at that moment. */
async function isOver(db: Database, moment: number): Promise<boolean> {
  const rows = await db`
    select from pg_stat_activity
    where datname = current_database() and application_name = current_setting('application_name')
      and pid <> pg_backend_pid()
      and xact_start < clock_timestamp() - ${Math.round(performance.now() - moment)} * interval '1 millisecond' limit 1`
  return rows.length === 0
}

// The pool is closed: nobody asks it any more. One that is away is asked again.
function isGivenUp(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'CONNECTION_ENDED'
}
