import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openDatabase } from '../../src/database/database.js'
import { createRandom } from '../../src/sandbox/random.js'
import type { FaultyDatabase } from '../database.js'
import type { Part, PartResult, SoakOptions } from '../part.js'
import { startServing, until } from '../program.js'
import { World } from '../world.js'
import { type Cluster, type Node, startCluster } from './cluster.js'
import { patroniTimes } from './configuration.js'
import { findPrograms, findServerPrograms } from './debian-programs.js'
import { type Measured, readMeanwhile, seconds, summaryOf, tableOf, watchTraffic } from './measure.js'
import { runInOwnNetwork } from './own-network.js'

/**
 * The longest time until writes are acknowledged since the cluster itself commits, in milliseconds. A new leader does not, until a standby
 * follows it; one that had received more than the new leader is rewound before, which took ten seconds on a busy machine.
 */
const mostAfterCommit = 5000

const detail =
  'Two processes of Waybill, with replicas, on three PostgreSQL servers that Patroni and etcd keep available, behind HAProxy'

/** The primary of a cluster is killed, cut off the network and switched over, under load. */
export function failover(): Part {
  return {
    name: 'failover',
    async run(options) {
      // Before anything is started: the error says what to install.
      findPrograms(['etcd', 'patroni', 'patronictl', 'haproxy'])
      findServerPrograms()
      const isRoot = process.getuid?.() === 0
      return isRoot ? runInOwnNetwork(options) : runFailover(options, { isRoot })
    },
  }
}

export async function runFailover(options: SoakOptions, { isRoot }: { isRoot: boolean }): Promise<PartResult> {
  const cluster = await startCluster(options.folder, { isRoot })
  try {
    return await runOn(cluster, options)
  } catch (error) {
    for (const node of cluster.nodes) options.log(`${node.name}: ${node.lastLines()}`)
    throw error
  } finally {
    cluster.end()
  }
}

type Fault = { name: string; begin: (primary: Node) => Promise<void>; end: (primary: Node) => Promise<void> }

const kill: Fault = {
  name: 'killed',
  begin: (primary) => primary.kill(),
  end: async (primary) => primary.startPatroni(),
}

const cut: Fault = {
  name: 'cut off the network',
  begin: async (primary) => primary.setLink?.(false),
  end: async (primary) => primary.setLink?.(true),
}

const switchOver: Fault = {
  name: 'switched over',
  begin: (primary) => primary.switchOver(),
  end: async () => {},
}

async function runOn(cluster: Cluster, options: SoakOptions): Promise<PartResult> {
  const random = createRandom(`${options.seed}/failover`)
  const world = await World.open(options, 'postgres', { database: databaseOf(cluster, options), pause: 150 })
  world.useServices([...world.services, await startServing({ env: world.env })])
  const measured: Measured[] = []
  for (const fault of faultsOf(options, cluster)) {
    const primary = await cluster.findLeader()
    if (!primary) throw new Error('the cluster has no leader')
    await world.load.during(async () => {
      await world.untilWritten(20)
      await sleep(random.integer(0, 500))
      measured.push(await measure(world, cluster, { fault, primary }))
      world.faults += 1
    })
    await cluster.untilHealthy()
    const before = world.traffic.tally.violations.length
    await world.compareNow()
    // What is missing stays so: later faults would only hide which one it was.
    if (world.traffic.tally.violations.length > before) {
      world.log(`failover: the ledger differs after ${primary.name} was ${fault.name}`)
      for (const node of cluster.nodes) world.log(`${node.name}: ${node.lastLines()}`)
      break
    }
    const { newLeader, commitsAgain, writesAgain } = measured.at(-1) as Measured
    world.log(
      `failover: ${primary.name} ${fault.name}, new leader after ${seconds(newLeader)}, commits after ${seconds(commitsAgain)}, writes after ${seconds(writesAgain)}, ${world.ledger.acknowledgedWrites} writes`,
    )
  }
  world.log(tableOf(measured))
  world.figures.push(...summaryOf(measured))
  world.figures.push(['servers copied from the leader again', String(cluster.copiedAnew.length)])
  const { ttl, loop_wait, retry_timeout } = patroniTimes
  const result = await world.close({
    name: 'failover',
    detail: `${detail} (synchronous mode; ttl ${ttl} s, loop_wait ${loop_wait} s, retry_timeout ${retry_timeout} s): the primary was killed, cut off the network or switched over ${measured.length} times.`,
  })
  return { ...result, detail: `${result.detail}\n\n${tableOf(measured)}` }
}

