import { type DatabaseTable, listTables } from '../../database/catalog.js'
import type { Reader } from '../../database/database.js'

/** The tables of an account as listed by the system catalogs: new ones are included without a change here. */

export type AccountTable = DatabaseTable & {
  /** Its primary key. */
  key: string[]
  isUnlogged: boolean
  /** Columns that change after the row was inserted. */
  updatable: string[]
}

// Its positions are counted over all accounts of a database. The other one counts the account's changes as new.
const ofTheDatabase = 'event_positions'

/** Tables with rows of accounts, referenced ones first. Unlogged ones can be rebuilt or are expendable. */
export async function listAccountTables(sql: Reader): Promise<AccountTable[]> {
  const rows = await sql<{ name: string; key: string[]; identities: string[]; isUnlogged: boolean }[]>`
    select relname as name, relpersistence = 'u' as "isUnlogged",
      array(
        select attname::text from unnest(indkey) with ordinality as part (attnum, place)
        join pg_attribute using (attnum) where attrelid = pg_class.oid order by place
      ) as key,
      array(
        select attname::text from pg_attribute where attrelid = pg_class.oid and attidentity <> '' and not attisdropped
      ) as identities
    from pg_class join pg_index on indrelid = pg_class.oid and indisprimary
    where relnamespace = current_schema()::regnamespace and relname not in ('accounts', ${ofTheDatabase})
      and exists (
        select from pg_attribute where attrelid = pg_class.oid and attname = 'account_id' and not attisdropped)`
  const found = new Map(rows.map((row) => [row.name, row]))
  return (await listTables(sql)).flatMap((table) => {
    const row = found.get(table.name)
    if (!row) return []
    const fixed = new Set([...row.key, ...row.identities])
    const { key, isUnlogged } = row
    return [{ ...table, key, isUnlogged, updatable: table.columns.filter((column) => !fixed.has(column)) }]
  })
}

/** Rows that nobody can change or remove: they stay where the account was, too. */
export function isAppendOnly({ name }: AccountTable): boolean {
  return name === 'audit_log'
}

/** Whether keys of the account cannot meet keys of another one. */
export function isKeyedByAccount({ key }: AccountTable): boolean {
  return key[0] === 'account_id'
}
