import { Refusal } from '../contract/refusals.js'
import type { Database, TransactionSql } from './database.js'

/** Reads that are all of one moment, whatever is written meanwhile. */
export async function readSnapshot<Result>(
  db: Database,
  read: (sql: TransactionSql) => Promise<Result>,
): Promise<Result> {
  return (await db.begin('isolation level repeatable read read only', read)) as Result
}

// What was at a time costs the more the more has happened since: so many ask at once, and for so long a query may take.
const mostAtOnce = 2
const patience = 10_000

/** The same for what was at a time: a few at once, so that the connections are left to everybody else. */
export async function readPast<Result>(db: Database, read: (sql: TransactionSql) => Promise<Result>): Promise<Result> {
  const letNextIn = await admission(db)
  try {
    return await readSnapshot(db, async (sql) => {
      await sql`select set_config('statement_timeout', ${String(patience)}, true)`
      return read(sql)
    })
  } catch (error) {
    throw isCancelled(error) ? tooLong() : error
  } finally {
    letNextIn()
  }
}

type Queue = { inside: number; waiting: (() => void)[] }
const queues = new WeakMap<Database, Queue>()

/** Waits until there is room; whoever was let in tells when there is again. */
async function admission(db: Database): Promise<() => void> {
  const queue = queues.get(db) ?? { inside: 0, waiting: [] }
  queues.set(db, queue)
  if (queue.inside < mostAtOnce) queue.inside += 1
  else await turnIn(queue)
  return () => {
    const next = queue.waiting.shift()
    if (next) next()
    else queue.inside -= 1
  }
}

async function turnIn({ waiting }: Queue): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const enter = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(enter), 1)
      reject(tooLong())
    }, patience)
    waiting.push(enter)
  })
}

function isCancelled(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === '57014'
}

function tooLong(): Refusal {
  return new Refusal('service_unavailable', 'To tell what was at that time takes too long at present; try again.')
}
