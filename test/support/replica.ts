import { chmod, cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll } from 'vitest'
import { type Database, openDatabase } from '../../src/storage/database.js'
import { type Binaries, findBinaries } from '../../src/storage/embedded/binaries.js'
import { clusterUser, createCluster, findServer, startServer, stopServer } from '../../src/storage/embedded/cluster.js'
import { giveToServer } from '../../src/storage/embedded/identity.js'
import { migrate } from '../../src/storage/migrate.js'
import { isRunning, until } from './program.js'

const database = 'waybill'

/** A primary with Waybill's schema, and a standby that follows it: two servers of the tests of one file. */
export async function startPrimaryAndStandby() {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-replica-'))
  // Servers that run under another id find each other here.
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
  // Apart from the service's own connections: what is counted there is the service's.
  let control = openDatabase({ url }, { connections: 1 })

  const own = {
    primary_conninfo: `host=${primaryFolder} user=${clusterUser}`,
    // It writes nothing down of itself, so that it is known where it starts anew.
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
    /** As a crash ends it: it has no time to write anything down. */
    async kill(): Promise<void> {
      const pid = (await findServer(folder)) as number
      const backends = await control<{ pid: number }[]>`select pid from pg_stat_activity`
      process.kill(pid, 'SIGKILL')
      await control.end({ timeout: 0 })
      // The next server refuses to start while any of them is there.
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
    /** Catches up with all that was written until now, and no more than that. */
    async catchUp(primary: Database): Promise<void> {
      const [written] = await primary<{ lsn: string }[]>`select pg_current_wal_flush_lsn()::text as lsn`
      const lsn = written?.lsn as string
      await until(async () => {
        const [row] = await control`select pg_last_wal_replay_lsn() >= ${lsn}::text::pg_lsn as is`
        return row?.is === true
      })
    },
    /** From here it begins when it starts anew. */
    async settle(primary: Database): Promise<void> {
      await primary`checkpoint`
      await this.catchUp(primary)
      await control`checkpoint`
    },
    /** Changes settings while it runs. */
    async change(settings: Record<string, string>): Promise<void> {
      await writeSettings(folder, { ...own, ...settings })
      await control`select pg_reload_conf()`
    },
    /** The processes that answer the service, and what each was asked last. */
    async servingProcesses(): Promise<{ pid: number; query: string }[]> {
      return control`
        select pid, query from pg_stat_activity where application_name = 'waybill' and pid <> pg_backend_pid()`
    },
    /** Ends the connections of the service. */
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

// What belongs to the server that runs, not to its data.
const transient = new Set(['postmaster.pid', 'postmaster.opts', 'server.log', '.s.PGSQL.5432', '.s.PGSQL.5432.lock'])

/** A base backup by hand: the packaged PostgreSQL comes without the program for it. */
async function copyRunning(from: string, to: string): Promise<void> {
  const sql = openDatabase({ url: urlOf(from) }, { connections: 1 })
  await sql`select pg_backup_start('standby', true)`
  await cp(from, to, { recursive: true, filter: (path) => !transient.has(basename(path)) })
  const [label] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop()`
  await sql.end()
  await writeFile(join(to, 'backup_label'), label?.labelfile as string)
  await writeFile(join(to, 'standby.signal'), '')
  await chmod(to, 0o700)
  await giveToServer(to)
  for (const entry of await readdir(to, { recursive: true, withFileTypes: true })) {
    await giveToServer(join(entry.parentPath, entry.name))
  }
}

async function writeSettings(folder: string, settings: Record<string, string>): Promise<void> {
  const file = join(folder, 'postgresql.auto.conf')
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
  await writeFile(file, lines.join(''))
  await giveToServer(file)
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
