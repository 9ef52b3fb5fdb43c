import { Refusal } from '../contract/refusals.js'
import type { AccountId } from '../database/account-id.js'
import type { Database, TransactionSql } from '../database/database.js'
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
    db.begin((sql) => commitWithin(sql, account, author, work, readFirst), { lockTimeout }),
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

// A row that changed while waiting for the lock is evaluated again, so the time is read after the lock was granted.
async function lockAccount(sql: TransactionSql, account: AccountId): Promise<LockedAccount> {
  const [row] = await sql<LockedAccount[]>`
    select revision + 1 as revision, greatest(clock_timestamp(), changed_at + interval '1 microsecond')::text as at,
      quotas, stored_bytes
    from accounts where account_id = ${account} for no key update`
  if (!row) throw new Error(`there is no account ${account}`)
  return row
}

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
