import { setTimeout as sleep } from 'node:timers/promises'
import { type Database } from '../../src/database/database.js'
import { migrate, migrateWithin, migrations, schemaVersion } from '../../src/database/migrate.js'
import { openFaultyDatabase } from '../database.js'
import type { Part } from '../part.js'

/** Migrations of tables with many rows, while others write to these. */
export function largeTables(): Part {
  return {
    name: 'upgrade:rows',
    async run({ rows = 1_000_000, isShort, folder, log }) {
      const startedAt = performance.now()
      const database = await openFaultyDatabase('postgres', folder)
      const db = await database.open()
      const count = isShort ? 20_000 : rows
      const violations: string[] = []
      const from = migrations.findIndex(({ name }) => name === 'event order')
      await db.begin((tx) => migrateWithin(tx, from), { statementTimeout: 0 })
      await fill(db, count)
      log(`  ${count} rows in each of three tables after ${since(startedAt)}`)

      const migratedAt = performance.now()
      const writers = await Promise.all([1, 2].map(async (number) => writer(await database.open(), number)))
      const alone = await longestOf(writers, () => sleep(isShort ? 500 : 5000))
      const during = await longestOf(writers, () => migrate(db))
      const seconds = (performance.now() - migratedAt) / 1000
      const written = writers.reduce((sum, each) => sum + each.writes(), 0)
      if (during > 1000) violations.push(`a write waited for ${during.toFixed(0)} ms`)
      const [counted] = await db<{ due: number; version: number; valid: boolean }[]>`
        select (select count(*)::int from invoices where due_on is null) as due,
          (select max(version) from schema_migrations where pending is null) as version,
          (select bool_and(indisvalid) from pg_index) as valid`
      if (counted?.due !== 0) violations.push(`${counted?.due} invoices have no due date`)
      if (counted?.version !== schemaVersion || !counted.valid) violations.push('the migration is not complete')
      const stored = await db<{ count: number }[]>`select count(*)::int as count from changes where account_id = 2`
      const lost = written - (stored[0]?.count ?? 0)
      for (const each of writers) await each.end()
      await db.end()
      await database.close()
      return {
        name: 'upgrade:rows',
        detail: `The change log, the identities of events and invoices have ${count} rows each when migrations ${from + 1} to ${schemaVersion} run, while two clients insert into and update these tables all the time.`,
        requests: 0,
        faults: 1,
        acknowledgedWrites: written,
        lost,
        doubled: 0,
        unexpectedFailures: 0,
        leaks: 0,
        seconds: Math.round((performance.now() - startedAt) / 1000),
        figures: [
          ['rows of each table', String(count)],
          ['migrations took', `${seconds.toFixed(1)} s`],
          ['longest write before', `${alone.toFixed(0)} ms`],
          ['longest write during the migrations', `${during.toFixed(0)} ms`],
        ],
        violations,
      }
    },
  }
}

const since = (startedAt: number) => `${((performance.now() - startedAt) / 1000).toFixed(0)} s`

async function fill(db: Database, rows: number): Promise<void> {
  await db`insert into accounts (account_id, slug, name) overriding system value values (1, 'many', 'Many'), (2, 'few', 'Few')`
  const step = 250_000
  for (let first = 1; first <= rows; first += step) {
    const last = Math.min(rows, first + step - 1)
    const rowsOfStep = `generate_series(${first}, ${last}) n`
    await Promise.all([
      db.runAlone(`
        insert into changes (account_id, kind, id, revision, author, what, record)
        select 1, 'location', n::text, n, 'import', 'created', '{"id":1,"name":"Wharf"}' from ${rowsOfStep}`),
      db.runAlone(`
        insert into event_identities (sender, identity, issued_at, content_hash, retracted, message_id)
        select 'carrier', 'event-' || n, now(), md5(n::text), false, n / 10 from ${rowsOfStep}`),
      db.runAlone(`
        insert into invoices (account_id, reference, number, type, status, newest_first, revision, body)
        select 1, 'R-' || n, 'N-' || n, 'invoice', 'due', -n, n, '{"reference":"R","due_date":"2026-01-31","status":"due"}'
        from ${rowsOfStep}`),
    ])
  }
  await db.runAlone('analyze')
}

type Writer = {
  longest: () => number
  writes: () => number
  start: () => void
  rest: () => Promise<void>
  end: () => Promise<void>
}

/** Writes to the tables without a pause, a transaction after the other. */
function writer(db: Database, number: number): Writer {
  let [longest, writes, isOver] = [0, 0, false]
  let working: Promise<void> = Promise.resolve()
  const write = async () => {
    while (!isOver) {
      const startedAt = performance.now()
      writes += 1
      const id = `${number}-${writes}`
      await db.begin(async (tx) => {
        await tx`
          insert into changes (account_id, kind, id, revision, author, what, record)
          values (2, 'location', ${id}, ${writes}, 'import', 'created', '{}')`
        await tx`
          insert into event_identities (sender, identity, issued_at, content_hash, retracted, message_id)
          values ('writer', ${id}, now(), 'hash', false, 1)`
        await tx`update invoices set revision = revision + 1 where account_id = 1 and reference = ${`R-${((writes * 97) % 5000) + number * 5000}`}`
      })
      longest = Math.max(longest, performance.now() - startedAt)
      await sleep(2)
    }
  }
  return {
    longest: () => longest,
    writes: () => writes,
    start() {
      longest = 0
      isOver = false
      working = write()
    },
    async rest() {
      isOver = true
      await working
    },
    end: () => db.end(),
  }
}

/** The longest write while some work is done, in milliseconds. */
async function longestOf(writers: Writer[], work: () => Promise<unknown>): Promise<number> {
  for (const each of writers) each.start()
  await work()
  await Promise.all(writers.map((each) => each.rest()))
  return Math.max(...writers.map((each) => each.longest()))
}
