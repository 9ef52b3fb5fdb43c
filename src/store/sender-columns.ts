import type { TableColumns } from '../contract/operator/tables.js'
import { businessNowInStatement } from '../database/business-now.js'
import type { Reader, TransactionSql } from '../database/database.js'

/** What the columns of the tables of a sender stand for. Senders belong to the forwarder, not to an account. */

export type SenderColumnsRow = { settings: TableColumns; saved_by: string; saved_at: string }

export async function findColumns(db: Reader, sender: string): Promise<SenderColumnsRow | undefined> {
  const [row] = await db<{ settings: string; saved_by: string; saved_at: string }[]>`
    select settings, saved_by, to_char(saved_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as saved_at
    from sender_columns where sender = ${sender}`
  return row && { ...row, settings: JSON.parse(row.settings) as TableColumns }
}

export async function saveColumns(
  sql: TransactionSql,
  sender: string,
  settings: TableColumns,
  author: string,
): Promise<void> {
  await sql`
    insert into sender_columns (sender, settings, saved_by, saved_at)
    values (${sender}, ${JSON.stringify(settings)}, ${author}, ${businessNowInStatement(sql)})
    on conflict (sender) do update
    set settings = excluded.settings, saved_by = excluded.saved_by, saved_at = excluded.saved_at`
}

/** Returns whether there were any. */
export async function deleteColumns(sql: TransactionSql, sender: string): Promise<boolean> {
  const rows = await sql`delete from sender_columns where sender = ${sender} returning 1`
  return rows.length > 0
}
