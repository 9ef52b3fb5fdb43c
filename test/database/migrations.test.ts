import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/database/database.js'
import {
  migrate,
  migrateOnline,
  migrateWithin,
  migrations,
  SchemaTooNew,
  schemaVersion,
} from '../../src/database/migrate.js'
import { readServiceSecrets } from '../../src/database/service-secrets.js'
import { administer, withDatabase } from '../support/database.js'
import { runProgram, temporaryFolder } from '../support/program.js'
import { dumpSchema } from '../support/schema-dump.js'

let databases = 0

test('an empty database is migrated to the latest version', async () => {
  const { db } = await emptyDatabase()
  expect(await migrate(db)).toEqual({ from: 0, to: schemaVersion })
  const applied = await db<{ version: number }[]>`select version from schema_migrations order by version`
  expect(applied.map(({ version }) => version)).toEqual(Array.from({ length: schemaVersion }, (_, index) => index + 1))
})

test('migrating again changes nothing, not even the secrets of links and ETags', async () => {
  const { db } = await emptyDatabase()
  await migrate(db)
  const before = { schema: await dumpSchema(db), secrets: await readServiceSecrets(db) }
  expect(await migrate(db)).toEqual({ from: schemaVersion, to: schemaVersion })
  expect({ schema: await dumpSchema(db), secrets: await readServiceSecrets(db) }).toEqual(before)
})

test('each installation has its own secrets', async () => {
  const [one, other] = [await emptyDatabase(), await emptyDatabase()]
  await migrate(one.db)
  await migrate(other.db)
  const secrets = [await readServiceSecrets(one.db), await readServiceSecrets(other.db)]
  expect(secrets[0]?.link_secret).toMatch(/^[\w-]{43}$/)
  expect(secrets[0]?.link_secret).not.toBe(secrets[1]?.link_secret)
  expect(secrets[0]?.epoch).not.toBe(secrets[1]?.epoch)
})

test('of connections that migrate one empty database concurrently, one does it and the others find it done', async () => {
  const { db, url } = await emptyDatabase()
  const connections = Array.from({ length: 8 }, () => openDatabase({ url }, { connections: 1 }))
  const results = await Promise.all(connections.map(migrate))
  expect(results.filter(({ from }) => from === 0)).toHaveLength(1)
  expect(results.filter(({ from }) => from === schemaVersion)).toHaveLength(7)
  await Promise.all(connections.map((connection) => connection.end()))
  expect(await db`select from schema_migrations`).toHaveLength(schemaVersion)
  expect(await db`select from service`).toHaveLength(1)
})

test('an index whose build was interrupted is built by the next migration, and the one that it replaces dropped', async () => {
  const { db } = await emptyDatabase()
  const before = migrations.findIndex(({ name }) => name === 'event order')
  await db.begin((tx) => migrateWithin(tx, before))
  await db`insert into accounts (slug, name) values ('a', 'A')`
  await db.begin((tx) => migrateOnline(tx, before + 1))
  // As a build leaves it that was killed.
  await db`create index changes_in_order on changes (account_id)`
  await db`update pg_index set indisvalid = false where indexrelid = 'changes_in_order'::regclass`
  expect(await migrate(db)).toEqual({ from: before + 1, to: schemaVersion })
  const indexes = await db<{ name: string; definition: string; valid: boolean }[]>`
    select relname as name, pg_get_indexdef(indexrelid) as definition, indisvalid as valid
    from pg_index join pg_class on pg_class.oid = indexrelid
    where relname in ('changes_in_order', 'changes_by_revision')`
  expect(indexes).toEqual([
    { name: 'changes_in_order', definition: expect.stringContaining('(account_id, revision, kind, id)'), valid: true },
  ])
  expect(await db`select from schema_migrations where pending is not null`).toEqual([])
})

test.each([
  ['one empty database', 0],
  ['one of an older version', 1],
])('four processes that start concurrently on %s all succeed', async (_, version) => {
  const { db, url } = await emptyDatabase()
  if (version > 0) await db.begin((tx) => migrateWithin(tx, version))
  const WAYBILL_DATA_DIR = await temporaryFolder()
  const ended = await Promise.all(
    [1, 2, 3, 4].map(() => runProgram(['migrate', '--json'], { env: { DATABASE_URL: url, WAYBILL_DATA_DIR } })),
  )
  for (const { code, stderr } of ended) expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const froms = ended.map(({ stdout }) => (JSON.parse(stdout) as { from: number }).from)
  expect(froms.filter((from) => from === version)).toHaveLength(1)
  expect(froms.filter((from) => from === schemaVersion)).toHaveLength(3)
  expect(await db`select from schema_migrations`).toHaveLength(schemaVersion)
})

