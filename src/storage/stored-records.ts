import type { TransactionSql } from './database.js'
import type { AccountId, ChangeKind } from './transaction.js'

/** A record as it stands now. `newest_first` is its place in its list, where the list has dates. */
export type StoredRecord = { id: string; record: string; newest_first: string | null }

const batchLength = 500

/** Everything of a kind that the account has, by identifier, a batch at a time. */
export async function* readStoredRecords(
  sql: TransactionSql,
  account: AccountId,
  kind: ChangeKind,
): AsyncGenerator<StoredRecord[]> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const batch: StoredRecord[] = await newestRecords(sql, account, kind, after)
    if (batch.length > 0) yield withPlaces(batch, await placesOf(sql, account, kind, batch))
    after = batch.length === batchLength ? batch.at(-1)?.id : undefined
  }
}

function newestRecords(sql: TransactionSql, account: AccountId, kind: ChangeKind, after: string) {
  return sql<StoredRecord[]>`
    select distinct on (id) id, record, null as newest_first from changes
    where account_id = ${account} and kind = ${kind} and id > ${after} and record is not null
    order by id, revision desc limit ${batchLength}`
}

type Place = { id: string; newest_first: string }

async function placesOf(
  sql: TransactionSql,
  account: AccountId,
  kind: ChangeKind,
  batch: StoredRecord[],
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

function withPlaces(batch: StoredRecord[], places: Place[]): StoredRecord[] {
  const placeOf = new Map(places.map(({ id, newest_first }) => [id, newest_first]))
  return batch.map((stored) => ({ ...stored, newest_first: placeOf.get(stored.id) ?? null }))
}
