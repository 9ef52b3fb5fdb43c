import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { migrate } from '../../src/database/migrate.js'
import { createOperatorWithKey } from '../../src/usecases/accounts/create-operator.js'
import { finishBackgroundWork } from '../background-work.js'
import { type DatabaseServer, openDatabaseServer, urlOf } from '../database-server.js'
import { cpuSecondsWithDescendants, residentBytes } from '../processes.js'
import { type Parts, printShares } from '../profile-shares.js'
import { statementTable } from '../statement-table.js'
import { grouped, megabytes } from '../summary.js'
import { runImport, writeLines } from '../waybill-program.js'
import { waybillServer } from '../waybill-server.js'
import { eventOf, eventsOfShipment, linesOf, shipmentsOf } from './data.js'

/** `npm run bench:events`: how many events of carriers the built program takes in per second, over HTTP. */

const usage = `npm run bench:events -- [options]
  --shipments N   default: 10000
  --accounts N    default: 200
  --seconds N     default: 60
  --senders N     carriers that send at the same time, each one message after the other; default: 8
  --events N      in each message; default: 10
  --workers N     processes of the server; default: 1
  --profile       the share of each part, from a CPU profile: the rate is lower meanwhile`

const parts: Parts = [
  ['read the message', /domain\/messages\/(dcsa|event-time|own-events|incoming-event)/],
  ['match it', /domain\/messages\/(matching|references|event-step)|store\/shipment-references/],
  [
    'apply and derive',
    /domain\/(tracking|shipments)|ledger\/(derive|whole-tracking)|usecases\/(messages\/(apply-events|event-plan)|tracking)/,
  ],
  ['receive and store it', /usecases\/messages|store\/messages|^api\//],
  ['write', /^(ledger|database|store)\//],
]

const { values } = parseArgs({
  options: {
    shipments: { type: 'string', default: '10000' },
    accounts: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '60' },
    senders: { type: 'string', default: '8' },
    events: { type: 'string', default: '10' },
    workers: { type: 'string', default: '1' },
    profile: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(usage)
else await run()

async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-bench-events-'))
  const server = await openDatabaseServer(join(folder, 'data'))
  try {
    await measure(folder, server)
  } finally {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(folder: string, server: DatabaseServer): Promise<void> {
  const [shipments, accounts] = [Number(values.shipments), Number(values.accounts)]
  const all = shipmentsOf(accounts, shipments)
  await server.create('events')
  const db = server.open('events', 1)
  await migrate(db)
  await writeLines(join(folder, 'lines.ndjson'), linesOf(all))
  await runImport(join(folder, 'lines.ndjson'), { databaseUrl: urlOf(server.place('events')), dataFolder: folder })
  const { key } = await createOperatorWithKey(db, { name: 'Carriers', role: 'operations' })
  await finishBackgroundWork(db)
  await db`vacuum analyze`
  await db.end()
  console.log(`${grouped(shipments)} shipments of ${accounts} accounts are there`)

  const nodeFlags = values.profile ? ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=500'] : []
  const running = await waybillServer({ cache: true, workers: Number(values.workers), nodeFlags }).start(
    server.place('events'),
  )
  await server.resetCounts()
  const before = { cpu: cpuSecondsWithDescendants(running.pids), database: server.cpuSeconds() }
  const counted = await sendAll(running.url, key, running.pids, all)
  const cpu = cpuSecondsWithDescendants(running.pids) - before.cpu
  const database = server.cpuSeconds() - before.database
  await running.stop()
  const perEvent = (seconds: number) => `${((seconds / counted.events) * 1e6).toFixed(0)} µs`
  console.log(`
${grouped(counted.events)} events in ${counted.seconds.toFixed(1)} s: ${grouped(Math.round(counted.events / counted.seconds))} a second; ${counted.wrong} messages were not applied
CPU of each event: ${perEvent(cpu)} in Waybill, ${perEvent(database)} in PostgreSQL`)
  if (!values.profile) return
  await printShares(folder, parts)
  console.log(
    `\nStatements of each event:\n${statementTable(await server.slowestStatements('events', 30), counted.events)}`,
  )
}

type Counted = { events: number; seconds: number; wrong: number }

/** Each sender sends what it knows of its shipments: all of the first, then the next of all, in the order of the story. */
async function sendAll(
  url: string,
  key: string,
  pids: number[],
  all: ReturnType<typeof shipmentsOf>,
): Promise<Counted> {
  const [senders, size, seconds] = [Number(values.senders), Number(values.events), Number(values.seconds)]
  const started = performance.now()
  const elapsed = () => (performance.now() - started) / 1000
  const counted: Counted = { events: 0, seconds: 0, wrong: 0 }
  let reported = 0
  const report = setInterval(() => {
    const rate = Math.round((counted.events - reported) / 5)
    reported = counted.events
    console.log(
      `${elapsed().toFixed(0).padStart(4)} s: ${grouped(rate)} events a second, ${megabytes(residentBytes(pids))} MB`,
    )
  }, 5000)
  await Promise.all(
    Array.from({ length: senders }, async (_, sender) => {
      const own = all.filter((_each, index) => index % senders === sender)
      for (let number = 0; number < eventsOfShipment; number++) {
        for (let from = 0; from < own.length && elapsed() < seconds; from += size) {
          const events = own.slice(from, from + size).map((shipment) => eventOf(shipment, number))
          const response = await fetch(`${url}/ops/v1/messages?format=dcsa&sender=LINE${sender}`, {
            method: 'POST',
            headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
            body: JSON.stringify(events),
          })
          const { outcome } = (await response.json()) as { outcome?: string }
          if (outcome !== 'applied') counted.wrong++
          counted.events += events.length
        }
      }
    }),
  )
  clearInterval(report)
  return { ...counted, seconds: elapsed() }
}
