import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type Database, openDatabase } from '../../src/database/database.js'
import { openEmbeddedDatabase } from '../../src/database/embedded/embedded-database.js'
import { migrate } from '../../src/database/migrate.js'
import { evaluatorLock } from '../../src/store/exception-watches.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the server's maintenance database. */
    serverUrl: string
    /** The database that all tests share; each test creates its own accounts. */
    databaseUrl: string
    /** A migrated database without data, to copy. Names of databases that are made from it begin with its own. */
    templateDatabase: string
    /** Removed after the run. */
    runFolder: string
  }
}

/**
 * Provides a PostgreSQL for the run: the embedded one in a new folder, or the one that WAYBILL_TEST_DATABASE_URL names, in
 * which databases are created and dropped.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-test-'))
  const foreign = process.env.WAYBILL_TEST_DATABASE_URL
  const embedded = foreign === undefined ? await openEmbeddedDatabase(folder) : undefined
  const serverUrl = foreign ?? urlOf(embedded?.address)
  if (embedded) await reconfigure(serverUrl, join(folder, 'postgres'))
  const template = `waybill_test_${process.pid}_${Date.now()}`
  await administer(serverUrl, `create database ${template}`)
  await migrateAt(withDatabase(serverUrl, template))

  const databaseUrl = withDatabase(serverUrl, `${template}_shared`)
  await administer(serverUrl, `create database ${template}_shared template ${template}`)
  const db = openDatabase({ url: databaseUrl }, { connections: 1 })
  const release = await holdEvaluatorLock(db)
  project.provide('serverUrl', serverUrl)
  project.provide('databaseUrl', databaseUrl)
  project.provide('templateDatabase', template)
  project.provide('runFolder', folder)
  return async () => {
    await release()
    await db.end()
    await dropDatabases(serverUrl, template)
    await embedded?.release()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Programs that tests start do not evaluate exceptions here: that would raise revisions of other tests' accounts. */
async function holdEvaluatorLock(db: Database): Promise<() => Promise<void>> {
  let release = () => {}
  let held: Promise<void> | undefined
  await new Promise<void>((resolve, reject) => {
    held = db.begin(async (sql) => {
      await sql`select pg_advisory_xact_lock(${evaluatorLock})`
      resolve()
      await new Promise<void>((end) => {
        release = end
      })
    })
    held.catch(reject)
  })
  return async () => {
    release()
    await held
  }
}

/**
 * The data of a run need not outlive a power failure, and tests connect as other roles, too. Tests of durability and access
 * start servers of their own.
 */
async function reconfigure(serverUrl: string, cluster: string): Promise<void> {
  await writeFile(join(cluster, 'pg_hba.conf'), 'local all all trust\n')
  const db = openDatabase({ url: serverUrl }, { connections: 1 })
  for (const setting of ['fsync', 'full_page_writes']) await db.unsafe(`alter system set ${setting} = off`)
  await db.unsafe('select pg_reload_conf()')
  await db.end()
}

async function migrateAt(url: string): Promise<void> {
  const db = openDatabase({ url }, { connections: 1 })
  await migrate(db)
  await db.end()
}

/** The template and all that are named after it. */
async function dropDatabases(serverUrl: string, template: string): Promise<void> {
  const db = openDatabase({ url: serverUrl }, { connections: 1 })
  const named = await db<{ name: string }[]>`
    select datname as name from pg_database where starts_with(datname, ${template}) order by name`
  for (const { name } of named) await db.unsafe(`drop database ${name} with (force)`)
  await db.end()
}

export async function administer(serverUrl: string, statement: string): Promise<void> {
  const db = openDatabase({ url: serverUrl }, { connections: 1 })
  await db.unsafe(statement)
  await db.end()
}

export function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

function urlOf(address: Awaited<ReturnType<typeof openEmbeddedDatabase>>['address'] | undefined): string {
  if (!address || 'url' in address) throw new Error('the embedded database has no socket')
  return `postgres://${address.user}@localhost/postgres?host=${encodeURIComponent(address.socketFolder)}`
}
