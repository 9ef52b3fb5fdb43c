import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { embeddedPort } from '../src/database/address.js'
import { type Database, openDatabase } from '../src/database/database.js'
import { findBinaries } from '../src/database/embedded/binaries.js'
import { clusterUser, createCluster, findServer } from '../src/database/embedded/cluster.js'
import { openEmbeddedDatabase } from '../src/database/embedded/embedded-database.js'
import type { DatabasePlace } from './bench-server.js'
import { cpuSecondsWithDescendants } from './processes.js'

/** The PostgreSQL of a run: the one that comes with Waybill, with memory for the data, counting statements. */
export type DatabaseServer = {
  place(database: string): DatabasePlace
  open(database: string, connections?: number): Database
  has(database: string): Promise<boolean>
  create(database: string, template?: string): Promise<void>
  drop(database: string): Promise<void>
  /** Writes to disk what is pending, so that it does not slow down the next measurement. */
  checkpoint(): Promise<void>
  cpuSeconds(): number
  resetCounts(): Promise<void>
  /** Since `resetCounts`. */
  countQueries(database: string): Promise<number>
  /** The statements that took the longest in sum since `resetCounts`. */
  slowestStatements(database: string, limit: number): Promise<StatementTime[]>
  version: string
  close(): Promise<void>
}

export type StatementTime = { query: string; calls: number; milliseconds: number; planning: number }

// The same for all servers: a quarter of the memory, as is usual, and every commit is flushed to disk.
const settings = {
  shared_buffers: `${Math.floor(totalmem() / 4 / 1024 ** 2)}MB`,
  max_wal_size: '4GB',
  max_connections: '200',
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.max': '10000',
  'pg_stat_statements.track_planning': 'on',
}

export async function openDatabaseServer(folder: string): Promise<DatabaseServer> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const cluster = resolve(folder, 'postgres')
  await createCluster(await findBinaries(resolve(folder)), cluster)
  await addSettings(join(cluster, 'postgresql.conf'))
  const embedded = await openEmbeddedDatabase(folder)
  if ('url' in embedded.address) throw new Error('the embedded database has a socket')
  const { socketFolder } = embedded.address
  const pid = await findServer(cluster)
  if (pid === undefined) throw new Error('the PostgreSQL of the benchmark is not running')

  const place = (database: string) => ({ socketFolder, port: embeddedPort, user: clusterUser, database })
  const open = (database: string, connections = 4) => openDatabase({ url: urlOf(place(database)) }, { connections })
  const maintenance = open('postgres', 1)
  await maintenance`create extension if not exists pg_stat_statements`
  const [row] = await maintenance<{ version: string }[]>`select current_setting('server_version') as version`
  return {
    place,
    open,
    async has(database) {
      return (await maintenance`select from pg_database where datname = ${database}`).length > 0
    },
    async create(database, template) {
      await maintenance.unsafe(
        `create database ${database}${template ? ` template ${template} strategy file_copy` : ''}`,
      )
    },
    async drop(database) {
      await maintenance.unsafe(`drop database if exists ${database} with (force)`)
    },
    async checkpoint() {
      await maintenance`checkpoint`
    },
    cpuSeconds: () => cpuSecondsWithDescendants([pid]),
    async resetCounts() {
      await maintenance`select pg_stat_statements_reset()`
    },
    async countQueries(database) {
      const [found] = await maintenance<{ count: number }[]>`
        select coalesce(sum(calls), 0)::bigint as count from pg_stat_statements
        where dbid = (select oid from pg_database where datname = ${database})`
      return found?.count ?? 0
    },
    async slowestStatements(database, limit) {
      return maintenance<StatementTime[]>`
        select regexp_replace(query, '\\s+', ' ', 'g') as query, calls, total_exec_time + total_plan_time as milliseconds,
          total_plan_time as planning
        from pg_stat_statements
        where dbid = (select oid from pg_database where datname = ${database})
        order by total_exec_time + total_plan_time desc limit ${limit}`
    },
    version: row?.version ?? '',
    async close() {
      await maintenance.end()
      await embedded.release()
    },
  }
}

async function addSettings(file: string): Promise<void> {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
  // The last line of a name applies.
  if (!(await readFile(file, 'utf8')).endsWith(lines.join(''))) await appendFile(file, lines.join(''))
}

export function urlOf({ socketFolder, user, database }: DatabasePlace): string {
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(socketFolder)}`
}
