import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { migrate } from '../src/storage/migrate.js'
import type { Running } from './contender.js'
import type { DatabaseServer } from './database-server.js'
import { createAccounts, type DataAccount } from './dataset.js'
import { fillOrders, fillShipments, setDownPatterns } from './dataset-rows.js'
import { autocannonGenerator } from './load/autocannon.js'
import { findWrk } from './load/wrk.js'
import { describeCommit } from './machine.js'
import { type Bench, measure, type Prepared, prepareLoad } from './measure.js'
import type { Options } from './options.js'
import type { Growth, GrowthMeasurement } from './results.js'
import { readSlowly } from './slow-client.js'
import { waybillContender } from './waybill.js'
import { drawWishes, workloadNamed } from './workloads.js'

/** What a request costs with more and more shipments, spread over accounts and in one of them. */

const workloadNames = ['one shipment', 'list of 10', 'update an order']
const sizesInFull = [10_000, 100_000, 1_000_000]
const sizesIfQuick = [1000, 10_000]
const connections = 8

type Grown = {
  spread: GrowthMeasurement['spread']
  shipments: number
  database: string
  accounts: DataAccount[]
}

export async function measureGrowth(options: Options, server: DatabaseServer, folder: string): Promise<Growth> {
  const grown: Grown[] = []
  for (const shipments of options.isQuick ? sizesIfQuick : sizesInFull) {
    for (const spread of ['many accounts', 'one account'] as const) grown.push(await grow(server, spread, shipments))
  }
  const requests = join(folder, 'requests')
  await mkdir(requests, { recursive: true })
  const { seconds, warmUpSeconds, mostSeconds } = options
  const generator = (await findWrk()) ?? autocannonGenerator
  const bench = { server, generator, folder: requests, seconds, warmUpSeconds, mostSeconds, connections }
  const measurements = await measureInTurns(bench, grown, options.rounds)
  const slowClient = await readSlowly(server, options.isQuick ? 10_000 : 100_000)
  for (const { database } of grown) await server.drop(database)
  await rm(requests, { recursive: true, force: true })
  return { date: new Date().toISOString(), commit: describeCommit(), connections, measurements, slowClient }
}

/** 200 shipments an account, or all in one; and some orders in each. */
async function grow(server: DatabaseServer, spread: Grown['spread'], shipments: number): Promise<Grown> {
  const database = `grown_${spread.replace(' ', '_')}_${shipments}`
  await server.drop(database)
  await server.create(database)
  const db = server.open(database, 1)
  try {
    await migrate(db)
    const count = spread === 'one account' ? 1 : Math.ceil(shipments / 200)
    const created = await createAccounts(db, count)
    await setDownPatterns(db, server)
    const shipmentShares = created.map(({ account_id }) => ({ account_id, count: Math.round(shipments / count) }))
    // Statements of a size that needs no disk for its sorting.
    for (let from = 0; from < count; from += 500) await fillShipments(db, shipmentShares.slice(from, from + 500))
    await fillOrders(
      db,
      created.map(({ account_id }) => ({ account_id, count: spread === 'one account' ? 1000 : 20 })),
    )
    await db`vacuum analyze`
    const accounts = await Promise.all(
      created.map(async (account) => ({ ...account, ...(await idsOf(account.account_id)) })),
    )
    console.log(`${shipments} shipments in ${spread}`)
    return { spread, shipments, database, accounts }
  } finally {
    await db.end()
    await server.settle()
  }

  async function idsOf(account: number): Promise<{ shipments: string[]; orders: string[] }> {
    const [row] = await db<{ shipments: string[]; orders: string[] }[]>`
      select (select array_agg(svc_shipment_id) from shipments where account_id = ${account}) as shipments,
        (select array_agg(reference) from purchase_orders where account_id = ${account}) as orders`
    return row ?? { shipments: [], orders: [] }
  }
}

/** All of them in each round: none has the machine to itself. */
async function measureInTurns(bench: Bench, grown: Grown[], rounds: number): Promise<GrowthMeasurement[]> {
  const contender = waybillContender({ caches: false })
  const measurements: GrowthMeasurement[] = []
  const started: Running[] = []
  const prepared = new Map<string, Prepared>()
  try {
    const runners = new Map<string, { contender: typeof contender; running: Running; database: string }>()
    for (const { database } of grown) {
      const running = await contender.start(bench.server.place(database))
      started.push(running)
      runners.set(database, { contender, running, database })
    }
    for (let round = 1; round <= rounds; round += 1) {
      for (const workload of workloadNames) {
        for (const { spread, shipments, database, accounts } of grown) {
          const runner = runners.get(database)
          if (!runner) throw new Error(`nothing runs on ${database}`)
          const name = `${database} ${workload}`
          const ready = prepared.get(name) ?? (await prepare(runner, workload, accounts))
          prepared.set(name, ready)
          const { p50, p99, cpu, databaseCpu, memory } = await measure(bench, runner, ready)
          const whole = cpu + databaseCpu
          measurements.push({ spread, shipments, workload, round, p50, p99, cpu: whole, memory })
          const place = `${round}/${rounds} ${workload}, ${shipments} in ${spread}`
          console.log(`${place.padEnd(56)} p50 ${p50.toFixed(2)} ms, CPU ${whole.toFixed(2)} s for 1,000`)
        }
      }
    }
  } finally {
    await Promise.all(started.map((running) => running.stop()))
  }
  return measurements

  async function prepare(
    runner: Parameters<typeof prepareLoad>[1],
    workload: string,
    accounts: DataAccount[],
  ): Promise<Prepared> {
    const wishes = drawWishes(workloadNamed(workload), accounts, 'cold')
    const requests = wishes.flatMap((wish) => contender.request(wish) ?? [])
    const ready = await prepareLoad(bench, runner, requests, connections)
    if ('alone' in ready) throw new Error(`${workload} takes ${ready.alone} s`)
    return ready
  }
}
