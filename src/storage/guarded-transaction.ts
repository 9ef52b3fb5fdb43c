import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Sql, TransactionSql } from './database.js'

/** Transactions that say nothing more when their connection is lost. The driver would send it to somebody else. */

export type Work = (sql: TransactionSql) => unknown
export type Beginning = [work: Work] | [options: string, work: Work]

/** Where it happens: connections of this pool may be on the point of being lost. */
export type Surroundings = { driver: Sql; losing: number }

type Open = { surroundings: Surroundings; isOver: boolean }

export function beginGuarded(surroundings: Surroundings, given: Beginning): Promise<unknown> {
  const [options, work] = given.length === 2 ? given : ['', given[0]]
  const open: Open = { surroundings, isOver: false }
  const outcome = surroundings.driver.begin(options, (sql) => carefully(open, () => work(guarded(sql, open))))
  outcome.catch(() => {
    open.isOver = true
  })
  return outcome
}

// The driver ends a transaction itself, by a commit or a rollback. On a connection that was lost there is nothing to end:
// whoever waits for it has been told, and the driver is not told that the work is done.
async function carefully(open: Open, work: () => unknown): Promise<unknown> {
  try {
    const result = await work()
    if (isDoubtful(open)) await untilKnown(open)
    return open.isOver ? never : result
  } catch (error) {
    // The work may hear of the loss before we do.
    await untilKnown(open)
    if (open.isOver) return never
    throw error
  }
}

const never = new Promise<never>(() => {})

async function untilKnown({ surroundings }: Open): Promise<void> {
  do await nextTurn()
  while (surroundings.losing > 0)
}

function guarded(sql: TransactionSql, open: Open): TransactionSql {
  const call = (...given: Parameters<TransactionSql>) => {
    refuseDoubtful(open)
    return sql(...given)
  }
  return Object.assign(call, sql, {
    unsafe(...given: Parameters<TransactionSql['unsafe']>) {
      refuseDoubtful(open)
      return sql.unsafe(...given)
    },
    savepoint(...given: Beginning) {
      refuseDoubtful(open)
      const work = given.at(-1) as Work
      const inner = (point: TransactionSql) => carefully(open, () => work(guarded(point, open)))
      return given.length === 2 ? sql.savepoint(given[0], inner) : sql.savepoint(inner)
    },
  })
}

// While a connection of the pool is being lost, those who act are those who were on it, but for a rare bystander.
function isDoubtful({ surroundings, isOver }: Open): boolean {
  return isOver || surroundings.losing > 0
}

function refuseDoubtful(open: Open): void {
  if (isDoubtful(open)) throw Object.assign(new Error('the connection was lost'), { code: 'CONNECTION_CLOSED' })
}
