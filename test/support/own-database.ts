import { afterAll, inject } from 'vitest'
import { type Database, openDatabase } from '../../src/database/database.js'
import { migrate } from '../../src/database/migrate.js'
import { administer, withDatabase } from './database.js'

/** A database for tests of what applies to all accounts, which other tests change as well. */
export async function ownDatabase(purpose: string): Promise<Database> {
  const name = nameOf(purpose)
  await administer(inject('serverUrl'), `create database ${name}`)
  afterAll(() => administer(inject('serverUrl'), `drop database ${name} with (force)`))
  const db = openDatabase({ url: ownDatabaseUrl(purpose) }, { connections: 5 })
  await migrate(db)
  return db
}

/** The address of such a database, for programs. */
export function ownDatabaseUrl(purpose: string): string {
  return withDatabase(inject('serverUrl'), nameOf(purpose))
}

function nameOf(purpose: string): string {
  return `waybill_${purpose}_${process.pid}`
}