function faultsOf({ isShort, failovers }: SoakOptions, { nodes }: Cluster): Fault[] {
  const canCut = nodes.every(({ setLink }) => setLink !== undefined)
  const counts = isShort ? { kills: 2, cuts: 1, switchovers: 2 } : { kills: 20, cuts: 3, switchovers: 10 }
  const { kills, cuts, switchovers } = { ...counts, ...failovers }
  const times = (fault: Fault, number: number) => Array.from({ length: number }, () => fault)
  return [...times(kill, kills), ...times(cut, canCut ? cuts : 0), ...times(switchOver, switchovers)]
}

async function measure(
  world: World,
  cluster: Cluster,
  { fault, primary }: { fault: Fault; primary: Node },
): Promise<Measured> {
  const watch = watchTraffic(world.traffic)
  const keys = world.accounts.map(({ key }) => key)
  const endReads = readMeanwhile(world.traffic.addresses, keys)
  const others = cluster.nodes.filter((node) => node !== primary)
  let leader: Node | undefined
  const isReplaced = async () => {
    leader ??= await cluster.findLeader(others)
    return leader !== undefined
  }
  const replaced = until('there is a new leader', isReplaced, 90_000).then(watch.elapsed)
  const [newLeader] = await Promise.all([replaced, fault.begin(primary)])
  await untilCommits(() => cluster.findLeader(others))
  const commitsAgain = watch.elapsed()
  const reads = await endReads()
  await until('writes are acknowledged again', () => watch.hasWrittenSince(newLeader), 60_000)
  // The service may be interrupted once more, when the server comes back.
  await sleep(2000)
  await fault.end(primary)
  await sleep(1000)
  const measured = watch.end({ fault: fault.name, server: primary.name, newLeader, commitsAgain, reads })
  if (measured.writesAgain > commitsAgain + mostAfterCommit)
    world.traffic.violate(
      `${primary.name} ${fault.name}: writes worked ${seconds(measured.writesAgain - commitsAgain)} after the new leader committed`,
    )
  return measured
}

/** Waits until the leader commits a transaction, whatever Waybill does. In the synchronous mode, a standby has it then. */
async function untilCommits(findLeader: () => Promise<Node | undefined>): Promise<void> {
  const commits = async () => {
    const leader = await findLeader()
    if (!leader) return false
    const client = new pg.Client({ connectionString: leader.url, connectionTimeoutMillis: 2000 })
    // A server that is killed ends the query, which fails then.
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query(`select pg_logical_emit_message(true, 'soak', '')`)
      return true
    } catch {
      return false
    } finally {
      await client.end().catch(() => {})
    }
  }
  await until('the new leader commits', commits, 90_000)
}

/** For the checks of the run: the faults are injected into the servers of the cluster. */
function databaseOf(cluster: Cluster, { folder }: SoakOptions): FaultyDatabase {
  const unused = () => Promise.reject(new Error('a cluster has more than one server'))
  return {
    kind: 'postgres',
    env: {
      DATABASE_URL: cluster.url,
      DATABASE_READ_URLS: cluster.serverUrls.join(','),
      DATABASE_READ_QUORUM: '2',
      WAYBILL_DATA_DIR: join(folder, 'data'),
      WAYBILL_WAIT_FOR_DATABASE: '60',
    },
    kill: unused,
    stop: unused,
    restart: unused,
    pause: unused,
    resume: unused,
    isRunning: () => cluster.isHealthy(),
    open: async () => openDatabase({ url: cluster.url }, { connections: 1 }),
    close: async () => {},
  }
}
