import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { migrate } from '../../src/database/migrate.js'
import { createOperatorWithKey } from '../../src/usecases/accounts/create-operator.js'
import { type DatabaseServer, openDatabaseServer } from '../database-server.js'
import { cpuSecondsWithDescendants, freePort, residentBytes, startProgram } from '../processes.js'
import { type Parts, printShares } from '../profile-shares.js'
import { statementTable } from '../statement-table.js'
import { grouped, megabytes } from '../summary.js'
import { waybillServer } from '../waybill-server.js'

/** `npm run bench:webhooks`: how many deliveries the built program sends per second, beside the writes that cause them. */

const usage = `npm run bench:webhooks -- [options]
  --accounts N    default: 20
  --endpoints N   of all accounts together; default: 200
  --orders N      that each account creates; default: 50
  --slow N        endpoints more that respond after 10 s; default: 5
  --dead N        endpoints more that never respond; default: 5
  --workers N     processes of the server; default: 1
  --profile       the share of each part and the statements of a delivery: the rate is lower meanwhile`

const parts: Parts = [
  ['send requests', /usecases\/(webhooks\/(webhook-request|signature)|outgoing)/],
  ['read events', /usecases\/events|ledger\/changes/],
  ['lease and save', /store\/webhook/],
  ['turns', /usecases\/webhooks/],
  ['create orders', /^(api|ledger)\/|usecases\/purchase-orders/],
  ['database', /^database\//],
]

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '20' },
    endpoints: { type: 'string', default: '200' },
    orders: { type: 'string', default: '50' },
    slow: { type: 'string', default: '5' },
    dead: { type: 'string', default: '5' },
    workers: { type: 'string', default: '1' },
    profile: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(usage)
else await run()

async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-bench-webhooks-'))
  const server = await openDatabaseServer(join(folder, 'data'))
  try {
    await measure(folder, server)
  } finally {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

type Counts = { events: number; repeated: number; least: number; last: number }

async function measure(folder: string, server: DatabaseServer): Promise<void> {
  await server.create('webhooks')
  const db = server.open('webhooks', 1)
  await migrate(db)
  const operator = await createOperatorWithKey(db, { name: 'Forwarder', role: 'admin' })
  await db.end()
  const port = await freePort()
  const receiver = await startProgram({
    name: 'the receiver',
    command: [process.execPath, '--import', 'tsx', join(import.meta.dirname, 'receiver-program.ts')],
    environment: { PORT: String(port) },
    port,
    readyPath: '/counts',
  })
  const environment = { WAYBILL_WEBHOOK_PRIVATE_NETWORKS: 'on' }
  const nodeFlags = values.profile ? ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=500'] : []
  const waybill = waybillServer({ cache: true, workers: Number(values.workers), environment, nodeFlags })
  const running = await waybill.start(server.place('webhooks'))
  const send = async (key: string, path: string, body: object) => {
    const response = await fetch(`${running.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as { key?: string }
  }
  const keys: string[] = []
  for (let number = 0; number < Number(values.accounts); number++) {
    const slug = `shipper-${number}`
    await send(operator.key, '/ops/v1/accounts', { slug, name: `Shipper ${number}` })
    const { key = '' } = await send(operator.key, `/ops/v1/accounts/${slug}/keys`, { name: 'Orders' })
    keys.push(key)
  }
  for (const kind of ['fast', 'slow', 'dead'] as const) {
    const count = Number(kind === 'fast' ? values.endpoints : values[kind])
    for (let number = 0; number < count; number++) {
      const url = `http://127.0.0.1:${port}/${kind}/${number}`
      await send(keys[number % keys.length] as string, '/v1/webhooks', { url, types: ['purchase_order.created'] })
    }
  }
  const orders = Number(values.orders)
  const expected = Number(values.endpoints) * orders
  console.log(
    `${values.endpoints} endpoints of ${keys.length} accounts, ${values.slow} slow and ${values.dead} dead ones`,
  )

  await server.resetCounts()
  const before = { cpu: cpuSecondsWithDescendants(running.pids), database: server.cpuSeconds() }
  const started = Date.now()
  await Promise.all(
    keys.map(async (key) => {
      for (let number = 0; number < orders; number++) await send(key, '/v1/purchaseOrders', orderOf(number))
    }),
  )
  const written = Date.now()
  let counts: Counts
  do {
    await sleep(500)
    counts = (await (await fetch(`http://127.0.0.1:${port}/counts`)).json()) as Counts
  } while (counts.events < expected && Date.now() - counts.last < 60_000)
  const seconds = (counts.last - started) / 1000
  const cpu = cpuSecondsWithDescendants(running.pids) - before.cpu
  const database = server.cpuSeconds() - before.database
  const memory = residentBytes(running.pids)
  await running.stop()
  await receiver.stop()
  const each = (sum: number) => `${((sum / counts.events) * 1e6).toFixed(0)} µs`
  console.log(`${grouped(counts.events)} of ${grouped(expected)} deliveries in ${seconds.toFixed(1)} s: ${grouped(Math.round(counts.events / seconds))} a second, beside ${grouped(keys.length * orders)} orders in ${((written - started) / 1000).toFixed(1)} s
${counts.repeated} repeated; the endpoint with the fewest has ${counts.least} of ${orders}
CPU of each delivery, with its share of the orders: ${each(cpu)} in Waybill, ${each(database)} in PostgreSQL; ${megabytes(memory)} MB`)
  if (!values.profile) return
  await printShares(folder, parts)
  console.log(
    `\nStatements of each delivery:\n${statementTable(await server.slowestStatements('webhooks', 20), counts.events)}`,
  )
}

function orderOf(number: number): object {
  return {
    reference: `PO-${number}`,
    product_lines: [{ reference: '10', product: { sku: 'A' }, ordered_quantity: 10 }],
  }
}
