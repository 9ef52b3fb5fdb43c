import type { Reader, TransactionSql } from './database.js'

/** What the database itself knows of its tables: nothing is listed by hand, so nothing that is new can be forgotten. */

export type Table = { name: string; columns: string[] }

// Who is signed in, may sign in by a link, or reads alone, is so at a moment: a backup that is restored later must not bring it back.
const momentary = ['sessions', 'personal_links', 'sign_in_failures', 'reading_lease']

/** The tables that a backup holds. What is unlogged follows from the others, or is not worth a log. */
export async function listKeptTables(sql: Reader): Promise<Table[]> {
  const unlogged = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relpersistence = 'u'`
  const left = new Set([...momentary, ...unlogged.map(({ name }) => name)])
  return (await listTables(sql)).filter(({ name }) => !left.has(name))
}

/**
 * Where much has come at once, plans that were made for little no longer serve: they are made anew when the planner has heard
 * of it. It would hear of it by itself, some minutes later.
 */
export async function informPlanner(sql: TransactionSql): Promise<void> {
  await sql`analyze (skip_locked) ${sql((await listKeptTables(sql)).map(({ name }) => name))}`
}

/** All tables, those that others refer to before those that do. Computed columns are left to the database. */
export async function listTables(sql: Reader): Promise<Table[]> {
  const rows = await sql<(Table & { parents: string[] })[]>`
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
    // Tables that refer to each other in a circle can only be filled where that is checked at the end.
    const next = free.length > 0 ? free : left
    ordered.push(...next)
    left = left.filter((row) => !next.includes(row))
  }
  return ordered
}

/** Drops all that migrations may have made; what belongs to an extension stays. */
export async function dropEverything(sql: TransactionSql): Promise<void> {
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

/** Identities go on behind the highest that was ever given. */
export async function raiseIdentities(sql: TransactionSql): Promise<void> {
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
