import type { Database } from './database.js'
import { findSchemaVersion, migrations, SchemaTooNew, schemaVersion } from './migrate.js'
import { divideMigration, indexTable } from './migration-statements.js'

/** What a migration would do to a database, and what it would block meanwhile. Changes nothing. */

type PlannedStatement = {
  /** Its beginning, such as `create index invoice_search_by_amount on invoice_search`. */
  statement: string
  table?: string
  /** What waits on that table until the transaction of the migration ends; of a statement after it, while it runs. */
  blocks: 'nothing' | 'writes to these rows' | 'writes' | 'reads and writes'
  /** How many rows it reads or writes, as PostgreSQL estimates. */
  rows: number
  /** About how long it takes. */
  seconds: number
}
type PlannedMigration = { version: number; name: string; statements: PlannedStatement[] }
export type MigrationPlan = { from: number; to: number; migrations: PlannedMigration[] }

export async function planMigration(db: Database): Promise<MigrationPlan> {
  const from = await findSchemaVersion(db)
  if (from > schemaVersion) throw new SchemaTooNew(from)
  const sizes = await estimateRows(db)
  const existing = new Set(sizes.keys())
  const planned = migrations.slice(from).map((migration, index) => {
    const { within, after } = divideMigration(migration, existing)
    return {
      version: from + index + 1,
      name: migration.name,
      statements: [
        ...within.flatMap((statement) => planOf(statement, sizes)),
        ...(migration.run ? [{ statement: 'a program', blocks: 'nothing' as const, rows: 0, seconds: 0 }] : []),
        ...after.map((statement) => planAfter(statement, sizes)),
      ],
    }
  })
  return { from, to: schemaVersion, migrations: planned }
}

/** Rows of each table and what it references, also by the names of its indexes. */
type Sizes = Map<string, { table: string; rows: number; references: string[] }>

async function estimateRows(db: Database): Promise<Sizes> {
  const rows = await db<{ name: string; table: string; rows: number; references: string[] }[]>`
    select c.relname as name, t.relname as "table",
      greatest(t.reltuples, pg_stat_get_live_tuples(t.oid), 0)::float8 as rows,
      array(select f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
        where k.conrelid = t.oid and k.contype = 'f' order by f.relname) as "references"
    from pg_class c
    left join pg_index i on i.indexrelid = c.oid
    join pg_class t on t.oid = coalesce(i.indrelid, c.oid)
    where c.relkind in ('r', 'p', 'i', 'I') and pg_table_is_visible(c.oid)
    order by c.relname`
  return new Map(rows.map(({ name, ...size }) => [name, size]))
}

type Effect = { blocks: PlannedStatement['blocks']; readsRows: boolean }

// The first that matches; its group is the table, or an index of it.
const effects: [pattern: RegExp, effect: Effect][] = [
  [/^create (?:unique )?index .*? on (\w+)/, { blocks: 'writes', readsRows: true }],
  [
    /^alter table (?:only )?(\w+) .*(?:set not null|add (?:constraint|check|foreign|unique|primary)|\btype\b|generated)/,
    { blocks: 'reads and writes', readsRows: true },
  ],
  [/^alter (?:table|index) (?:only )?(\w+)/, { blocks: 'reads and writes', readsRows: false }],
  [/^(?:drop (?:table|index)|truncate)(?: if exists)? (\w+)/, { blocks: 'reads and writes', readsRows: false }],
  [/^drop trigger (?:if exists )?\w+ on (\w+)/, { blocks: 'reads and writes', readsRows: false }],
  [/^create (?:or replace )?trigger .*? on (\w+)/, { blocks: 'writes', readsRows: false }],
  [/^(?:update|delete from) (\w+)/, { blocks: 'writes to these rows', readsRows: true }],
  [/^insert into .* from (\w+)/, { blocks: 'nothing', readsRows: true }],
]

// Rows per second, deliberately low: a slow disk takes longer. `npm run soak -- --only upgrade` measures a machine.
const speeds = { index: 400_000, update: 40_000, read: 1_000_000 }

/** A statement that follows the transaction: an index that is built or dropped concurrently, or an update in batches. */
function planAfter(whole: string, sizes: Sizes): PlannedStatement {
  const statement = short(whole)
  const table = indexTable(whole) ?? /^update (\w+)/i.exec(whole)?.[1]
  const rows = Math.round(sizes.get(table ?? '')?.rows ?? 0)
  if (table === undefined) return { statement, ...tableOf(whole, sizes), blocks: 'nothing', rows: 0, seconds: 0 }
  const isIndex = indexTable(whole) !== undefined
  return {
    statement: isIndex ? statement.replace(' index ', ' index concurrently ') : `${statement}, in batches`,
    table,
    blocks: 'nothing',
    rows,
    seconds: Math.round(rows / (isIndex ? speeds.index : speeds.update)),
  }
}

/** Of an index that is dropped. */
function tableOf(statement: string, sizes: Sizes): { table?: string } {
  const table = sizes.get(statement.split(' ').at(-1) ?? '')?.table
  return table === undefined ? {} : { table }
}

function planOf(text: string, sizes: Sizes): PlannedStatement[] {
  const whole = text.replaceAll(/\s+/g, ' ')
  const lower = whole.toLowerCase()
  const statement = short(whole)
  const effect = effects.find(([pattern]) => pattern.test(lower))
  const found = effect && sizes.get(effect[0].exec(lower)?.[1] ?? '')
  // Nobody waits for a table that the migration itself creates.
  const own: PlannedStatement =
    effect && found
      ? {
          statement,
          table: found.table,
          blocks: effect[1].blocks,
          ...costOf(lower, effect[1].readsRows ? Math.round(found.rows) : 0),
        }
      : { statement, blocks: 'nothing', rows: 0, seconds: 0 }
  const isDefinition = /^(?:create table|alter table)/.test(lower)
  const named = isDefinition ? [...lower.matchAll(/\breferences (\w+)/g)].map(([, name = '']) => name) : []
  // With a table its foreign keys are dropped.
  const referenced = lower.startsWith('drop table') ? (found?.references ?? []) : named
  const others = [...new Set(referenced)].filter((name) => sizes.has(name) && name !== own.table)
  return [own, ...others.map((table) => ({ statement, table, blocks: 'writes' as const, rows: 0, seconds: 0 }))]
}

function costOf(statement: string, rows: number): { rows: number; seconds: number } {
  const kind = /^create (?:unique )?index/.test(statement)
    ? 'index'
    : /^(?:update|delete)/.test(statement)
      ? 'update'
      : 'read'
  return { rows, seconds: Math.round(rows / speeds[kind]) }
}

function short(statement: string): string {
  const words = statement.replaceAll(/\s+/g, ' ').split(' (')[0] ?? ''
  return words.length > 80 ? `${words.slice(0, 77)}...` : words
}
