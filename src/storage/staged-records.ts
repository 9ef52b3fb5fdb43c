import type { ImportKind } from '../contract/import-line.js'
import type { ShipmentStatus } from '../contract/shipment.js'
import { batchBytes, batchLength, inBatches } from './batches.js'
import type { TransactionSql } from './database.js'
import type { AccountId } from './transaction.js'

/** What an import has set down, read in the order in which it is stored. `slug` names the account in the file. */
export type StagedKind = Exclude<ImportKind, 'account'>
export type StagedRecord = { line: number; id: string; record: string; stored_at: string | null }

/** The record of the account itself. */
export async function findStagedAccount(sql: TransactionSql, slug: string): Promise<string | undefined> {
  const [row] = await sql<{ record: string }[]>`
    select record from staged where account = ${slug} and kind = 'account' order by line desc limit 1`
  return row?.record
}

/** What the file says of a kind, by identifier: the identifiers alone. */
export async function* readStagedIds(sql: TransactionSql, slug: string, kind: StagedKind): AsyncGenerator<string[]> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: { id: string }[] = await sql<{ id: string }[]>`
      select distinct id from staged
      where account = ${slug} and kind = ${kind} and id > ${after}
      order by id limit ${batchLength}`
    if (rows.length > 0) yield rows.map(({ id }) => id)
    after = rows.length < batchLength ? undefined : rows.at(-1)?.id
  }
}

/** The lines of a kind, by identifier. Of several lines for one thing the last one counts. */
export function readStaged(
  sql: TransactionSql,
  slug: string,
  kind: StagedKind,
): AsyncGenerator<(StagedRecord & { bytes: number })[]> {
  return inBatches(
    ({ id }) => id,
    (after) => sql<(StagedRecord & { bytes: number })[]>`
      with last as (
        select distinct on (id) line, id, record, stored_at, octet_length(record) as bytes from staged
        where account = ${slug} and kind = ${kind} and id > ${after}
        order by id, line desc limit ${batchLength}
      ), measured as (
        select *, sum(bytes) over (order by id) as bytes_so_far from last
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
        where account_id = ${account} and kind = 'purchase_order' and id = given.reference and what <> 'derived'
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

/** The same for tracking and its events. */
export async function findStagedOfShipments(
  sql: TransactionSql,
  slug: string,
  kind: 'tracking' | 'tracking_event',
  shipments: string[],
): Promise<StagedVersion[]> {
  return sql<StagedVersion[]>`
    select distinct on (id) line, id, record, stored_at, min(line) over (partition by id) < line as has_earlier
    from staged
    where account = ${slug} and kind = ${kind} and shipment = any(${shipments})
    order by id, line desc`
}

/** What the file says of the same thing before a line that does not count. */
export async function findStagedBefore(
  sql: TransactionSql,
  slug: string,
  kind: StagedKind,
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
