import { afterAll, inject } from 'vitest'
import { type Database, openDatabase } from '../../src/database/database.js'
import { migrate } from '../../src/database/migrate.js'
import { administer, withDatabase } from './database.js'

/** A database for tests of what applies to all accounts, which other tests change as well. */
export async function ownDatabase(purpose: string): Promise<Database> {
  const name = `waybill_${purpose}_${process.pid}`
  await administer(inject('serverUrl'), `create database ${name}`)
  afterAll(() => administer(inject('serverUrl'), `drop database ${name} with (force)`))
  const db = openDatabase({ url: withDatabase(inject('serverUrl'), name) }, { connections: 5 })
  await migrate(db)
  return db
}
