import type { AccountId } from '../../database/account-id.js'
import { asJson, type TransactionSql } from '../../database/database.js'
import type { StagedKind } from './staged-records.js'

/** Removes invalid lines from the staging table: the remaining lines are stored. */

export type StagedKey = { kind: StagedKind; id: string; line: number }

export async function removeStaged(sql: TransactionSql, slug: string, lines: StagedKey[]): Promise<void> {
  if (lines.length === 0) return
  await sql`
    delete from staged
    using jsonb_to_recordset(${asJson(lines)}::text::jsonb) as rejected (kind text, id text, line bigint)
    where staged.account = ${slug} and staged.kind = rejected.kind and staged.id = rejected.id
      and staged.line = rejected.line`
}

/** Removes assignments and messages whose order is neither stored nor in the file, and returns their lines. */
export async function removeWithoutOrder(
  sql: TransactionSql,
  slug: string,
  account: AccountId,
): Promise<{ line: number; kind: 'assignment' | 'message' }[]> {
  return sql<{ line: number; kind: 'assignment' | 'message' }[]>`
    with removed as (
      delete from staged
      where account = ${slug} and kind in ('assignment', 'message') and reference is not null
        and not exists (
          select from staged own
          where own.account = ${slug} and own.kind = 'purchase_order' and own.id = staged.reference)
        and not exists (
          select from purchase_orders stored
          where stored.account_id = ${account} and stored.reference = staged.reference)
      returning line, kind
    )
    select line, kind from removed order by line`
}

/** Removes lines of shipments that are neither stored nor in the file, and returns their line numbers. */
export async function removeWithoutShipment(sql: TransactionSql, slug: string, account: AccountId): Promise<number[]> {
  const rows = await sql<{ line: number }[]>`
    with removed as (
      delete from staged
      where account = ${slug} and shipment is not null
        and not exists (
          select from staged own where own.account = ${slug} and own.kind = 'shipment' and own.id = staged.shipment)
        and not exists (
          select from shipments stored
          where stored.account_id = ${account} and stored.svc_shipment_id = staged.shipment)
      returning line
    )
    select line from removed order by line`
  return rows.map(({ line }) => line)
}

/** Removes events and positions of shipments without tracking, and returns their line numbers. */
export async function removeWithoutTracking(sql: TransactionSql, slug: string, account: AccountId): Promise<number[]> {
  const rows = await sql<{ line: number }[]>`
    with removed as (
      delete from staged
      where account = ${slug} and kind in ('tracking_event', 'tracking_position')
        and not exists (
          select from staged own where own.account = ${slug} and own.kind = 'tracking' and own.id = staged.shipment)
        and not exists (
          select from tracking stored
          where stored.account_id = ${account} and stored.svc_shipment_id = staged.shipment)
      returning line
    )
    select line from removed order by line`
  return rows.map(({ line }) => line)
}

/** Removes payments and credit notes whose invoice is neither stored nor in the file, and returns their lines. */
export async function removeWithoutInvoice(
  sql: TransactionSql,
  slug: string,
  account: AccountId,
): Promise<{ line: number; kind: 'payment' | 'invoice' }[]> {
  return sql<{ line: number; kind: 'payment' | 'invoice' }[]>`
    with removed as (
      delete from staged
      where account = ${slug} and invoice is not null
        and not exists (
          select from staged own where own.account = ${slug} and own.kind = 'invoice' and own.id = staged.invoice)
        and not exists (
          select from invoices stored
          where stored.account_id = ${account} and stored.reference = staged.invoice)
      returning line, kind
    )
    select line, kind from removed order by line`
}

/** Removes messages that are stored with other values, and returns their line numbers. */
export async function removeChangedMessages(sql: TransactionSql, slug: string, account: AccountId): Promise<number[]> {
  const rows = await sql<{ line: number }[]>`
    with removed as (
      delete from staged using conversation_messages stored
      where account = ${slug} and kind = 'message' and stored.account_id = ${account} and stored.message_id = staged.id
        and stored.record::jsonb <> staged.record::jsonb
      returning line
    )
    select line from removed order by line`
  return rows.map(({ line }) => line)
}

/** Removes files of messages that are neither stored nor in the file, and returns their line numbers. */
export async function removeWithoutMessage(sql: TransactionSql, slug: string, account: AccountId): Promise<number[]> {
  const rows = await sql<{ line: number }[]>`
    with removed as (
      delete from staged
      where account = ${slug} and kind = 'message_file'
        and not exists (
          select from staged own
          where own.account = ${slug} and own.kind = 'message' and own.id = staged.record::jsonb ->> 'message_id')
        and not exists (
          select from conversation_messages stored
          where stored.account_id = ${account} and stored.message_id = staged.record::jsonb ->> 'message_id')
      returning line
    )
    select line from removed order by line`
  return rows.map(({ line }) => line)
}

/** Removes messages with a file that is neither stored nor in the file, and returns their line numbers. */
export async function removeWithoutFiles(sql: TransactionSql, slug: string, account: AccountId): Promise<number[]> {
  const rows = await sql<{ line: number }[]>`
    with removed as (
      delete from staged
      where account = ${slug} and kind = 'message' and exists (
        select from jsonb_array_elements(staged.record::jsonb -> 'files') as sent
        where not exists (
            select from staged own
            where own.account = ${slug} and own.kind = 'message_file' and own.id = lower(sent ->> 'file_id'))
          and not exists (
            select from message_files stored
            where stored.account_id = ${account} and stored.file_id = (sent ->> 'file_id')::uuid))
      returning line
    )
    select line from removed order by line`
  return rows.map(({ line }) => line)
}
