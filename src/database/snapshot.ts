import { Refusal } from '../contract/refusals.js'
import type { Database, TransactionSql } from './database.js'
import { isCancelled } from './errors.js'

/** Reads from one consistent snapshot. */
export async function readSnapshot<Result>(
  db: Database,
  read: (sql: TransactionSql) => Promise<Result>,
): Promise<Result> {
  return db.begin(read, { mode: 'isolation level repeatable read read only' })
}

// The cost of an as-of read grows with the changes since that time: limit concurrent reads, and the time of each.
const maxConcurrent = 2
const timeout = 10_000

/** Runs an as-of read in a snapshot, with limited concurrency so that other requests keep their connections. */
export async function readPast<Result>(db: Database, read: (sql: TransactionSql) => Promise<Result>): Promise<Result> {
  const release = await acquireSlot(db)
  try {
    return await readSnapshot(db, async (sql) => {
      await sql`select set_config('statement_timeout', ${String(timeout)}, true)`
      return read(sql)
    })
  } catch (error) {
    throw isCancelled(error) ? timedOut() : error
  } finally {
    release()
  }
}

type Queue = { running: number; waiting: (() => void)[] }
const queues = new WeakMap<Database, Queue>()

/** Waits for a free slot; the returned function releases it. */
async function acquireSlot(db: Database): Promise<() => void> {
  const queue = queues.get(db) ?? { running: 0, waiting: [] }
  queues.set(db, queue)
  if (queue.running < maxConcurrent) queue.running += 1
  else await waitInQueue(queue)
  return () => {
    const next = queue.waiting.shift()
    if (next) next()
    else queue.running -= 1
  }
}

async function waitInQueue({ waiting }: Queue): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const enter = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(enter), 1)
      reject(timedOut())
    }, timeout)
    waiting.push(enter)
  })
}

function timedOut(): Refusal {
  return new Refusal('service_unavailable', 'Reading the state at that time takes too long at present; try again.')
}
