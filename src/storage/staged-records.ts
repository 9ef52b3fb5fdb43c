import type { ImportKind } from '../contract/import-line.js'
import type { ShipmentStatus } from '../contract/shipment.js'
import { batchBytes, batchLength, inBatches } from './batches.js'
import type { TransactionSql } from './database.js'
import type { AccountId } from './transaction.js'

/** What an import has set down, read in the order in which it is stored. `slug` names the account in the file. */
export type StagedRecord = { line: number; id: string; record: string; stored_at: string | null }

/** The record of the account itself. */
export async function findStagedAccount(sql: TransactionSql, slug: string): Promise<string | undefined> {
  const [row] = await sql<{ record: string }[]>`
    select record from staged where account = ${slug} and kind = 'account' order by line desc limit 1`
  return row?.record
}

/** The lines of a kind, by identifier. Of several lines for one thing the last one counts. */
export function readStaged(
  sql: TransactionSql,
  slug: string,
  account: AccountId,
  kind: Exclude<ImportKind, 'account'>,
): AsyncGenerator<(StagedRecord & { bytes: number })[]> {
  return inBatches(
    ({ id }) => id,
    // What is stored counts as well: the new record is compared with it.
    (after) => sql<(StagedRecord & { bytes: number })[]>`
      with last as (
        select distinct on (id) line, id, record, stored_at from staged
        where account = ${slug} and kind = ${kind} and id > ${after}
        order by id, line desc limit ${batchLength}
      ), weighed as (
        select last.*, octet_length(last.record) + coalesce(octet_length(stored.record), 0) as bytes
        from last left join lateral (
          select record from changes
          where account_id = ${account} and kind = ${kind} and changes.id = last.id and record is not null
          order by revision desc limit 1
        ) stored on true
      ), measured as (
        select *, sum(bytes) over (order by id) as bytes_so_far from weighed
      )
      select line, id, record, stored_at, bytes from measured
      where bytes_so_far - bytes < ${batchBytes}
      order by id`,
  )
}

type WeighedReference = { reference: string; bytes: number }

/** All orders that the file says something of. */
export function readStagedReferences(
  sql: TransactionSql,
  slug: string,
  account: AccountId,
): AsyncGenerator<WeighedReference[]> {
  return inBatches(
    ({ reference }) => reference,
    (after) => sql<WeighedReference[]>`
      with given as (
        select reference, sum(octet_length(record)) as bytes from staged
        where account = ${slug} and reference > ${after}
        group by reference order by reference limit ${batchLength}
      )
      select given.reference, given.bytes + coalesce(octet_length(stored.record), 0) + coalesce(assigned.bytes, 0) as bytes
      from given
      left join lateral (
        select record from changes
        where account_id = ${account} and kind = 'purchase_order' and id = given.reference and record is not null
        order by revision desc limit 1
      ) stored on true
      left join lateral (
        select sum(octet_length(shipped_order_lines)) as bytes from assignments
        where account_id = ${account} and assignments.reference = given.reference
      ) assigned on true
      order by reference`,
  )
}

export type StagedVersion = StagedRecord & { has_earlier: boolean }

/** Of several lines for one thing the last one, and whether there are others. */
export async function findStagedOfOrders(
  sql: TransactionSql,
  slug: string,
  kind: 'purchase_order' | 'assignment',
  references: string[],
): Promise<StagedVersion[]> {
  return sql<StagedVersion[]>`
    select distinct on (id) line, id, record, stored_at, min(line) over (partition by id) < line as has_earlier
    from staged
    where account = ${slug} and kind = ${kind} and reference = any(${references})
    order by id, line desc`
}

/** What the file says of the same thing before a line that does not count. */
export async function findStagedBefore(
  sql: TransactionSql,
  slug: string,
  kind: 'purchase_order' | 'assignment',
  { id, line }: StagedVersion,
): Promise<StagedVersion | undefined> {
  const [row] = await sql<StagedVersion[]>`
    select line, id, record, stored_at, min(line) over () < line as has_earlier from staged
    where account = ${slug} and kind = ${kind} and id = ${id} and line < ${line}
    order by line desc limit 1`
  return row
}

/** The statuses that the file gives to shipments. */
export async function findStagedStatuses(
  sql: TransactionSql,
  slug: string,
  shipments: string[],
): Promise<Map<string, ShipmentStatus | undefined>> {
  const rows = await sql<{ id: string; status: ShipmentStatus | null }[]>`
    select distinct on (id) id, status from staged
    where account = ${slug} and kind = 'shipment' and id = any(${shipments})
    order by id, line desc`
  return new Map(rows.map((row) => [row.id, row.status ?? undefined]))
}

/** Takes out every assignment whose order is neither stored nor in the file; answers their lines. */
export async function removeWithoutOrder(sql: TransactionSql, slug: string, account: AccountId): Promise<number[]> {
  const rows = await sql<{ line: number }[]>`
    with removed as (
      delete from staged
      where account = ${slug} and kind = 'assignment'
        and not exists (
          select from staged own
          where own.account = ${slug} and own.kind = 'purchase_order' and own.id = staged.reference)
        and not exists (
          select from purchase_orders stored
          where stored.account_id = ${account} and stored.reference = staged.reference)
      returning line
    )
    select line from removed order by line`
  return rows.map(({ line }) => line)
}

/** Takes out everything that belongs to a shipment which is neither stored nor in the file; answers its lines. */
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
