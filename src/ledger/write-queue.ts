import { Refusal } from '../contract/refusals.js'
import type { AccountId } from '../database/account-id.js'
import type { Database, TransactionSql } from '../database/database.js'
import { isUnreachable } from '../database/errors.js'

// How long (ms) a write waits for other writes to the account, such as an import, before it is refused.
const maxWait = 5000

// So many writes share a transaction at most: the first one is answered together with the last.
const maxShared = 16

type Write = {
  run(sql: TransactionSql): Promise<unknown>
  resolve(result: unknown): void
  reject(reason: unknown): void
  deadline: number
  /** Refuses a write that waits too long. */
  timer?: NodeJS.Timeout
}

/** The writes of one account that wait while a transaction of the account is open. */
const queues = new WeakMap<Database, Map<AccountId, Write[]>>()

/**
 * Runs the writes of one account one after the other, on one connection. Those that arrive while a transaction is open share
 * the next one, each behind a savepoint: the account is locked, and the database waits for its disk, once for all of them.
 */
export async function inTurn<Result>(
  db: Database,
  account: AccountId,
  run: (sql: TransactionSql) => Promise<Result>,
): Promise<Result> {
  const accounts = queues.get(db) ?? new Map<AccountId, Write[]>()
  queues.set(db, accounts)
  return new Promise<Result>((resolve, reject) => {
    const write: Write = { run, resolve, reject, deadline: performance.now() + maxWait }
    const waiting = accounts.get(account)
    if (waiting) {
      write.timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(write), 1)
        reject(busy())
      }, maxWait)
      waiting.push(write)
      return
    }
    const queue = [write]
    accounts.set(account, queue)
    void runAll(db, queue, () => accounts.delete(account))
  })
}

async function runAll(db: Database, queue: Write[], onEmpty: () => void): Promise<void> {
  while (queue.length > 0) await runNext(db, queue)
  onEmpty()
}

/** Runs the first writes of the queue in one transaction. They settle when it has ended. */
async function runNext(db: Database, queue: Write[]): Promise<void> {
  const writes = queue.splice(0, maxShared) as [Write, ...Write[]]
  for (const { timer } of writes) clearTimeout(timer)
  const [first] = writes
  const settle: (() => void)[] = []
  const work = async (sql: TransactionSql) => {
    if (writes.length === 1) settle.push(await resultOf(first, sql))
    else for (const write of writes) settle.push(await outcomeOf(write, sql))
  }
  try {
    await db.begin(work, { lockTimeout: Math.max(1, Math.ceil(first.deadline - performance.now())) })
  } catch (error) {
    for (const { reject } of writes) reject(error)
    return
  }
  for (const each of settle) each()
}

async function resultOf(write: Write, sql: TransactionSql): Promise<() => void> {
  const result = await write.run(sql)
  return () => write.resolve(result)
}

/** A write that fails does not concern the others, unless the account is locked or the connection is lost. */
async function outcomeOf(write: Write, sql: TransactionSql): Promise<() => void> {
  try {
    return await sql.savepoint((inner) => resultOf(write, inner))
  } catch (error) {
    if (isUnreachable(error)) throw error
    return () => write.reject(error)
  }
}

function busy(): Refusal {
  return new Refusal('service_unavailable', 'The account is being written to; try again.')
}