test('a schema newer than the program is refused and unchanged', async () => {
  const { db } = await emptyDatabase()
  await migrate(db)
  await db`insert into schema_migrations (version, name) values (999, 'from the future')`
  const before = await dumpSchema(db)
  await expect(migrate(db)).rejects.toThrow(SchemaTooNew)
  expect(await dumpSchema(db)).toBe(before)
  expect(await db`select from schema_migrations`).toHaveLength(schemaVersion + 1)
})

test.each([['migrate'], ['serve'], ['account', 'list']])(
  '%s on a schema newer than the program exits with 1 and explains what to do',
  async (...args) => {
    const { db, url } = await emptyDatabase()
    await migrate(db)
    await db`insert into schema_migrations (version, name) values (999, 'from the future')`
    const env = { DATABASE_URL: url, WAYBILL_DATA_DIR: await temporaryFolder(), PORT: '0' }
    const ended = await runProgram(args, { env })
    expect(ended.code).toBe(1)
    expect(ended.stdout).toBe('')
    expect(ended.stderr).toBe(
      `waybill: the database has schema version 999, this program supports up to ${schemaVersion}: run a newer Waybill\n`,
    )
  },
)

test('migrate reports the versions', async () => {
  const { url } = await emptyDatabase()
  const env = { DATABASE_URL: url, WAYBILL_DATA_DIR: await temporaryFolder() }
  const first = await runProgram(['migrate'], { env })
  expect(first).toMatchObject({ code: 0, stdout: `Migrated from version 0 to ${schemaVersion}.\n` })
  const second = await runProgram(['migrate'], { env })
  expect(second).toMatchObject({ code: 0, stdout: `The schema is up to date (version ${schemaVersion}).\n` })
})

test('invoice numbers imported before there were series are not assigned again', async () => {
  const { db } = await emptyDatabase()
  await db.begin((tx) => migrateWithin(tx, 1))
  const numbers = ['INV-2025-000007', 'INV-2025-000041', 'INV-2026-1000000', 'CN-2026-000003', 'INV-2026-12', 'X', null]
  await db`insert into accounts (slug, name) values ('acme', 'Acme')`
  await db`
    insert into invoices (account_id, reference, number, newest_first, revision, body)
    select account_id, 'R' || place, number, 0, 1, '{}'
    from accounts, unnest(${numbers}::text[]) with ordinality as given (number, place)`
  await migrate(db)
  expect([...(await db`select series, year, last from number_series order by series, year`)]).toEqual([
    { series: 'CN', year: 2026, last: 3 },
    { series: 'INV', year: 2025, last: 41 },
    { series: 'INV', year: 2026, last: 1_000_000 },
  ])
})

async function emptyDatabase() {
  databases += 1
  const name = `waybill_migrations_${process.pid}_${databases}`
  await administer(inject('serverUrl'), `create database ${name}`)
  const url = withDatabase(inject('serverUrl'), name)
  const db = openDatabase({ url }, { connections: 1 })
  onTestFinished(async () => {
    await db.end()
    await administer(inject('serverUrl'), `drop database ${name} with (force)`)
  })
  return { url, db }
}

test('addresses are stored in one spelling, and of two people with the same one the older keeps it', async () => {
  const { db } = await emptyDatabase()
  const before = 13
  await db.begin((tx) => migrateWithin(tx, before))
  await db`insert into accounts (slug, name) values ('one', 'One')`
  await db`
    insert into people (account_id, person_id, email, name, role, created_at)
    select account_id, person_id, email, person_id, 'admin', now() + place * interval '1 second'
    from accounts, (values ('per_1', 'İris@example.com', 1), ('per_2', 'Iris@example.com', 2), ('per_3', 'ｉris@example.com', 3))
      as given (person_id, email, place)`
  await migrate(db)
  const people = await db`select email, disabled_at is not null as disabled from people order by person_id`
  expect(people.map(({ email, disabled }) => [email, disabled])).toEqual([
    ['i\u0307ris@example.com', false],
    ['iris@example.com', false],
    ['iris@example.com.duplicate-per_3', true],
  ])
})
