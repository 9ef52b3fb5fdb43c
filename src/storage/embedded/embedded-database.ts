import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { type DatabaseAddress, embeddedPort } from '../database.js'
import { type Binaries, findBinaries } from './binaries.js'
import {
  clusterUser,
  createCluster,
  findServer,
  lastLogLines,
  socketFolderOf,
  startServer,
  stopServer,
} from './cluster.js'

export type EmbeddedDatabase = {
  address: DatabaseAddress
  /** Gives up our use of the server. The last one out stops it. */
  release(): Promise<void>
}

const databaseName = 'waybill'
const leaseName = 'waybill-lease'

// Shared by all who use the server, and taken alone by the one who stops it: two that leave at once do not wait
// for each other to do it, and who comes meanwhile waits for the end, and starts the server anew.
const leaseLock = 7_219_402_119

/**
 * Waybill's own PostgreSQL in a data folder. Any number of processes may use one folder: who comes first starts
 * the server, the others join, an orphan of a killed process is taken over, and the last to leave stops it.
 * Each holds a lease, a connection of its own, and starts the server again when that is lost. Who is told to stop
 * while it waits for the server gives up, but never leaves behind a server that it has started.
 */
export async function openEmbeddedDatabase(
  dataFolder: string,
  { stop }: { stop?: AbortSignal } = {},
): Promise<EmbeddedDatabase> {
  const folder = resolve(dataFolder, 'postgres')
  await mkdir(dataFolder, { recursive: true, mode: 0o700 })
  const binaries = await findBinaries(resolve(dataFolder))
  await createCluster(binaries, folder)
  const socketFolder = await socketFolderOf(folder)

  const leaving = new AbortController()
  let lease = await obtainLease(binaries, folder, socketFolder, stop)
  let renewal = Promise.resolve()
  void keepLease()

  async function keepLease(): Promise<void> {
    while (!leaving.signal.aborted) {
      await lease.lost
      if (leaving.signal.aborted) return
      renewal = renewLease()
      await renewal
    }
  }

  async function renewLease(): Promise<void> {
    try {
      lease = await obtainLease(binaries, folder, socketFolder, leaving.signal)
    } catch {
      // Requests are refused meanwhile, and health says so; a full disk may have room again later.
      await sleep(1000, undefined, { signal: leaving.signal }).catch(() => {})
    }
  }

  return {
    address: { socketFolder, user: clusterUser, database: databaseName },
    async release() {
      leaving.abort()
      // A lease that is on its way counts: it may have started the server.
      await renewal
      // A server that cannot be asked is dead, or busy with others: neither is ours to stop.
      const isLast = await isLastOut(lease.sql).catch(() => false)
      if (isLast) await stopServer(folder)
      await lease.sql.end({ timeout: 1 })
    },
  }
}

type Lease = { sql: postgres.Sql; lost: Promise<void> }

async function obtainLease(
  binaries: Binaries,
  folder: string,
  socketFolder: string,
  stop?: AbortSignal,
): Promise<Lease> {
  const patience = performance.now() + 60_000
  let server: { ended: Promise<void>; hasEnded: boolean } | undefined
  let complaint: unknown
  while (performance.now() < patience) {
    const lease = openLease(socketFolder)
    try {
      await lease.sql`select pg_advisory_lock_shared(${leaseLock})`
      await ensureDatabase(lease.sql)
      return lease
    } catch (error) {
      complaint = error
      await lease.sql.end({ timeout: 0 })
    }
    if (!server || server.hasEnded) {
      stop?.throwIfAborted()
      if (!(await findServer(folder))) server = await start()
    }
    await Promise.race([sleep(20), server?.hasEnded ? undefined : server?.ended])
  }
  throw new Error(`the embedded PostgreSQL does not start: ${await lastLogLines(folder)}`, { cause: complaint })

  async function start() {
    const { ended } = await startServer(binaries, folder, socketFolder)
    const started = { ended, hasEnded: false }
    void ended.then(() => {
      started.hasEnded = true
    })
    return started
  }
}

function openLease(socketFolder: string): Lease {
  let onLost = () => {}
  const lost = new Promise<void>((settle) => {
    onLost = settle
  })
  const sql = postgres({
    host: socketFolder,
    port: embeddedPort,
    user: clusterUser,
    database: 'postgres',
    max: 1,
    connect_timeout: 10,
    max_lifetime: null,
    onnotice: () => {},
    onclose: onLost,
    connection: { application_name: leaseName },
  })
  return { sql, lost }
}

async function ensureDatabase(sql: postgres.Sql): Promise<void> {
  const found = await sql`select from pg_database where datname = ${databaseName}`
  if (found.length > 0) return
  await sql.unsafe(`create database ${databaseName}`).catch((error: { code?: string }) => {
    // Somebody who started at the same time was faster.
    if (error.code !== '42P04' && error.code !== '23505') throw error
  })
}

async function isLastOut(sql: postgres.Sql): Promise<boolean> {
  await sql`select pg_advisory_unlock_shared(${leaseLock})`
  const [row] = await sql<{ alone: boolean }[]>`select pg_try_advisory_lock(${leaseLock}) as alone`
  return row?.alone ?? false
}
