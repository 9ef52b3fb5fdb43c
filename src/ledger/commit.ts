import { accountMoved, Refusal } from '../contract/refusals.js'
import type { AccountId } from '../database/account-id.js'
import { businessNowInStatement } from '../database/business-now.js'
import type { Database, TransactionSql } from '../database/database.js'
import { lookup } from '../database/lookup.js'
import { type LockedAccount, Transaction } from './transaction.js'
import { inTurn, type Sharing } from './write-queue.js'

/** Writes to one account, under its lock. */
type Write<Result, First> = {
  author: string
  work: (tx: Transaction, first: First) => Promise<Result>
  /** Reads in the same round trip as the lock. */
  readFirst?: ((sql: TransactionSql) => Promise<First>) | undefined
}

type CommitOptions<First> = Pick<Write<unknown, First>, 'readFirst'> & { sharing?: Sharing | undefined }

/**
 * The only way to write. Locks the account, which serialises its writes; runs the work, which stores records and appends
 * to the change log under the next revision; renders and stores the bodies that changed; raises the revision. Writes with
 * `sharing` that wait for the account share a transaction: each has a revision of its own, and sees what those before it wrote.
 */
export async function commit<Result, First = undefined>(
  db: Database,
  account: AccountId,
  author: string,
  work: (tx: Transaction, first: First) => Promise<Result>,
  { readFirst, sharing }: CommitOptions<First> = {},
): Promise<Result> {
  const write: Write<Result, First> = { author, work, readFirst }
  return inTurn(db, account, write, {
    sharing,
    run: (writes, { lockTimeout, onProgress }) =>
      db
        .begin((sql) => writeInOrder(sql, account, writes, onProgress), { lockTimeout, pinsPlans: true })
        .catch((error: unknown) => {
          throw isTakenReference(error) ? new Refusal('purchase_order_exists') : error
        }),
  })
}

/** Found by the statement that stores a new order, so that creating one reads nothing. */
function isTakenReference(error: unknown): boolean {
  return (error as { constraint?: unknown } | undefined)?.constraint === 'purchase_orders_pkey'
}

/** The same within an open transaction, for writes that span accounts. */
export async function commitWithin<Result>(
  sql: TransactionSql,
  account: AccountId,
  author: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const [result] = await writeInOrder<Result, undefined>(sql, account, [{ author, work }])
  return result as Result
}

async function writeInOrder<Result, First>(
  sql: TransactionSql,
  account: AccountId,
  writes: Write<Result, First>[],
  onProgress?: (done: number) => void,
): Promise<Result[]> {
  // Pipelined: the database runs `readFirst` after it granted the lock.
  const [locked, ...first] = await Promise.all([
    lockAccount(sql, account),
    ...writes.map(({ readFirst }) => readFirst?.(sql) as Promise<First>),
  ])
  onProgress?.(0)
  let state: LockedAccount = locked
  const results: Result[] = []
  for (const [index, { author, work }] of writes.entries()) {
    const tx = new Transaction(sql, account, { ...state, author })
    results.push(await work(tx, first[index] as First))
    state = await tx.finish()
    onProgress?.(index + 1)
  }
  return results
}

// Accounts of one batch share their round trips; the limit bounds the memory.
const accountsPerBatch = 25

/** Locks those of the accounts that nobody else has locked, until the transaction ends; returns them. */
export async function lockIfFree(sql: TransactionSql, accounts: AccountId[]): Promise<Set<AccountId>> {
  const rows = await sql<{ account_id: AccountId }[]>`
    select account_id from accounts where account_id = any(${accounts}::integer[]) for no key update skip locked`
  return new Set(rows.map(({ account_id }) => account_id))
}

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
      select revision + 1 as revision, quotas, stored_bytes, moved_at is not null as moved,
        (extract(epoch from greatest(${businessNowInStatement(sql)}, changed_at + interval '1 microsecond')) * 1000000)::bigint
          as microseconds
      from accounts where account_id = wanted.account_id for no key update
    ) locked`,
)
