import { finished, pipeline } from 'node:stream/promises'
import type { AccountId } from '../../database/account-id.js'
import type { CopySql, Fragment, Reader } from '../../database/database.js'
import { type AccountTable, isAppendOnly, isKeyedByAccount } from './account-tables.js'

/** Copies the rows of an account to another database, where it has another identifier. */

/** COPY takes no parameters: its statements read the identifiers from settings of the transaction. */
export async function setIdentifiers(sql: CopySql, here: AccountId, there: AccountId, since = '3'): Promise<void> {
  await sql`
    select set_config('waybill.account', ${String(here)}, true), set_config('waybill.account_there', ${String(there)}, true),
      set_config('waybill.since', ${since}, true)`
}

/** All rows, into a table that has none of the account, or only some that cannot change. Returns how many. */
export async function copyAll(source: CopySql, target: CopySql, table: AccountTable): Promise<number> {
  if (!isKeyedByAccount(table) || isAppendOnly(table)) return copyChanged(source, target, table)
  return transfer(source, selectionOf(source, table), target, table.name, table.columns)
}

/**
 * The rows that were inserted or updated since a transaction, and a few before it; and removes those that are gone. Returns how
 * many rows were copied.
 */
export async function copyChanged(source: CopySql, target: CopySql, table: AccountTable): Promise<number> {
  const { name, columns, key } = table
  const staged = `moving_${name}`
  await target`create temp table ${target(staged)} (like ${target(name)}) on commit drop`
  // `xmin` is the transaction that wrote the row; `age` compares across the wraparound of its 32 bits.
  const isNew = source`and age(xmin) <= age(current_setting('waybill.since')::xid)`
  const count = await transfer(source, selectionOf(source, table, isNew), target, staged, columns)
  if (count > 0) {
    await target`
      insert into ${target(name)} (${target(columns)}) overriding system value select ${target(columns)} from ${target(staged)}
      on conflict (${target(key)}) ${onConflict(target, table)}`
  }
  await target`drop table ${target(staged)}`
  if (isKeyedByAccount(table) && !isAppendOnly(table)) await removeGone(source, target, table)
  return count
}

/** Another account may have the key, where it does not begin with the account. */
function onConflict(sql: Reader, table: AccountTable): Fragment {
  const { updatable } = table
  if (!isKeyedByAccount(table) || isAppendOnly(table) || updatable.length === 0) return sql`do nothing`
  return sql`do update set (${sql(updatable)}) = row(${columnsOf(sql, 'excluded', updatable)})`
}

/** Everything of the account is there now: if the numbers are equal, so are the keys. */
async function removeGone(source: CopySql, target: CopySql, table: AccountTable): Promise<void> {
  const { name, key } = table
  const [here, there] = [await countRows(source, table), await countRowsThere(target, table)]
  if (here === there) return
  const staged = `moving_${name}`
  await target`create temp table ${target(staged)} on commit drop as select ${target(key)} from ${target(name)} limit 0`
  await transfer(source, selectionOf(source, { ...table, columns: key }), target, staged, key)
  await target`
    delete from ${target(name)} gone where account_id = current_setting('waybill.account_there')::integer and not exists (
      select from ${target(staged)} kept where (${columnsOf(target, 'kept', key)}) = (${columnsOf(target, 'gone', key)}))`
  await target`drop table ${target(staged)}`
}

async function countRows(sql: CopySql, table: AccountTable): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from ${sql(table.name)} where ${isOfAccount(sql, table)}`
  return row?.count ?? 0
}

async function countRowsThere(sql: CopySql, { name }: AccountTable): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from ${sql(name)} where account_id = current_setting('waybill.account_there')::integer`
  return row?.count ?? 0
}

const personAccount = 'person_account_id'

function selectionOf(sql: CopySql, table: AccountTable, condition: Fragment = sql``): Fragment {
  const values = table.columns.map((column) =>
    column === 'account_id' || column === personAccount
      ? sql`current_setting('waybill.account_there')::integer`
      : sql`${sql(column)}`,
  )
  return sql`select ${joined(sql, values)} from ${sql(table.name)} where ${isOfAccount(sql, table)} ${condition}`
}

/** Without rows that belong to a person of the forwarder, who is not there. */
function isOfAccount(sql: CopySql, { columns }: AccountTable): Fragment {
  const ofAccount = sql`account_id = current_setting('waybill.account')::integer`
  return columns.includes(personAccount) ? sql`${ofAccount} and ${sql(personAccount)} = account_id` : ofAccount
}

function columnsOf(sql: Reader, table: string, columns: string[]): Fragment {
  return joined(
    sql,
    columns.map((column) => sql`${sql(table)}.${sql(column)}`),
  )
}

function joined(sql: Reader, fragments: Fragment[]): Fragment {
  return fragments.reduce((all, next) => sql`${all}, ${next}`)
}

async function transfer(
  source: CopySql,
  selection: Fragment,
  target: CopySql,
  table: string,
  columns: string[],
): Promise<number> {
  const rows = source.copyTo(source`copy (${selection}) to stdout`)
  const into = target.copyFrom(target`copy ${target(table)} (${target(columns)}) from stdin`)
  await Promise.all([pipeline(rows, into), finished(into)])
  return (into as unknown as { rowCount: number }).rowCount
}
