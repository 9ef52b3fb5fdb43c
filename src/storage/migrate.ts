import { randomBytes } from 'node:crypto'
import type { Sql } from './database.js'
import { foundation } from './migrations/0001-foundation.js'

/** Forward only. A migration that has landed is never edited: the next one mends it. */
const migrations = [{ name: 'foundation', sql: foundation }]

export const schemaVersion = migrations.length

export class SchemaTooNew extends Error {
  constructor(found: number) {
    super(
      `the database has schema version ${found}, this program knows versions up to ${schemaVersion}: run a newer Waybill`,
    )
    this.name = 'SchemaTooNew'
  }
}

// Any number that every Waybill shares: processes that start at once migrate one after another.
const migrationLock = 7_219_402_118

/** Brings the schema up to date, in one transaction, and tells what was done. */
export async function migrate(db: Sql): Promise<{ from: number; to: number }> {
  return db.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${migrationLock})`
    await tx`
      create table if not exists schema_migrations (
        version integer primary key,
        name text not null,
        applied_at timestamptz not null default now()
      )`
    const from = await appliedVersion(tx)
    if (from > schemaVersion) throw new SchemaTooNew(from)
    for (const [index, migration] of migrations.entries()) {
      const version = index + 1
      if (version <= from) continue
      await tx.unsafe(migration.sql)
      await tx`insert into schema_migrations (version, name) values (${version}, ${migration.name})`
    }
    await tx`
      insert into service (link_secret) values (${randomBytes(32).toString('base64url')})
      on conflict do nothing`
    return { from, to: schemaVersion }
  })
}

async function appliedVersion(db: Pick<Sql, 'unsafe'>): Promise<number> {
  const [row] = await db.unsafe<{ version: number }[]>(
    'select coalesce(max(version), 0) as version from schema_migrations',
  )
  return row?.version ?? 0
}
