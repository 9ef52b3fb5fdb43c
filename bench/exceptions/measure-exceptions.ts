import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connectStorage } from '../../src/cli/open-storage.js'
import { readSettings } from '../../src/cli/settings.js'
import { migrate } from '../../src/database/migrate.js'
import { importLines } from '../../src/ingest/lines/import.js'
import { evaluateAccount } from '../../src/usecases/exceptions/run-exceptions.js'
import { cpuSecondsWithDescendants } from '../processes.js'
import { measureChanges } from './changes-during-pass.js'
import { importOf, type OpenShipments } from './open-shipments.js'

/**
 * Measures the evaluation of exceptions: the first one of many open shipments, full passes of the clock in which all of them are
 * due, and how long changes take to be reflected while such a pass is running. `npm run bench:exceptions -- 100000 --accounts 200`.
 * With `DATABASE_URL`, on that database, whose CPU time is not measured.
 */

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { accounts: { type: 'string', default: '1' } },
})
const shipments: OpenShipments = {
  count: Number(positionals[0] ?? 10_000),
  accounts: Number(values.accounts),
  now: Date.now(),
}
const day = 24 * 60 * 60 * 1000

async function timed(label: string, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  const databaseBefore = databaseCpu()
  await work()
  const seconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(before)
  // On a busy machine it says more than the time that has passed.
  const cpu = (user + system) / 1_000_000
  const database = databaseCpu() - databaseBefore
  const memory = Math.round(process.memoryUsage().rss / 1024 / 1024)
  console.log(
    `${label}: ${seconds.toFixed(1)} s (CPU: ${cpu.toFixed(1)} s here, ${database.toFixed(1)} s of PostgreSQL; ${memory} MB)`,
  )
}

const folder = await mkdtemp(join(tmpdir(), 'waybill-exceptions-'))
const { DATABASE_URL } = process.env
const storage = await connectStorage(
  readSettings({ WAYBILL_DATA_DIR: folder, ...(DATABASE_URL !== undefined && { DATABASE_URL }) }),
)
const { db } = storage
const pidFile = await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
const postmaster = Number(pidFile.split('\n')[0])
const databaseCpu = () => (postmaster > 0 ? cpuSecondsWithDescendants([postmaster]) : 0)
await migrate(db)

const importOptions = {
  folder,
  skipInvalid: false,
  author: 'bench',
  onFault(fault: unknown) {
    throw new Error(JSON.stringify(fault))
  },
}
const size = `${shipments.count} open shipments in ${shipments.accounts} accounts`
await timed(`import of ${size}`, () => importLines(storage, importOf(shipments), importOptions))
const accounts = await db<{ id: number }[]>`select account_id as id from accounts where slug like 'bench-%' order by 1`
await db`analyze`

async function evaluateAll(at: number): Promise<void> {
  for (const { id } of accounts) await evaluateAccount(db, id, at)
}

async function makeAllDue(): Promise<void> {
  await db`update exception_watches set check_at = ${new Date(shipments.now)}`
}

const weekLater = shipments.now + 7 * day
await timed('first evaluation', () => evaluateAll(shipments.now))
await makeAllDue()
await timed('full pass of the clock, nothing changes', () => evaluateAll(shipments.now))
await timed('full pass of the clock, a week later', () => evaluateAll(weekLater))
await makeAllDue()
await timed('full pass of the clock, with a change about every second', () =>
  measureChanges(storage, importOptions, shipments, weekLater),
)
const rows = await db<{ kind: string; count: number }[]>`
  select kind, count(*)::integer as count from exceptions where state <> 'closed' group by kind order by kind`
console.log(rows.map((row) => `${row.kind} ${row.count}`).join(', '))
await storage.close()
await rm(folder, { recursive: true, force: true })
