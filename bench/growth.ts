import { migrate } from '../src/database/migrate.js'
import type { DatabaseServer } from './database-server.js'
import { createAccounts, type DataAccount } from './dataset.js'
import { createPatterns, fillOrders, fillShipments } from './dataset-rows.js'
import { describeCommit } from './machine.js'
import { type Bench, measure, type Prepared, prepareLoad, type Runner } from './measure.js'
import type { Options } from './options.js'
import type { Growth, GrowthMeasurement } from './results.js'
import { readSlowly } from './slow-client.js'
import { waybillServer } from './waybill-server.js'
import { drawQueries, type Workload, workloadNamed } from './workloads.js'

/** What a request costs with more and more shipments, in many accounts and in one. */

const workloads = {
  'one shipment': workloadNamed('one shipment'),
  'list of 10': workloadNamed('list of 10'),
  'update an order': workloadNamed('update an order'),
  'create an order with a key': workloadNamed('create an order with a key, many accounts'),
}
const fullSizes = [10_000, 100_000, 1_000_000]
const quickSizes = [1000, 10_000]
const connections = 8

type Grown = {
  spread: GrowthMeasurement['spread']
  shipments: number
  database: string
  accounts: DataAccount[]
}

export async function measureGrowth({ isQuick, size, rounds }: Options, bench: Bench): Promise<Growth> {
  const { server, generator } = bench
  const grown: Grown[] = []
  for (const shipments of isQuick ? quickSizes : fullSizes) {
    for (const spread of ['many accounts', 'one account'] as const)
      grown.push(await grow(server, spread, shipments, size.patterns))
  }
  const measurements = await measureInTurns({ ...bench, connections }, grown, rounds)
  const slowClient = await readSlowly(server, isQuick ? 10_000 : 100_000)
  for (const { database } of grown) await server.drop(database)
  return {
    date: new Date().toISOString(),
    commit: describeCommit(),
    generator: generator.name,
    connections,
    measurements,
    slowClient,
  }
}

/** 200 shipments in each account, or all in one; and some orders. */
async function grow(
  server: DatabaseServer,
  spread: Grown['spread'],
  shipments: number,
  patterns: number,
): Promise<Grown> {
  const database = `grown_${spread.replace(' ', '_')}_${shipments}`
  await server.drop(database)
  await server.create(database)
  const db = server.open(database, 1)
  try {
    await migrate(db)
    const count = spread === 'one account' ? 1 : Math.ceil(shipments / 200)
    const created = await createAccounts(db, count)
    await createPatterns(db, server, patterns)
    const shipmentShares = created.map(({ account_id }) => ({ account_id, count: Math.round(shipments / count) }))
    // In parts that are sorted in memory.
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
    await server.checkpoint()
  }

  async function idsOf(account: number): Promise<{ shipments: string[]; orders: string[] }> {
    const [row] = await db<{ shipments: string[]; orders: string[] }[]>`
      select (select array_agg(svc_shipment_id) from shipments where account_id = ${account}) as shipments,
        (select array_agg(reference) from purchase_orders where account_id = ${account}) as orders`
    return row ?? { shipments: [], orders: [] }
  }
}

/** All sizes in each round, so that other load on the machine affects all of them. */
async function measureInTurns(bench: Bench, grown: Grown[], rounds: number): Promise<GrowthMeasurement[]> {
  const server = waybillServer({ cache: false })
  const measurements: GrowthMeasurement[] = []
  const runners = new Map<string, Runner>()
  const prepared = new Map<string, Prepared>()
  try {
    for (const { database } of grown) {
      runners.set(database, { server, running: await server.start(bench.server.place(database)), database })
    }
    for (let round = 1; round <= rounds; round += 1) {
      for (const [name, workload] of Object.entries(workloads)) {
        for (const { spread, shipments, database, accounts } of grown) {
          const runner = runners.get(database) as Runner
          const key = `${database} ${name}`
          const ready = prepared.get(key) ?? (await prepare(runner, workload, accounts))
          prepared.set(key, ready)
          const { p50, p99, cpu, databaseCpu, memory } = await measure(bench, runner, ready)
          const total = cpu + databaseCpu
          measurements.push({ spread, shipments, workload: name, round, p50, p99, cpu: total, memory })
          const label = `${round}/${rounds} ${name}, ${shipments} in ${spread}`
          console.log(`${label.padEnd(80)} p50 ${p50.toFixed(2)} ms, CPU ${total.toFixed(2)} s for 1,000`)
        }
      }
    }
  } finally {
    await Promise.all([...runners.values()].map(({ running }) => running.stop()))
  }
  return measurements

  async function prepare(runner: Runner, workload: Workload, accounts: DataAccount[]): Promise<Prepared> {
    const queries = drawQueries(workload, accounts, 'cold')
    const requests = queries.flatMap((query) => server.request(query) ?? [])
    return prepareLoad(bench, runner, requests, connections)
  }
}
