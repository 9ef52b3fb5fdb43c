import { chmod, cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll } from 'vitest'
import { type Database, openDatabase } from '../../src/database/database.js'
import { type Binaries, findBinaries } from '../../src/database/embedded/binaries.js'
import { clusterUser, createCluster, findServer, startServer, stopServer } from '../../src/database/embedded/cluster.js'
import { chownToServer } from '../../src/database/embedded/process-identity.js'
import { migrate } from '../../src/database/migrate.js'
import { isRunning, until } from './program.js'

const database = 'waybill'

/** A primary with Waybill's schema and a streaming standby, for the tests of one file. */
export async function startPrimaryAndStandby() {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-replica-'))
  // A folder that servers under another user id can access.
  await chmod(folder, 0o755)
  const binaries = await findBinaries(folder)
  const primaryFolder = join(folder, 'primary')
  await createCluster(binaries, primaryFolder)
  await startServer(binaries, primaryFolder, primaryFolder)
  await prepareDatabase(primaryFolder)
  const standbyFolder = join(folder, 'standby')
  await copyRunning(primaryFolder, standbyFolder)
  const standby = standbyIn(standbyFolder, { binaries, primaryFolder })
  await standby.start()
  afterAll(async () => {
    await standby.close()
    await stopServer(primaryFolder)
    await rm(folder, { recursive: true, force: true })
  })
  return { primaryUrl: urlOf(primaryFolder), standby }
}

function standbyIn(folder: string, { binaries, primaryFolder }: { binaries: Binaries; primaryFolder: string }) {
  const url = urlOf(folder)
  // Separate from the service's connections, which are counted.
  let control = openDatabase({ url }, { connections: 1 })

  const own = {
    primary_conninfo: `host=${primaryFolder} user=${clusterUser}`,
    // No checkpoints by itself, so that its restart position is known.
    bgwriter_lru_maxpages: '0',
  }

  async function start(settings: Record<string, string> = {}): Promise<void> {
    await writeSettings(folder, { ...own, ...settings })
    await startServer(binaries, folder, folder)
    control = openDatabase({ url }, { connections: 1 })
    await until(() => isAnswering(control))
  }

  return {
    url,
    start,
    /** Stops it like a crash, without a checkpoint. */
    async kill(): Promise<void> {
      const pid = (await findServer(folder)) as number
      const backends = await control<{ pid: number }[]>`select pid from pg_stat_activity`
      process.kill(pid, 'SIGKILL')
      await control.end({ timeout: 0 })
      // The next server does not start while one of these processes runs.
      for (const each of [pid, ...backends.map((backend) => backend.pid)])
        await until(async () => !(await isRunning(each)))
      await rm(join(folder, 'postmaster.pid'), { force: true })
    },
    async pause(): Promise<void> {
      await control`select pg_wal_replay_pause()`
      await until(async () => (await control`select pg_get_wal_replay_pause_state() = 'paused' as is`)[0]?.is === true)
    },
    async resume(): Promise<void> {
      await control`select pg_wal_replay_resume()`
    },
    /** Replays everything written until now, and nothing later. */
    async catchUp(primary: Database): Promise<void> {
      const [written] = await primary<{ lsn: string }[]>`select pg_current_wal_flush_lsn()::text as lsn`
      const lsn = written?.lsn as string
      await until(async () => {
        const [row] = await control`select pg_last_wal_replay_lsn() >= ${lsn}::text::pg_lsn as is`
        return row?.is === true
      })
    },
    /** Sets the position from which it restarts. */
    async settle(primary: Database): Promise<void> {
      await primary`checkpoint`
      await this.catchUp(primary)
      await control`checkpoint`
    },
    /** Changes settings at run time. */
    async change(settings: Record<string, string>): Promise<void> {
      await writeSettings(folder, { ...own, ...settings })
      await control`select pg_reload_conf()`
    },
    /** The backends of the service, each with its last query. */
    async servingProcesses(): Promise<{ pid: number; query: string }[]> {
      return control`
        select pid, query from pg_stat_activity where application_name = 'waybill' and pid <> pg_backend_pid()`
    },
    /** Terminates the connections of the service. */
    async cutConnections(): Promise<void> {
      await control`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'waybill' and pid <> pg_backend_pid()`
    },
    async close(): Promise<void> {
      await control.end({ timeout: 0 })
      await stopServer(folder)
    },
  }
}

async function prepareDatabase(folder: string): Promise<void> {
  const maintenance = openDatabase({ url: urlOf(folder, 'postgres') }, { connections: 1 })
  await until(() => isAnswering(maintenance))
  await maintenance.unsafe(`create database ${database}`)
  await maintenance.end()
  const db = openDatabase({ url: urlOf(folder) }, { connections: 1 })
  await migrate(db)
  await db.end()
}

// Files of the running server that do not belong to its data.
const transient = new Set(['postmaster.pid', 'postmaster.opts', 'server.log', '.s.PGSQL.5432', '.s.PGSQL.5432.lock'])

/** A base backup by SQL: the embedded PostgreSQL has no `pg_basebackup`. */
async function copyRunning(from: string, to: string): Promise<void> {
  const sql = openDatabase({ url: urlOf(from) }, { connections: 1 })
  await sql`select pg_backup_start('standby', true)`
  await cp(from, to, { recursive: true, filter: (path) => !transient.has(basename(path)) })
  const [label] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop()`
  await sql.end()
  await writeFile(join(to, 'backup_label'), label?.labelfile as string)
  await writeFile(join(to, 'standby.signal'), '')
  await chmod(to, 0o700)
  await chownToServer(to)
  for (const entry of await readdir(to, { recursive: true, withFileTypes: true })) {
    await chownToServer(join(entry.parentPath, entry.name))
  }
}

async function writeSettings(folder: string, settings: Record<string, string>): Promise<void> {
  const file = join(folder, 'postgresql.auto.conf')
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
  await writeFile(file, lines.join(''))
  await chownToServer(file)
}

async function isAnswering(db: Database): Promise<boolean> {
  return db`select 1`.then(
    () => true,
    () => false,
  )
}

function urlOf(folder: string, name = database): string {
  return `postgres://${clusterUser}@localhost/${name}?host=${encodeURIComponent(folder)}`
}
