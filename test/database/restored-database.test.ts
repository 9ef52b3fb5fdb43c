import { afterAll, expect, inject, test } from 'vitest'
import { type Database, openDatabase } from '../../src/database/database.js'
import { migrate } from '../../src/database/migrate.js'
import { newAccount } from '../support/account.js'
import { administer, withDatabase } from '../support/database.js'
import { startService } from '../support/service.js'

const name = `waybill_restored_${process.pid}`
const url = withDatabase(inject('serverUrl'), name)
await administer(inject('serverUrl'), `create database ${name}`)
afterAll(() => administer(inject('serverUrl'), `drop database ${name} with (force)`))

// The effect of a dump and restore: the same rows in a new table.
async function restoreAccounts(db: Database): Promise<void> {
  await db.begin(async (sql) => {
    await sql`create table restored (like accounts including all)`
    await sql`insert into restored overriding system value select * from accounts`
    await sql`drop table accounts cascade`
    await sql`alter table restored rename to accounts`
  })
}

test('ETags from before a restore do not match data written after it', async () => {
  const db = openDatabase({ url }, { connections: 2 })
  await migrate(db)
  const before = await startService({ db })
  const { call, callAt, forwarder } = await newAccount(before)
  await forwarder.imports({ kind: 'location', data: { id: 1 } })
  const ifNoneMatch = (await call('listLocations')).headers.get('etag') ?? ''
  expect((await call('listLocations', { ifNoneMatch })).status).toBe(304)

  await restoreAccounts(db)
  const after = await startService({ db: openDatabase({ url }, { connections: 2 }) })
  expect((await callAt(after, 'listLocations', { ifNoneMatch })).status).toBe(200)
})
