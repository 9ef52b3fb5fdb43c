import type { AccountId } from '../database/account-id.js'
import type { Database, TransactionSql } from '../database/database.js'
import { type LockedAccount, Transaction } from './transaction.js'
import { inTurn } from './write-queue.js'

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
  return inTurn(db, account, (sql) => commitWithin(sql, account, author, work, readFirst))
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
