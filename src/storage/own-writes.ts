import type { Database } from './database.js'
import type { AccountId } from './transaction.js'

/**
 * What this process itself writes through a pool: of each account how often something was, and whether something is
 * being written right now. Whoever remembers something of an account can tell by it that nothing of ours came between.
 */
class OwnWrites {
  readonly #counts = new Map<AccountId, number>()
  readonly #underWay = new Map<AccountId, number>()
  #countOfAny = 0
  #anyUnderWay = 0

  /** Grows with every write to the account; undefined while there is one. */
  countOf(account: AccountId): number | undefined {
    if (this.#anyUnderWay > 0 || this.#underWay.has(account)) return undefined
    return this.#countOfAny + (this.#counts.get(account) ?? 0)
  }

  async during<Result>(accounts: AccountId[] | 'any', work: () => Promise<Result>): Promise<Result> {
    this.#begin(accounts)
    try {
      return await work()
    } finally {
      // However it ended: it may have happened all the same.
      this.#end(accounts)
    }
  }

  #begin(accounts: AccountId[] | 'any'): void {
    if (accounts === 'any') this.#anyUnderWay += 1
    else for (const account of accounts) this.#underWay.set(account, (this.#underWay.get(account) ?? 0) + 1)
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

const writes = new WeakMap<Database, OwnWrites>()

export function ownWritesOf(db: Database): OwnWrites {
  const known = writes.get(db)
  if (known) return known
  const fresh = new OwnWrites()
  writes.set(db, fresh)
  return fresh
}

/**
 * Does something that may raise the revision of these accounts, of each as often as it is named, or of any. Whatever does
 * has to be done in here: by the time that it is answered, nothing that was remembered before is taken to hold.
 */
export function asOwnWrite<Result>(
  db: Database,
  accounts: AccountId[] | 'any',
  work: () => Promise<Result>,
): Promise<Result> {
  return ownWritesOf(db).during(accounts, work)
}
