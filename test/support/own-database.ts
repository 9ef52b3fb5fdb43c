import { afterAll, inject } from 'vitest'
import { type Database, openDatabase } from '../../src/database/database.js'
import { renewServiceSecrets } from '../../src/database/service-secrets.js'
import { administer, withDatabase } from './database.js'

/** A database for tests of what applies to all accounts, which other tests change as well. */
export async function ownDatabase(purpose: string): Promise<Database> {
  return copyDatabase(inject('templateDatabase'), nameOf(purpose))
}

/** The address of such a database, for programs. */
export function ownDatabaseUrl(purpose: string): string {
  return withDatabase(inject('serverUrl'), nameOf(purpose))
}

/** Copies a database to which nothing is connected, for the tests of one file. */
export async function copyDatabase(template: string, name: string): Promise<Database> {
  const serverUrl = inject('serverUrl')
  await administer(serverUrl, `create database ${name} template ${template}`)
  afterAll(() => administer(serverUrl, `drop database ${name} with (force)`))
  const db = openDatabase({ url: withDatabase(serverUrl, name) }, { connections: 5 })
  await db.begin(renewServiceSecrets)
  return db
}

function nameOf(purpose: string): string {
  return `${inject('templateDatabase')}_${purpose}_${process.pid}`
}
