import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findBinaries } from '../../src/database/embedded/binaries.js'
import { clusterUser, createCluster, startServer, stopServer } from '../../src/database/embedded/cluster.js'
import { chownToServer } from '../../src/database/embedded/process-identity.js'
import { administer, withDatabase } from '../../test/support/database.js'
import { type ImportRun, program } from '../waybill-program.js'

/** A PostgreSQL with a database `empty`, migrated, and one `full`, from which the databases of imports are copied. */
export type ImportDatabases = {
  version: string
  /** Fills the full database by an import. */
  fill(load: (databaseUrl: string) => Promise<ImportRun>): Promise<ImportRun>
  withCopy<Result>(template: 'empty' | 'full', work: (databaseUrl: string) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

const installed = '/usr/lib/postgresql'
const oldestSupported = 15

/** The bundled PostgreSQL, and the oldest supported one that is installed on the machine. */
export function databaseNames(): string[] {
  const versions = existsSync(installed) ? readdirSync(installed).map(Number) : []
  const supported = versions.filter((version) => version >= oldestSupported)
  return ['bundled', ...(supported.length > 0 ? [String(Math.min(...supported))] : [])]
}

export async function openDatabases(name: string, folder: string): Promise<ImportDatabases> {
  await mkdir(folder, { recursive: true, mode: 0o755 })
  await chownToServer(folder)
  const bin = join(installed, name, 'bin')
  if (name !== 'bundled' && !existsSync(bin)) throw new Error(`no PostgreSQL ${name} is installed in ${installed}`)
  const binaries =
    name === 'bundled' ? await findBinaries(folder) : { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
  const cluster = join(folder, 'cluster')
  await createCluster(binaries, cluster)
  await startServer(binaries, cluster, cluster)
  const url = `postgres://${clusterUser}@localhost/postgres?host=${encodeURIComponent(cluster)}`
  const create = (database: string, template: string) =>
    administer(url, `create database ${database} template ${template}`)
  const drop = (database: string) => administer(url, `drop database if exists ${database} with (force)`)

  try {
    await untilReady(url)
    await create('empty', 'template1')
    await migrate(withDatabase(url, 'empty'))
  } catch (error) {
    await stopServer(cluster)
    throw error
  }
  const { stdout } = await promisify(execFile)(binaries.postgres, ['--version'])
  return {
    version: /\d+\.\d+/.exec(stdout)?.[0] ?? name,
    async fill(load) {
      await create('"full"', 'empty')
      return load(withDatabase(url, 'full'))
    },
    async withCopy(template, work) {
      await create('measured', `"${template}"`)
      // Flushes earlier writes, so that they do not slow down the import.
      await administer(url, 'checkpoint')
      try {
        return await work(withDatabase(url, 'measured'))
      } finally {
        await drop('measured')
      }
    },
    close: () => stopServer(cluster),
  }
}

async function untilReady(url: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await administer(url, 'select 1')
    } catch (error) {
      if (attempt === 300) throw error
      await sleep(100)
    }
  }
}

async function migrate(databaseUrl: string): Promise<void> {
  await promisify(execFile)(process.execPath, [program, 'migrate'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: databaseUrl },
  })
}
