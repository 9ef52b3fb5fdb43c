import { accountMoved, Refusal } from '../contract/refusals.js'
import type { AccountId } from '../database/account-id.js'
import { businessNowInStatement } from '../database/business-now.js'
import type { Database, TransactionSql } from '../database/database.js'
import { lookup } from '../database/lookup.js'
import { type LockedAccount, Transaction } from './transaction.js'

// How long (ms) a write waits for other writes to the account, such as an import, before it is refused.
const maxWait = 5000

/**
 * The only way to write. Locks the account, which serialises its writes; runs the work, which stores records and appends
 * to the change log under the next revision; renders and stores the bodies that changed; raises the revision.
 * `readFirst` reads in the same round trip as the lock.
 */
export async function commit<Result, First = undefined>(
  db: Database,
  account: AccountId,
  author: string,
  work: (tx: Transaction, first: First) => Promise<Result>,
  readFirst: (sql: TransactionSql) => Promise<First> = readNothing,
): Promise<Result> {
  return queued(db, account, (lockTimeout) =>
    db.begin((sql) => commitWithin(sql, account, author, work, readFirst), { lockTimeout, pinsPlans: true }),
  )
}

const readNothing = async () => undefined as never

/** The same within an open transaction, for writes that span accounts. */
export async function commitWithin<Result, First = undefined>(
  sql: TransactionSql,
  account: AccountId,
  author: string,
  work: (tx: Transaction, first: First) => Promise<Result>,
  readFirst: (sql: TransactionSql) => Promise<First> = readNothing,
): Promise<Result> {
  // Pipelined: the database runs `readFirst` after it granted the lock.
  const [locked, first] = await Promise.all([lockAccount(sql, account), readFirst(sql)])
  const tx = new Transaction(sql, account, { ...locked, author })
  const result = await work(tx, first)
  await tx.finish()
  return result
}

// Accounts of one batch share their round trips; the limit bounds the memory.
const accountsPerBatch = 25

/**
 * Writes to several accounts within an open transaction. Accounts are locked in the same order everywhere, so that transactions do
 * not deadlock. What an account refuses is not written; the others are.
 */
export async function commitAccounts<Result>(
  sql: TransactionSql,
  accounts: AccountId[],
  author: string,
  work: (tx: Transaction, account: AccountId) => Promise<Result>,
): Promise<Map<AccountId, Result | Refusal>> {
  const results = new Map<AccountId, Result | Refusal>()
  let left = accounts.toSorted((one, other) => one - other)
  while (left.length > 0) {
    const batch = left.slice(0, accountsPerBatch)
    const refused = await sql
      .savepoint(async (inner) => {
        // All have to end before the savepoint does: they share the connection.
        const ended = await Promise.allSettled(
          batch.map((account) => commitWithin(inner, account, author, (tx) => work(tx, account))),
        )
        const refusals = new Map<AccountId, Refusal>()
        for (const [index, each] of ended.entries()) {
          const account = batch[index] as AccountId
          if (each.status === 'fulfilled') results.set(account, each.value)
          else if (each.reason instanceof Refusal) refusals.set(account, each.reason)
          else throw each.reason
        }
        if (refusals.size > 0) throw new RefusedAccounts(refusals)
        return new Map<AccountId, Refusal>()
      })
      .catch((error: unknown) => {
        if (error instanceof RefusedAccounts) return error.refusals
        throw error
      })
    for (const [account, refusal] of refused) results.set(account, refusal)
    // The batch was rolled back: it is written again without those that refused.
    left = refused.size > 0 ? left.filter((account) => !refused.has(account)) : left.slice(batch.length)
  }
  return results
}

class RefusedAccounts extends Error {
  readonly refusals: Map<AccountId, Refusal>

  constructor(refusals: Map<AccountId, Refusal>) {
    super('some accounts refused the write')
    this.refusals = refusals
  }
}

// A row that changed while waiting for the lock is evaluated again, so the time is read after the lock was granted.
async function lockAccount(sql: TransactionSql, account: AccountId): Promise<LockedAccount> {
  const [row] = await lockAccounts(sql, [account])
  if (!row) throw new Error(`there is no account ${account}`)
  if (row.moved) throw accountMoved()
  return row
}

// One after the other, in the given order.
const lockAccounts = lookup<AccountId, LockedAccount & { moved: boolean }>(
  (sql, accounts) => sql`
    select place, locked.*
    from unnest(${accounts}::integer[]) with ordinality as wanted (account_id, place)
    cross join lateral (
      select revision + 1 as revision, greatest(${businessNowInStatement(sql)}, changed_at + interval '1 microsecond')::text as at,
        quotas, stored_bytes, moved_at is not null as moved
      from accounts where account_id = wanted.account_id for no key update
    ) locked`,
)

// Writers of one account queue here, so that a busy account holds one connection of this process, not all.
const queues = new WeakMap<Database, Map<AccountId, Promise<unknown>>>()

async function queued<Result>(
  db: Database,
  account: AccountId,
  work: (lockTimeout: number) => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + maxWait
  const queue = queues.get(db) ?? new Map<AccountId, Promise<unknown>>()
  queues.set(db, queue)
  const before = queue.get(account)
  const turn = hasEnded(before).then((isOurs) => {
    const left = Math.ceil(deadline - performance.now())
    if (isOurs && left > 0) return work(left)
    throw new Refusal('service_unavailable', 'The account is being written to; try again.')
  })
  // A write that times out keeps its place: those behind it still wait for those before it.
  const settled = Promise.allSettled([before, turn])
  queue.set(account, settled)
  void settled.then(() => {
    if (queue.get(account) === settled) queue.delete(account)
  })
  return turn
}

/** Waits for earlier writes, with a timeout. */
async function hasEnded(before: Promise<unknown> | undefined): Promise<boolean> {
  if (!before) return true
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, maxWait, false)
  })
  const ended = await Promise.race([before.then(() => true), late])
  clearTimeout(timer)
  return ended
}
