import type { ImportKind } from '../../contract/import-line.js'
import type { AccountId } from '../../database/account-id.js'
import { batchBytes, batchLength, inBatches } from '../../database/batches.js'
import { asJson, type TransactionSql } from '../../database/database.js'
import type { StagedLine } from './import-staging.js'

/** Reads the staged lines of an import. `slug` is the name of the account in the file. */
export type StagedKind = Exclude<ImportKind, 'account'>
export type StagedRecord = { line: number; id: string; record: string; stored_at: string | null }

/** The record of the account itself. */
export async function findStagedAccount(sql: TransactionSql, slug: string): Promise<string | undefined> {
  const [row] = await sql<{ record: string }[]>`
    select record from staged where account = ${slug} and kind = 'account' order by line desc limit 1`
  return row?.record
}

/** The lines of a kind, by identifier. Of several lines for one record the last one counts. */
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

/** Replaces lines of a kind by others with the same identifiers and numbers. */
export async function restage(sql: TransactionSql, slug: string, kind: StagedKind, lines: StagedLine[]): Promise<void> {
  if (lines.length === 0) return
  await sql`
    update staged
    set shipment = given.shipment, reference = given.reference, invoice = given.invoice, names = given.names,
      record = given.record
    from jsonb_to_recordset(${asJson(lines)}::text::jsonb) as given (line bigint, id text, shipment text,
      reference text, invoice text, names text[], record text)
    where staged.account = ${slug} and staged.kind = ${kind} and staged.id = given.id and staged.line = given.line`
}

/** References of all orders in the file and in its assignments, in batches. */
export function readStagedReferences(
  sql: TransactionSql,
  slug: string,
): AsyncGenerator<{ reference: string; bytes: number }[]> {
  return inBatches(
    ({ reference }) => reference,
    (after) => sql<{ reference: string; bytes: number }[]>`
      select reference, sum(octet_length(record)) as bytes from staged
      where account = ${slug} and reference > ${after}
      group by reference order by reference limit ${batchLength}`,
  )
}

/** Shipments with tracking or events in the file, in batches. */
export function readStagedShipments(
  sql: TransactionSql,
  slug: string,
): AsyncGenerator<{ shipment: string; bytes: number }[]> {
  return inBatches(
    ({ shipment }) => shipment,
    (after) => sql<{ shipment: string; bytes: number }[]>`
      select shipment, sum(octet_length(record)) as bytes from staged
      where account = ${slug} and kind in ('tracking', 'tracking_event') and shipment > ${after}
      group by shipment order by shipment limit ${batchLength}`,
  )
}

export type StagedVersion = StagedRecord & { has_earlier: boolean }

/** The last line for each record, and whether there are earlier ones. */
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

/** The shipments, of those, that are cancelled after the import. */
export async function findCancelledShipments(
  sql: TransactionSql,
  slug: string,
  account: AccountId,
  shipments: string[],
): Promise<Set<string>> {
  const rows = await sql<{ shipment: string }[]>`
    select shipment from unnest(${shipments}::text[]) as wanted (shipment)
    left join lateral (
      select record::jsonb ->> 'status' as status, true as is_staged from staged
      where account = ${slug} and kind = 'shipment' and id = wanted.shipment order by line desc limit 1
    ) given on true
    left join shipments stored on stored.account_id = ${account} and stored.svc_shipment_id = wanted.shipment
    where case when given.is_staged then given.status else stored.status end = 'cancelled'`
  return new Set(rows.map(({ shipment }) => shipment))
}

/** The last lines of stored shipments that are cancelled, and are not after the import, in batches. */
export function readReinstated(
  sql: TransactionSql,
  slug: string,
  account: AccountId,
): AsyncGenerator<(StagedVersion & { bytes: number })[]> {
  return inBatches(
    ({ id }) => id,
    (after) => sql<(StagedVersion & { bytes: number })[]>`
      select given.*, octet_length(record) as bytes from (
        select distinct on (id) line, id, record, stored_at, min(line) over (partition by id) < line as has_earlier
        from staged
        where account = ${slug} and kind = 'shipment' and id > ${after}
        order by id, line desc
      ) given
      join shipments stored on stored.account_id = ${account} and stored.svc_shipment_id = given.id
      where stored.status = 'cancelled' and record::jsonb ->> 'status' is distinct from 'cancelled'
      order by id limit ${batchLength}`,
  )
}

/** The last line for each record of tracking and its events, and whether there are earlier ones. */
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

/** The line before a rejected one, for the same record. */
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
