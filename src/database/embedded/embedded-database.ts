import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { makeFolder } from '../../documents/durable-folder.js'
import { clientConfig, type DatabaseAddress } from '../address.js'
import { type Binaries, findBinaries } from './binaries.js'
import {
  checkInitdb,
  clusterUser,
  createCluster,
  findServer,
  lastLogLines,
  restrictConnections,
  socketFolderOf,
  startServer,
  stopServer,
} from './cluster.js'
import { notStarted } from './embedded-failure.js'
import { processIdentity } from './process-identity.js'

export type EmbeddedDatabase = {
  address: DatabaseAddress
  /** Releases this process's lease. The last process to release stops the server. */
  release(): Promise<void>
}

const databaseName = 'waybill'
const leaseName = 'waybill-lease'

// Held in shared mode by all users of the server, and exclusively by the process that stops it. Two processes that leave
// together do not both wait for the other to stop it; one that arrives meanwhile waits for the end and starts it again.
const leaseLock = 7_219_402_119

/**
 * The embedded PostgreSQL of a data folder. Any number of processes can use one folder: the first starts the server, later
 * ones join, a server orphaned by a killed process is reused, and the last to leave stops it. Each process holds a lease on
 * a dedicated connection, and restarts the server if the lease is lost. A server that replays its log is waited for, one that does
 * not respond for the longest silence is not. A stop signal before the server was started aborts; after
 * that it waits for the start, so that the server can be stopped.
 */
export async function openEmbeddedDatabase(
  dataFolder: string,
  { stop, longestSilence = 60_000 }: { stop?: AbortSignal; longestSilence?: number } = {},
): Promise<EmbeddedDatabase> {
  const folder = resolve(dataFolder, 'postgres')
  await makeFolder(dataFolder)
  await closeFolder(dataFolder)
  const binaries = await findBinaries(resolve(dataFolder))
  await createCluster(binaries, folder)
  const socketFolder = await socketFolderOf(folder)

  const leaving = new AbortController()
  let lease = await obtainLease(binaries, folder, socketFolder, longestSilence, stop)
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
      lease = await obtainLease(binaries, folder, socketFolder, longestSilence, leaving.signal)
    } catch {
      // Retry: until then requests fail and readiness reports it. The cause may be temporary, such as a full disk.
      await sleep(1000, undefined, { signal: leaving.signal }).catch(() => {})
    }
  }

  return {
    address: { socketFolder, user: clusterUser, database: databaseName },
    async release() {
      leaving.abort()
      // A renewal in progress may have started the server.
      await renewal
      // If the server cannot be queried, it is dead or in use by others: do not stop it.
      const isLast = await isLastUser(lease.client).catch(() => false)
      if (isLast) await stopServer(folder)
      await lease.client.end()
    },
  }
}

/**
 * Other users must not enter a data folder. One of another user, or that holds other things, too, is left as it is: what we
 * create in it is closed.
 */
async function closeFolder(dataFolder: string): Promise<void> {
  const { isRoot, uid } = processIdentity()
  const found = await stat(dataFolder)
  const isOpen = (found.mode & 0o077) !== 0
  if (!isOpen || (!isRoot && found.uid !== uid)) return
  const holdsOthers = (await readdir(dataFolder)).some((name) => !ownNames.test(name))
  if (!holdsOthers) await chmod(dataFolder, 0o700)
}

const ownNames = /^(?:postgres|documents|sandbox\.json|waybill-postgres-)/

/** Rejects if `openEmbeddedDatabase` could not create a database. Leaves nothing behind. */
export async function checkEmbeddedDatabase(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-try-'))
  try {
    await checkInitdb(await findBinaries(folder), folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Lease = { client: pg.Client; lost: Promise<void> }

// After this many consecutive failures the next start would fail, too.
const maxFailedStarts = 5

async function obtainLease(
  binaries: Binaries,
  folder: string,
  socketFolder: string,
  longestSilence: number,
  stop?: AbortSignal,
): Promise<Lease> {
  let deadline = performance.now() + longestSilence
  let server: StartedServer | undefined
  let failedStarts = 0
  while (performance.now() < deadline && failedStarts < maxFailedStarts) {
    const lease = openLease(socketFolder)
    try {
      await lease.client.connect()
      await lease.client.query('select pg_advisory_lock_shared($1)', [leaseLock])
      await ensureDatabase(lease.client)
      return lease
    } catch (error) {
      await lease.client.end().catch(() => {})
      // It starts: after a crash it first replays its log, which on a busy machine takes minutes.
      if ((error as { code?: string }).code === '57P03') deadline = performance.now() + longestSilence
    }
    if (!server || server.hasEnded) {
      stop?.throwIfAborted()
      if (server?.failure) throw server.failure
      if (!(await findServer(folder))) {
        failedStarts = !server || isLockedByDyingServer(await lastLogLines(folder)) ? 0 : failedStarts + 1
        server = await start(binaries, folder, socketFolder)
      }
    }
    await Promise.race([sleep(20), server?.hasEnded ? undefined : server?.ended])
  }
  throw notStarted(folder, server?.hasEnded || failedStarts > 0 ? await lastLogLines(folder) : undefined)
}

// The locks of a killed server are released when the last of its processes exits.
function isLockedByDyingServer(log: string): boolean {
  return /lock file .+ already exists|shared memory block .+ still in use/.test(log.split('\n').slice(-3).join())
}

type StartedServer = { ended: Promise<unknown>; hasEnded: boolean; failure: Error | undefined }

async function start(binaries: Binaries, folder: string, socketFolder: string): Promise<StartedServer> {
  await restrictConnections(folder)
  const { ended } = await startServer(binaries, folder, socketFolder)
  const started: StartedServer = { ended, hasEnded: false, failure: undefined }
  void ended.then((failure) => {
    started.hasEnded = true
    started.failure = failure
  })
  return started
}

function openLease(socketFolder: string): Lease {
  const address = { socketFolder, user: clusterUser, database: 'postgres' }
  const client = new pg.Client({
    ...clientConfig(address),
    application_name: leaseName,
    connectionTimeoutMillis: 10_000,
  })
  const lost = new Promise<void>((settle) => {
    client.once('end', settle)
    client.on('error', () => settle())
  })
  return { client, lost }
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const found = await client.query('select from pg_database where datname = $1', [databaseName])
  if (found.rowCount) return
  await client.query(`create database ${databaseName}`).catch((error: { code?: string }) => {
    // Another process has created it at the same time.
    if (error.code !== '42P04' && error.code !== '23505') throw error
  })
}

async function isLastUser(client: pg.Client): Promise<boolean> {
  await client.query('select pg_advisory_unlock_shared($1)', [leaseLock])
  const { rows } = await client.query<{ alone: boolean }>('select pg_try_advisory_lock($1) as alone', [leaseLock])
  return rows[0]?.alone ?? false
}
