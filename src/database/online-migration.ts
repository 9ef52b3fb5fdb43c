import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from './database.js'

/** What a migration does while other processes read and write: no step makes them wait for more than about half a second. */

// Who waits for a lock on a table makes others wait, too: rather give up and try again.
const lockTimeout = 500
const mostAttempts = 600
const lockNotAvailable = '55P03'
const deadlock = '40P01'

/** Runs a short transaction that locks tables; it is repeated while others hold them. */
export async function retryLocks<Result>(
  work: (options: { lockTimeout: number; statementTimeout: 0 }) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work({ lockTimeout, statementTimeout: 0 })
    } catch (error) {
      const { code } = error as { code?: string }
      if ((code !== lockNotAvailable && code !== deadlock) || attempt === mostAttempts) throw error
      // Those who waited meanwhile go first.
      await sleep(1000)
    }
  }
}

/** Completes what migrations have left for after their transactions, also those of a process that ended before. */
export async function completeMigrations(db: Database): Promise<void> {
  for (;;) {
    const [row] = await db<{ version: number; statement: string }[]>`
      select version, pending[1] as statement from schema_migrations
      where cardinality(pending) > 0 order by version limit 1`
    if (row === undefined) return
    await completeStatement(db, row.statement)
    await db`update schema_migrations set pending = nullif(pending[2:], '{}') where version = ${row.version}`
  }
}

async function completeStatement(db: Database, statement: string): Promise<void> {
  const [, unique = '', name = ''] = /^create (unique )?index (\w+)/i.exec(statement) ?? []
  if (name !== '') {
    await retryLocks(async () => {
      if (await isIndexValid(db, name)) return
      await db.runAlone(`drop index concurrently if exists ${name}`)
      await db.runAlone(`create ${unique}index concurrently ${statement.slice(statement.indexOf(name))}`)
    })
  } else if (/^drop index /i.test(statement)) {
    await retryLocks(() =>
      db.runAlone(statement.replace(/^drop index (?:if exists )?/i, 'drop index concurrently if exists ')),
    )
  } else await updateInBatches(db, statement)
}

/** A build that was interrupted, or a duplicate, leaves an invalid index. */
async function isIndexValid(db: Database, name: string): Promise<boolean> {
  const [row] = await db<{ indisvalid: boolean }[]>`
    select indisvalid from pg_index where indexrelid = to_regclass(${name})`
  return row?.indisvalid ?? false
}

const pagesOfBatch = 200

/**
 * Changes rows some pages at a time, so that nobody waits for a row for long. Rows that others move meanwhile are found by another
 * pass; the condition of the statement is no longer true for a row that it has changed.
 */
async function updateInBatches(db: Database, statement: string): Promise<void> {
  const table = /^update (\w+)/i.exec(statement)?.[1] ?? ''
  for (let pass = 1, changed = 1; changed > 0 && pass <= 3; pass += 1) {
    changed = 0
    for (let page = 0; page < (await countPages(db, table)); page += pagesOfBatch) {
      const rows = (await db.runAlone(
        `with changed as (${statement} and ctid >= '(${page},0)' and ctid < '(${page + pagesOfBatch},0)' returning 1)
        select count(*)::int as count from changed`,
      )) as { count: number }[]
      changed += rows[0]?.count ?? 0
    }
  }
}

async function countPages(db: Database, table: string): Promise<number> {
  const [row] = await db<{ pages: number }[]>`
    select pg_relation_size(${table}::regclass) / current_setting('block_size')::int as pages`
  return row?.pages ?? 0
}
