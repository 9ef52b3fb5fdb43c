import type { Reader, TransactionSql } from './database.js'

/** Tables as listed by the system catalogs: new tables are included without a change here. */

export type DatabaseTable = { name: string; columns: string[] }

// A restore must not bring back sessions, sign-in links, or the secret that document links are signed with. The secrets of
// authenticator apps, feeds and webhooks, and mails that wait, are encrypted with a key derived from that secret.
const transientTables = [
  'sessions',
  'personal_links',
  'sign_in_failures',
  'service',
  'pending_sign_ins',
  'passkey_challenges',
  'totp_factors',
  'feed_secrets',
  'mails',
  'webhook_secrets',
  'webhook_deliveries',
]

/** Tables included in a backup. Unlogged tables are left out: they can be rebuilt or are expendable. */
export async function listBackupTables(sql: Reader): Promise<DatabaseTable[]> {
  const unlogged = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relpersistence = 'u'`
  const left = new Set([...transientTables, ...unlogged.map(({ name }) => name)])
  return (await listTables(sql)).filter(({ name }) => !left.has(name))
}

/**
 * Updates planner statistics after a large write, so that prepared statements are replanned now instead of minutes later
 * by autovacuum.
 */
export async function analyzeTables(sql: TransactionSql): Promise<void> {
  await sql`analyze (skip_locked) ${sql((await listBackupTables(sql)).map(({ name }) => name))}`
}

/** All tables, referenced tables before the ones that reference them. Generated columns are left out. */
export async function listTables(sql: Reader): Promise<DatabaseTable[]> {
  const rows = await sql<(DatabaseTable & { parents: string[] })[]>`
    select relname as name,
      array(
        select attname::text from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
        order by attnum
      ) as columns,
      array(
        select distinct parent.relname::text from pg_constraint join pg_class parent on parent.oid = confrelid
        where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid
      ) as parents
    from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
      and not exists (
        select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    order by relname collate "C"`
  return parentsFirst(rows).map(({ name, columns }) => ({ name, columns }))
}

function parentsFirst<Row extends { name: string; parents: string[] }>(rows: Row[]): Row[] {
  const ordered: Row[] = []
  for (let left = rows; left.length > 0; ) {
    const waiting = new Set(left.map(({ name }) => name))
    const free = left.filter(({ parents }) => !parents.some((parent) => waiting.has(parent)))
    // Tables that reference each other in a cycle need deferred constraints.
    const next = free.length > 0 ? free : left
    ordered.push(...next)
    left = left.filter((row) => !next.includes(row))
  }
  return ordered
}

/** Drops everything that migrations may have created, except objects of extensions. */
export async function dropSchemaObjects(sql: TransactionSql): Promise<void> {
  const found = await sql<{ statement: string }[]>`
    with made as (
      select 'pg_class'::regclass as catalogue, oid, case relkind when 'v' then 'view' when 'm' then 'materialized view'
        when 'S' then 'sequence' else 'table' end as kind, oid::regclass::text as name
      from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')
      union all
      select 'pg_proc'::regclass, oid, 'routine', oid::regprocedure::text
      from pg_proc where pronamespace = current_schema()::regnamespace
      union all
      select 'pg_type'::regclass, oid, 'type', oid::regtype::text
      from pg_type where typnamespace = current_schema()::regnamespace and typtype in ('e', 'd')
    )
    select format('drop %s if exists %s cascade', kind, name) as statement from made
    where not exists (select from pg_depend where classid = catalogue and objid = made.oid and deptype = 'e')
    order by kind <> 'table'`
  for (const { statement } of found) await sql.unsafe(statement)
}

/** Moves identity sequences past the highest value ever assigned. */
export async function advanceIdentities(sql: TransactionSql): Promise<void> {
  const identities = await sql<{ table: string; column: string; sequence: string }[]>`
    select relname as table, attname as column,
      pg_get_serial_sequence(pg_class.oid::regclass::text, attname) as sequence
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = current_schema()::regnamespace and attidentity <> '' and not attisdropped`
  for (const { table, column, sequence } of identities) {
    await sql`
      select setval(${sequence}::text::regclass,
        greatest((select max(${sql(column)}) from ${sql(table)}), pg_sequence_last_value(${sequence}::text::regclass)))`
  }
}
