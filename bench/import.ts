import { fork } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { generateLines } from '../src/sandbox/generate.js'
import { type Database, openDatabase } from '../src/storage/database.js'
import { openEmbeddedDatabase } from '../src/storage/embedded/embedded-database.js'
import { migrate } from '../src/storage/migrate.js'
import { administer, withDatabase } from '../test/support/database.js'
import type { Measured } from './measured.js'

/**
 * How fast an import is, beside what the database itself needs: plain inserts, 500 rows at a time, of the very rows
 * that the import comes to, ready-made, into the same tables with the same indexes, in one transaction. Both run in
 * a process and a database of their own, in turns. `DATABASE_URL` names another PostgreSQL than the embedded one.
 */

const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '3' },
    documents: { type: 'boolean', default: false },
  },
})
const lineCount = Number(values.lines)
const tables = [
  'accounts',
  'locations',
  'purchase_orders',
  'assignments',
  'tracking',
  'invoices',
  'documents',
  'shipments',
  'changes',
]

const folder = await mkdtemp(join(tmpdir(), 'waybill-bench-'))
const embedded = process.env.DATABASE_URL === undefined ? await openEmbeddedDatabase(folder) : undefined
const serverUrl = process.env.DATABASE_URL ?? urlOf(embedded?.address)
const databases: string[] = []
try {
  await run()
} finally {
  for (const name of databases) await administer(serverUrl, `drop database if exists ${name} with (force)`)
  await embedded?.release()
  await rm(folder, { recursive: true, force: true })
}

async function run(): Promise<void> {
  const file = await writeLines('lines.ndjson', lineCount)
  const fewer = await writeLines('fewer.ndjson', Math.ceil(lineCount / 10))
  const migrated = await newDatabase('migrated')
  await withDatabaseOpen(migrated, migrate)
  const rows = await writeRows(file, migrated)

  const imports: Measured[] = []
  const inserts: Measured[] = []
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    inserts.push(await measure('plain-inserts.ts', rows, migrated))
    imports.push(await measure('one-import.ts', file, migrated))
  }
  const few = await measure('one-import.ts', fewer, migrated)

  const plain = median(inserts.map(({ seconds }) => seconds))
  const imported = median(imports.map(({ seconds }) => seconds))
  console.log(`${lineCount} lines, ${megabytes((await stat(file)).size)}; median of ${values.rounds} rounds`)
  console.log(`plain inserts  ${rate(plain)}  ${peak(inserts)}`)
  console.log(`import         ${rate(imported)}  ${peak(imports)}; ${peak([few])} for a tenth of the lines`)
  console.log(`ratio          ${(plain / imported).toFixed(2)} (rounds: ${imports.map(roundRatio).join(', ')})`)

  function roundRatio({ seconds }: Measured, round: number): string {
    return ((inserts[round]?.seconds ?? 0) / seconds).toFixed(2)
  }
}

async function writeLines(name: string, count: number): Promise<string> {
  const path = join(folder, name)
  await pipeline(function* () {
    let written = 0
    const options = { accounts: 1_000_000, shipments: 5000, seed: 'bench', today: '2026-03-01' }
    for (const line of generateLines({ ...options, documents: values.documents })) {
      yield `${JSON.stringify(line)}\n`
      written += 1
      if (written === count) return
    }
  }, createWriteStream(path))
  return path
}

/** The rows that the import comes to, a line each, in the order of their tables. */
async function writeRows(file: string, migrated: string): Promise<string> {
  const path = join(folder, 'rows.ndjson')
  const database = await newDatabase('rows', migrated)
  await inProcess('one-import.ts', file, database)
  await withDatabaseOpen(database, (db) =>
    pipeline(async function* () {
      for (const table of tables) {
        const cursor = db<{ row: string }[]>`select to_json(stored)::text as row from ${db(table)} as stored`.cursor(
          500,
        )
        for await (const batch of cursor) yield batch.map(({ row }) => `${table}\t${row}\n`).join('')
      }
    }, createWriteStream(path)),
  )
  return path
}

async function measure(script: string, file: string, migrated: string): Promise<Measured> {
  const database = await newDatabase('round', migrated)
  // Nobody pays for what was written before.
  await administer(serverUrl, 'checkpoint')
  const measured = await inProcess(script, file, database)
  const stored = await withDatabaseOpen(database, weigh)
  await administer(serverUrl, `drop database ${database} with (force)`)
  console.log(`${script}: ${measured.seconds.toFixed(1)} s, ${megabytes(measured.peakBytes)} of memory; ${stored}`)
  return measured
}

// Whoever compares must see that both have written the same.
async function weigh(db: Database): Promise<string> {
  let rows = 0
  let bytes = 0
  for (const table of tables) {
    const [found] = await db<{ rows: number; bytes: number }[]>`
      select count(*) as rows, pg_total_relation_size(${table}) as bytes from ${db(table)}`
    rows += found?.rows ?? 0
    bytes += found?.bytes ?? 0
  }
  return `${rows} rows, ${megabytes(bytes)} with indexes`
}

async function newDatabase(name: string, template?: string): Promise<string> {
  const database = `waybill_bench_${name}_${process.pid}`
  if (!databases.includes(database)) databases.push(database)
  await administer(serverUrl, `create database ${database}${template ? ` template ${template}` : ''}`)
  return database
}

async function withDatabaseOpen<Result>(database: string, work: (db: Database) => Promise<Result>): Promise<Result> {
  const db = openDatabase({ url: withDatabase(serverUrl, database) }, { connections: 1 })
  try {
    return await work(db)
  } finally {
    await db.end()
  }
}

function inProcess(script: string, file: string, database: string): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, script), [file, withDatabase(serverUrl, database)], {
      execArgv: ['--import', 'tsx'],
    })
    let measured: Measured | undefined
    child.on('message', (message) => {
      measured = message as Measured
    })
    child.on('exit', (code) => {
      if (code === 0 && measured) resolve(measured)
      else reject(new Error(`${script} ended with ${code}`))
    })
  })
}

function rate(seconds: number): string {
  return `${seconds.toFixed(1)} s, ${Math.round(lineCount / seconds)} lines a second`
}

function peak(measured: Measured[]): string {
  return `${megabytes(Math.max(...measured.map(({ peakBytes }) => peakBytes)))} at most`
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`
}

function median(numbers: number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] as number
}

function urlOf(address: Awaited<ReturnType<typeof openEmbeddedDatabase>>['address'] | undefined): string {
  if (!address || 'url' in address) throw new Error('the embedded database has a socket')
  return `postgres://${address.user}@localhost/postgres?host=${encodeURIComponent(address.socketFolder)}`
}
