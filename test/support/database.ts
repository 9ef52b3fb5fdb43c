import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/storage/database.js'
import { openEmbeddedDatabase } from '../../src/storage/embedded/embedded-database.js'
import { migrate } from '../../src/storage/migrate.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server that the tests run on: an address of its maintenance database. */
    serverUrl: string
    /** The database that all tests share; each makes accounts of its own. */
    databaseUrl: string
  }
}

/**
 * A PostgreSQL for the run: Waybill's own, in a new folder; or the one that WAYBILL_TEST_DATABASE_URL names, in
 * which databases are created and dropped.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-test-'))
  const foreign = process.env.WAYBILL_TEST_DATABASE_URL
  const embedded = foreign === undefined ? await openEmbeddedDatabase(folder) : undefined
  const serverUrl = foreign ?? urlOf(embedded?.address)
  const name = `waybill_test_${process.pid}_${Date.now()}`
  await administer(serverUrl, `create database ${name}`)

  const databaseUrl = withDatabase(serverUrl, name)
  const db = openDatabase({ url: databaseUrl }, { connections: 1 })
  await migrate(db)
  await db.end()
  project.provide('serverUrl', serverUrl)
  project.provide('databaseUrl', databaseUrl)
  return async () => {
    await administer(serverUrl, `drop database ${name} with (force)`)
    await embedded?.release()
    await rm(folder, { recursive: true, force: true })
  }
}

export async function administer(serverUrl: string, statement: string): Promise<void> {
  const url = new URL(serverUrl)
  const host = url.searchParams.get('host')
  url.searchParams.delete('host')
  const sql = postgres(url.href, { max: 1, onnotice: () => {}, ...(host && { host }) })
  await sql.unsafe(statement)
  await sql.end()
}

export function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

function urlOf(address: Awaited<ReturnType<typeof openEmbeddedDatabase>>['address'] | undefined): string {
  if (!address || 'url' in address) throw new Error('the embedded database has a socket')
  return `postgres://${address.user}@localhost/postgres?host=${encodeURIComponent(address.socketFolder)}`
}
