import { expect, inject, onTestFinished, test } from 'vitest'
import { type Database, openDatabase } from '../../src/database/database.js'
import { migrate, migrateOnline, migrateWithin, migrations, schemaVersion } from '../../src/database/migrate.js'
import { planMigration } from '../../src/database/migration-plan.js'
import { splitStatements } from '../../src/database/migration-statements.js'
import { completeMigrations } from '../../src/database/online-migration.js'
import { administer, withDatabase } from '../support/database.js'

let databases = 0

async function emptyDatabase(): Promise<Database> {
  databases += 1
  const name = `waybill_migration_plan_${process.pid}_${databases}`
  await administer(inject('serverUrl'), `create database ${name}`)
  const db = openDatabase({ url: withDatabase(inject('serverUrl'), name) }, { connections: 1 })
  onTestFinished(async () => {
    await db.end()
    await administer(inject('serverUrl'), `drop database ${name} with (force)`)
  })
  return db
}

test('the plan of every migration names exactly the tables that it blocks', async () => {
  const db = await emptyDatabase()
  await db.begin((tx) => migrateWithin(tx, 1))
  for (let version = 2; version <= schemaVersion; version += 1) {
    const { from, migrations: planned } = await planMigration(db)
    expect(from).toBe(version - 1)
    const [next] = planned
    const blocked = (next?.statements ?? []).filter(({ blocks }) => /^writes$|^reads/.test(blocks))
    const held = await db.begin(async (tx) => {
      const before = await tx<{ oid: number }[]>`select oid::int from pg_class where relkind in ('r', 'p') order by oid`
      await migrateOnline(tx, version)
      return tx<{ name: string }[]>`
        select distinct c.relname as name from pg_locks l join pg_class c on c.oid = l.relation
        where l.pid = pg_backend_pid() and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'AccessExclusiveLock')
          and c.oid::int = any(${before.map(({ oid }) => oid)}) and c.relnamespace = 'public'::regnamespace
        order by c.relname`
    })
    await completeMigrations(db)
    const dropped = (next?.statements ?? []).flatMap(({ statement, table }) =>
      statement.startsWith('drop table') ? [table] : [],
    )
    const names = new Set(blocked.map(({ table = '' }) => table))
    for (const { name } of held) expect(names, next?.name).toContain(name)
    if (dropped.length === 0) expect([...names].toSorted(), next?.name).toEqual(held.map(({ name }) => name))
  }
})

test('the plan counts the rows that a migration reads, and changes nothing', async () => {
  const db = await emptyDatabase()
  const before = migrations.findIndex(({ name }) => name === 'event positions')
  await db.begin((tx) => migrateWithin(tx, before))
  await db`
    insert into accounts (slug, name) select 'plan-' || number, 'Plan' from generate_series(1, 500) number`
  await db.unsafe('analyze accounts')
  const plan = await planMigration(db)
  expect(plan).toMatchObject({ from: before, to: schemaVersion })
  expect(plan.migrations[0]).toMatchObject({
    name: 'event positions',
    statements: [
      { blocks: 'nothing', rows: 0 },
      { table: 'accounts', blocks: 'writes', rows: 0 },
      { blocks: 'nothing', rows: 0 },
      { table: 'accounts', blocks: 'nothing', rows: expect.closeTo(500, -1) as number },
    ],
  })
  expect((await migrate(db)).from).toBe(before)
  expect(await planMigration(db)).toEqual({ from: schemaVersion, to: schemaVersion, migrations: [] })
})

test('statements end at semicolons outside of texts, comments and functions', () => {
  const sql = `-- a; b\ncreate function f() as $body$ begin;\n end $body$;\nupdate t set a = 'x;''y' where b - 1 = 2;`
  expect(splitStatements(sql)).toEqual([
    'create function f() as $body$ begin;\n end $body$',
    "update t set a = 'x;''y' where b - 1 = 2",
  ])
})
