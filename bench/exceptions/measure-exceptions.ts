import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectStorage } from '../../src/cli/open-storage.js'
import { readSettings } from '../../src/cli/settings.js'
import type { ImportLine } from '../../src/contract/import-line.js'
import { migrate } from '../../src/database/migrate.js'
import { importLines } from '../../src/ingest/lines/import.js'
import { evaluateAccount } from '../../src/usecases/exceptions/run-exceptions.js'
import { cpuSecondsWithDescendants } from '../processes.js'

/**
 * Measures the evaluation of exceptions: the first one of many open shipments, a full pass of the clock in which all of them are
 * due, and how long a change takes to be reflected. `npm run bench:exceptions -- 100000`. With `DATABASE_URL`, on that database, whose
 * CPU time is not measured.
 */

const count = Number(process.argv[2] ?? 10_000)
const hour = 60 * 60 * 1000
const now = Date.now()
const at = (hours: number) => new Date(now + hours * hour).toISOString()

function linesOf(index: number): ImportLine[] {
  const svc_shipment_id = `S${index}`
  const account = 'bench'
  const event = (sequence: number, step: string, code: 'GATE_IN' | 'LOADED' | 'DEPARTED' | 'ARRIVED', hours: number) =>
    ({
      kind: 'tracking_event',
      account,
      data: {
        svc_shipment_id,
        event_id: `e${sequence}`,
        sequence,
        step,
        code,
        status: hours < 0 ? 'actual' : 'estimated',
        date: at(hours),
        issued_at: at(Math.min(hours, -1)),
        ...(code === 'ARRIVED' ? {} : { container_number: 'TGHU7599330' }),
      },
    }) satisfies ImportLine
  return [
    {
      kind: 'shipment',
      account,
      data: {
        svc_shipment_id,
        status: 'in_progress',
        freight_mode: 'ocean',
        desired_delivery_date: at(24 * ((index % 20) - 4)).slice(0, 10),
        cargo: { containers: [{ container_number: 'TGHU7599330' }] },
      },
    },
    {
      kind: 'tracking',
      account,
      data: {
        svc_shipment_id,
        tracking_steps: [
          { id: 'origin', type: 'origin_port', port: { unlocode: 'CN/NGB' } },
          { id: 'hub', type: 'transshipment_port', port: { unlocode: 'SG/SIN' } },
          { id: 'destination', type: 'destination_port', port: { unlocode: 'DE/HAM' } },
          { id: 'door', type: 'delivery' },
        ],
      },
    },
    event(1, 'origin', 'GATE_IN', -480),
    event(2, 'origin', 'LOADED', -470),
    event(3, 'origin', 'DEPARTED', -460),
    event(4, 'hub', 'ARRIVED', -300),
    event(5, 'destination', 'ARRIVED', 24 * (index % 10)),
    {
      kind: 'purchase_order',
      account,
      data: {
        reference: `PO${index}`,
        desired_delivery_date: at(24 * ((index % 20) - 4)).slice(0, 10),
        product_lines: [{ reference: '1', ordered_quantity: 10, product: { sku: `SKU-${index % 500}` } }],
      },
    },
    {
      kind: 'assignment',
      account,
      data: { reference: `PO${index}`, line: '1', svc_shipment_id, assigned_quantity: 10 },
    },
  ]
}

async function* content(): AsyncGenerator<Buffer> {
  yield Buffer.from(`${JSON.stringify({ kind: 'account', account: 'bench', data: { name: 'Bench' } })}\n`)
  for (let index = 0; index < count; index += 1) {
    yield Buffer.from(
      linesOf(index)
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    )
  }
}

async function timed<Result>(label: string, work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  const databaseBefore = databaseCpu()
  const result = await work()
  const seconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(before)
  // On a busy machine it says more than the time that has passed.
  const cpu = (user + system) / 1_000_000
  const database = databaseCpu() - databaseBefore
  const memory = Math.round(process.memoryUsage().rss / 1024 / 1024)
  console.log(
    `${label}: ${seconds.toFixed(1)} s (CPU: ${cpu.toFixed(1)} s here, ${database.toFixed(1)} s of PostgreSQL; ${memory} MB)`,
  )
  return result
}

const folder = await mkdtemp(join(tmpdir(), 'waybill-exceptions-'))
const { DATABASE_URL } = process.env
const storage = await connectStorage(
  readSettings({ WAYBILL_DATA_DIR: folder, ...(DATABASE_URL !== undefined && { DATABASE_URL }) }),
)
const pidFile = await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
const postmaster = Number(pidFile.split('\n')[0])
const databaseCpu = () => (postmaster > 0 ? cpuSecondsWithDescendants([postmaster]) : 0)
await migrate(storage.db)
const onFault = (fault: unknown) => {
  throw new Error(JSON.stringify(fault))
}
const options = { folder, skipInvalid: false, author: 'bench', onFault }
await timed(`import of ${count} open shipments`, () => importLines(storage, content(), options))
const [account] = await storage.db<{ id: number }[]>`
  select account_id as id from accounts where slug = 'bench'`
const id = account?.id ?? 0
await storage.db`analyze`
await timed('first evaluation', () => evaluateAccount(storage.db, id, now))
const due = new Date(now)
await storage.db`update exception_watches set check_at = ${due} where account_id = ${id}`
await timed('full pass of the clock, nothing changes', () => evaluateAccount(storage.db, id, now))
await timed('full pass of the clock, a week later', () => evaluateAccount(storage.db, id, now + 7 * 24 * hour))
const [last] = linesOf(count - 1).slice(-3, -2)
const moved = {
  ...last,
  data: { ...(last?.data as object), event_id: 'moved', sequence: 6, date: at(2400), issued_at: at(0) },
}
await importLines(storage, [Buffer.from(`${JSON.stringify(moved)}\n`)] as never, options)
await timed('one change', () => evaluateAccount(storage.db, id, now + 7 * 24 * hour))
const rows = await storage.db<{ kind: string; count: number }[]>`
  select kind, count(*)::integer as count from exceptions where account_id = ${id} and state <> 'closed' group by kind order by kind`
console.log(rows.map((row) => `${row.kind} ${row.count}`).join(', '))
await storage.close()
await rm(folder, { recursive: true, force: true })
