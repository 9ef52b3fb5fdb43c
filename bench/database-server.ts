import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { type Database, embeddedPort, openDatabase } from '../src/storage/database.js'
import { findBinaries } from '../src/storage/embedded/binaries.js'
import { clusterUser, createCluster, findServer } from '../src/storage/embedded/cluster.js'
import { openEmbeddedDatabase } from '../src/storage/embedded/embedded-database.js'
import type { DatabasePlace } from './contender.js'
import { cpuSecondsWithDescendants } from './processes.js'

/** The one PostgreSQL of a run: Waybill's own, with room for the data, and counting statements. */
export type DatabaseServer = {
  place(database: string): DatabasePlace
  open(database: string, connections?: number): Database
  has(database: string): Promise<boolean>
  create(database: string, template?: string): Promise<void>
  drop(database: string): Promise<void>
  /** Nobody pays for what was written before. */
  settle(): Promise<void>
  cpuSeconds(): number
  /** Counts from here on what a database is asked. */
  countFromHere(): Promise<void>
  countOf(database: string): Promise<number>
  countsWhat: 'statements' | 'transactions'
  version: string
  close(): Promise<void>
}

// The same for all contenders: a quarter of the memory, as is usual, and every commit on the disk.
const settings = {
  shared_buffers: `${Math.floor(totalmem() / 4 / 1024 ** 2)}MB`,
  max_wal_size: '4GB',
  max_connections: '200',
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.max': '10000',
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
  const countsStatements = await startCounting(maintenance)
  const [row] = await maintenance<{ version: string }[]>`select current_setting('server_version') as version`
  let transactionsBefore = 0

  const transactionsOf = async (database?: string) => {
    const [found] = await maintenance<{ count: number }[]>`
      select coalesce(sum(xact_commit + xact_rollback), 0)::bigint as count from pg_stat_database
      where datname <> 'postgres' and (${database ?? null}::text is null or datname = ${database ?? null})`
    return found?.count ?? 0
  }

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
    async settle() {
      await maintenance`checkpoint`
    },
    cpuSeconds: () => cpuSecondsWithDescendants([pid]),
    async countFromHere() {
      if (countsStatements) await maintenance`select pg_stat_statements_reset()`
      else transactionsBefore = await transactionsOf()
    },
    async countOf(database) {
      if (!countsStatements) return (await transactionsOf()) - transactionsBefore
      const [found] = await maintenance<{ count: number }[]>`
        select coalesce(sum(calls), 0)::bigint as count from pg_stat_statements
        where dbid = (select oid from pg_database where datname = ${database})`
      return found?.count ?? 0
    },
    countsWhat: countsStatements ? 'statements' : 'transactions',
    version: row?.version ?? '',
    async close() {
      await maintenance.end()
      await embedded.release()
    },
  }
}

async function addSettings(file: string): Promise<void> {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
  // A later line counts more than one before it.
  if (!(await readFile(file, 'utf8')).endsWith(lines.join(''))) await appendFile(file, lines.join(''))
}

async function startCounting(db: Database): Promise<boolean> {
  try {
    await db`create extension if not exists pg_stat_statements`
    await db`select pg_stat_statements_reset()`
    return true
  } catch (error) {
    console.error(`pg_stat_statements is not to be had, transactions are counted instead: ${String(error)}`)
    return false
  }
}

export function urlOf({ socketFolder, user, database }: DatabasePlace): string {
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(socketFolder)}`
}
