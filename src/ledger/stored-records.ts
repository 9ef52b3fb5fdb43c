import type { AccountId } from '../database/account-id.js'
import { batchBytes, batchLength, inBatches } from '../database/batches.js'
import type { TransactionSql } from '../database/database.js'
import type { ChangeKind } from './records.js'

/** The current version of a record. `newest_first` is its sort key, in lists that are sorted by date. */
export type StoredRecord = { id: string; record: string; newest_first: string | null }

/** All records of a kind of an account, by identifier, in batches. */
export async function* readStoredRecords(
  sql: TransactionSql,
  account: AccountId,
  kind: ChangeKind,
): AsyncGenerator<StoredRecord[]> {
  for await (const batch of newestRecords(sql, account, kind)) {
    const present = batch.filter((row): row is PresentRecord => row.record !== null)
    if (present.length > 0) yield withPlaces(present, await placesOf(sql, account, kind, present))
  }
}

// Removed records have no record text.
type NewestRecord = { id: string; record: string | null; bytes: number }
type PresentRecord = NewestRecord & { record: string }

function newestRecords(sql: TransactionSql, account: AccountId, kind: ChangeKind): AsyncGenerator<NewestRecord[]> {
  return inBatches(
    ({ id }) => id,
    (after) => sql<NewestRecord[]>`
      with newest as (
        select distinct on (id) id, record from changes
        where account_id = ${account} and kind = ${kind} and id > ${after} and what <> 'derived'
        order by id, revision desc limit ${batchLength}
      ), measured as (
        select id, record, coalesce(octet_length(record), 0) as bytes,
          sum(coalesce(octet_length(record), 0)) over (order by id) as bytes_so_far
        from newest
      )
      select id, record, bytes from measured where bytes_so_far - bytes < ${batchBytes} order by id`,
  )
}

type Place = { id: string; newest_first: string }

async function placesOf(
  sql: TransactionSql,
  account: AccountId,
  kind: ChangeKind,
  batch: PresentRecord[],
): Promise<Place[]> {
  const ids = batch.map(({ id }) => id)
  switch (kind) {
    case 'shipment':
      return sql<Place[]>`
        select svc_shipment_id as id, newest_first::text from shipments
        where account_id = ${account} and svc_shipment_id = any(${ids})`
    case 'invoice':
      return sql<Place[]>`
        select reference as id, newest_first::text from invoices
        where account_id = ${account} and reference = any(${ids})`
    case 'document':
      return sql<Place[]>`
        select id::text, newest_first::text from documents
        where account_id = ${account} and id = any(${ids}::uuid[])`
    case 'purchase_order':
      return sql<Place[]>`
        select reference as id, newest_first::text from purchase_orders
        where account_id = ${account} and reference = any(${ids})`
    default:
      return []
  }
}

function withPlaces(batch: PresentRecord[], places: Place[]): StoredRecord[] {
  const placeOf = new Map(places.map(({ id, newest_first }) => [id, newest_first]))
  return batch.map(({ id, record }) => ({ id, record, newest_first: placeOf.get(id) ?? null }))
}
