import type { Database, TransactionSql } from './database.js'

/** How a pool stands. Its connections are the driver's own affair, but transactions are seen to come and go. */
export type Pool = {
  /** So many connections at most. */
  limit: number
  /** Transactions that have a connection to themselves, and those that wait for one. */
  running: number
  waiting: number
}

type Work = (sql: TransactionSql) => unknown

const pools = new WeakMap<object, Pool>()

/** From here on its transactions are counted. */
export function followTransactions(db: Database, limit: number): Database {
  const pool: Pool = { limit, running: 0, waiting: 0 }
  const begin = db.begin as (options: string, work: Work) => Promise<unknown>

  async function beginFollowed(...given: [Work] | [string, Work]): Promise<unknown> {
    const [options, work] = given.length === 2 ? given : ['', given[0]]
    let hasBegun = false
    pool.waiting += 1
    try {
      return await begin(options, (sql) => {
        hasBegun = true
        pool.waiting -= 1
        pool.running += 1
        return work(sql)
      })
    } finally {
      if (hasBegun) pool.running -= 1
      else pool.waiting -= 1
    }
  }

  Object.assign(db, { begin: beginFollowed })
  pools.set(beginFollowed, pool)
  return db
}

/** Found by what is counted with, so that somebody who has put something before the database finds it as well. */
export function poolOf(db: Database): Pool {
  const pool = pools.get(db.begin)
  if (!pool) throw new Error('the transactions of this database are not followed')
  return pool
}
