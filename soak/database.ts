import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { appendFile, mkdir, open } from 'node:fs/promises'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, withDescendants } from '../bench/processes.js'
import { type Database, openDatabase } from '../src/database/database.js'
import { type Binaries, findBinaries } from '../src/database/embedded/binaries.js'
import { clusterUser, createCluster, findServer, socketFolderOf, stopServer } from '../src/database/embedded/cluster.js'
import { chownToServer, serverIdentity } from '../src/database/embedded/process-identity.js'
import { until } from './program.js'

/** The embedded database of Waybill, or a PostgreSQL that the run starts. */
export type DatabaseKind = 'embedded' | 'postgres'

/** A database that faults are injected into. */
export type FaultyDatabase = {
  kind: DatabaseKind
  /** The settings for `waybill`. */
  env: Record<string, string>
  /** Kills all processes of the server, like a power failure. */
  kill: () => Promise<void>
  /** Shuts it down. */
  stop: () => Promise<void>
  /** Starts it again; the embedded database is restarted by Waybill. */
  restart: () => Promise<void>
  /** Stops all processes without ending them, like a machine that hangs. */
  pause: () => Promise<void>
  resume: () => Promise<void>
  isRunning: () => Promise<boolean>
  /** Opens a connection for the checks of the run. */
  open: () => Promise<Database>
  close: () => Promise<void>
}

const running = new Set<FaultyDatabase>()

/** For an interrupted run: leaves no server behind. */
export async function closeDatabases(): Promise<void> {
  await Promise.all([...running].map((database) => database.close()))
}

/** `environment`: for a PostgreSQL that the run starts. */
export async function openFaultyDatabase(
  kind: DatabaseKind,
  folder: string,
  environment: Record<string, string> = {},
): Promise<FaultyDatabase> {
  await mkdir(folder, { recursive: true, mode: 0o755 })
  const database = kind === 'embedded' ? embeddedIn(folder) : await postgresIn(folder, environment)
  running.add(database)
  return database
}

function embeddedIn(folder: string): FaultyDatabase {
  const dataFolder = join(folder, 'data')
  const cluster = resolve(dataFolder, 'postgres')
  const database: FaultyDatabase = {
    kind: 'embedded',
    env: { WAYBILL_DATA_DIR: dataFolder },
    ...processesOf(cluster),
    async restart() {},
    async open() {
      const socketFolder = await socketFolderOf(cluster)
      return openDatabase({ socketFolder, user: clusterUser, database: 'waybill' }, { connections: 1 })
    },
    async close() {
      running.delete(database)
      await database.resume()
      await stopServer(cluster)
    },
  }
  return database
}

async function postgresIn(folder: string, environment: Record<string, string>): Promise<FaultyDatabase> {
  await chownToServer(folder)
  const binaries = await findAnyBinaries(folder)
  const cluster = resolve(folder, 'cluster')
  await createCluster(binaries, cluster)
  const port = await freePort()
  await appendFile(join(cluster, 'postgresql.conf'), `listen_addresses = '127.0.0.1'\nport = ${port}\n`)
  const url = `postgres://${clusterUser}@127.0.0.1:${port}/postgres`
  const restart = async () => {
    // A new server cannot start until the last process of the previous one has released its shared memory.
    while (!(await answersAt(port))) {
      if (!(await findServer(cluster))) {
        const { ended } = await startPostgres(binaries, cluster, environment)
        await Promise.race([ended, until('PostgreSQL accepts connections', () => answersAt(port))])
      }
      await sleep(20)
    }
  }
  await restart()
  const database: FaultyDatabase = {
    kind: 'postgres',
    env: { DATABASE_URL: url, WAYBILL_DATA_DIR: join(folder, 'data') },
    ...processesOf(cluster),
    restart,
    open: async () => openDatabase({ url }, { connections: 1 }),
    async close() {
      running.delete(database)
      await database.resume()
      await stopServer(cluster)
    },
  }
  return database
}

function processesOf(cluster: string): Pick<FaultyDatabase, 'kill' | 'stop' | 'pause' | 'resume' | 'isRunning'> {
  const all = async () => {
    const server = await findServer(cluster)
    return server === undefined ? [] : [...withDescendants([server])]
  }
  const signal = async (name: NodeJS.Signals) => {
    for (const pid of await all()) sendSignal(pid, name)
  }
  return {
    async kill() {
      const pids = await all()
      for (const pid of pids) sendSignal(pid, 'SIGKILL')
      await until('the database server is dead', () => pids.every((pid) => !isAlive(pid)))
    },
    stop: () => stopServer(cluster),
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    isRunning: async () => (await findServer(cluster)) !== undefined,
  }
}

/** `ended` resolves when the process has exited. */
async function startPostgres(
  { postgres }: Binaries,
  cluster: string,
  environment: Record<string, string>,
): Promise<{ ended: Promise<void> }> {
  const log = await open(join(cluster, 'server.log'), 'a', 0o600)
  const child = spawn(postgres, ['-D', cluster, '-k', cluster], {
    ...serverIdentity(cluster),
    cwd: cluster,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...environment },
  })
  child.unref()
  await log.close()
  const ended = new Promise<void>((settle) => {
    child.once('error', () => settle())
    child.once('exit', () => settle())
  })
  return { ended }
}

/** The oldest supported PostgreSQL that is installed, or else the embedded one. */
async function findAnyBinaries(folder: string): Promise<Binaries> {
  const installed = '/usr/lib/postgresql'
  const versions = existsSync(installed) ? readdirSync(installed).map(Number) : []
  const oldest = Math.min(...versions.filter((version) => version >= 15))
  if (!Number.isFinite(oldest)) return findBinaries(folder)
  const bin = join(installed, String(oldest), 'bin')
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
}

async function answersAt(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect(port, '127.0.0.1')
    // A startup message without a user: a server that is ready responds with an error.
    const greeting = Buffer.from([0, 0, 0, 9, 0, 3, 0, 0, 0])
    const finish = (isReady: boolean) => {
      socket.destroy()
      settle(isReady)
    }
    socket.setTimeout(1000, () => finish(false))
    socket.once('connect', () => socket.write(greeting))
    // 57P03: starting up or shutting down.
    socket.once('data', (bytes) => finish(!bytes.includes('57P03')))
    socket.once('error', () => finish(false))
    socket.once('end', () => finish(false))
  })
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has exited already.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  return !/^State:\s+Z/m.test(statusOf(pid))
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}
