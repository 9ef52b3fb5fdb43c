import { Refusal } from '../contract/refusals.js'
import { batchesOf } from './batches.js'
import { asJson, type Reader } from './database.js'
import { newestFirst } from './list-order.js'
import type { Ask } from './readers.js'
import { findRecords } from './records.js'
import { findingBodies, type Range, readList } from './rendered.js'
import type { AccountId, Transaction } from './transaction.js'

const kind = 'purchase_order' as const

export type PurchaseOrderRow = { reference: string; body: string; record: string }

/** False when the account has an order with this reference. */
export async function createPurchaseOrder(
  tx: Transaction,
  account: AccountId,
  order: PurchaseOrderRow,
): Promise<boolean> {
  const created = await tx.sql`
    insert into purchase_orders (account_id, reference, newest_first, revision, body)
    values (${account}, ${order.reference}, newest_first(now()), ${tx.revision}, ${order.body})
    on conflict do nothing returning reference`
  if (created.length === 0) return false
  await tx.record([{ kind: 'purchase_order', id: order.reference, what: 'created', record: order.record }])
  return true
}

/** Creates those whose references are free, and answers which those were. */
export async function createPurchaseOrders(
  tx: Transaction,
  account: AccountId,
  orders: PurchaseOrderRow[],
): Promise<Set<string>> {
  const created = new Set<string>()
  for (const batch of batchesOf(orders, ({ body, record }) => body.length + record.length)) {
    const given = asJson(batch, ({ reference, body }) => ({ reference, body }))
    const rows = await tx.sql<{ reference: string }[]>`
      insert into purchase_orders (account_id, reference, newest_first, revision, body)
      select ${account}, reference, newest_first(now()), ${tx.revision}, body
      from jsonb_to_recordset(${given}::text::jsonb) as given (reference text, body text)
      on conflict do nothing returning reference`
    for (const { reference } of rows) created.add(reference)
    const fresh = batch.filter(({ reference }) => created.has(reference))
    await tx.record(fresh.map(({ reference, record }) => ({ kind, id: reference, what: 'created', record })))
  }
  return created
}

/** Which of these references are those of orders of the account. */
export async function findTakenReferences(db: Reader, account: AccountId, references: string[]): Promise<Set<string>> {
  const rows = await db<{ reference: string }[]>`
    select reference from purchase_orders where account_id = ${account} and reference = any(${references})`
  return new Set(rows.map(({ reference }) => reference))
}

export async function savePurchaseOrders(
  tx: Transaction,
  account: AccountId,
  rows: (PurchaseOrderRow & { what: 'created' | 'updated' })[],
): Promise<void> {
  const changes = rows.map(({ reference, what, record }) => ({ kind, id: reference, what, record }))
  await Promise.all([savePurchaseOrderBodies(tx, account, rows), tx.record(changes)])
}

/** The same for orders whose records are in the change log already. */
export async function savePurchaseOrderBodies(
  tx: Transaction,
  account: AccountId,
  rows: (Pick<PurchaseOrderRow, 'reference' | 'body'> & { stored_at?: string | undefined })[],
): Promise<void> {
  const given = asJson(rows, ({ reference, body, stored_at }) => ({
    reference,
    body,
    first_stored: newestFirst(stored_at),
  }))
  await tx.sql`
    insert into purchase_orders (account_id, reference, newest_first, revision, body)
    select ${account}, reference, coalesce(first_stored, newest_first(now())), ${tx.revision}, body
    from jsonb_to_recordset(${given}::text::jsonb)
      as saved (reference text, first_stored bigint, body text)
    on conflict (account_id, reference) do update set revision = excluded.revision, body = excluded.body`
}

/** Stores the bodies of orders whose derived fields may have changed; what is the same stays untouched. */
export async function rerenderPurchaseOrders(
  tx: Transaction,
  account: AccountId,
  rows: { reference: string; body: string }[],
): Promise<void> {
  const given = asJson(rows)
  const changed = await tx.sql<{ id: string }[]>`
    update purchase_orders set body = derived.body, revision = ${tx.revision}
    from jsonb_to_recordset(${given}::text::jsonb) as derived (reference text, body text)
    where account_id = ${account} and purchase_orders.reference = derived.reference
      and purchase_orders.body <> derived.body
    returning purchase_orders.reference as id`
  await tx.record(changed.map(({ id }) => ({ kind: 'purchase_order', id, what: 'derived' })))
}

/** The record of an order. The transaction holds the account's lock, so it stays as it is until the end. */
export async function getPurchaseOrderRecord(tx: Transaction, account: AccountId, reference: string): Promise<string> {
  const record = (await findRecords(tx.sql, account, 'purchase_order', [reference])).get(reference)
  if (record === undefined) throw new Refusal('purchase_order_not_found')
  return record
}

export const findPurchaseOrder = findingBodies(
  (db, accounts, references) => db`
    select place, body, revision
    from unnest((select ${accounts}::integer[]), (select ${references}::text[]))
      with ordinality as wanted (account_id, reference, place)
    join purchase_orders using (account_id, reference)`,
)

export function listPurchaseOrders(ask: Ask<Reader>, account: AccountId, range: Range) {
  return readList(
    ask,
    range,
    (db, { after, id, skip, limit, bytes }) => db`
    with stretch as (
      select body, newest_first, reference from purchase_orders
      where account_id = ${account} and (newest_first, reference) > (${after}::bigint, ${id})
      order by newest_first, reference offset ${skip} limit ${limit}
    ), measured as (
      select *, sum(octet_length(body)) over (order by newest_first, reference) as bytes_so_far from stretch
    )
    select body, newest_first, reference from measured
    where bytes_so_far - octet_length(body) < ${bytes}
    order by newest_first, reference`,
  )
}

/** References of a page, and of each what the account sees. */
export async function listPurchaseOrderBodies(
  db: Reader,
  account: AccountId,
  { skip, take }: { skip: number; take: number },
): Promise<{ id: string; body: string }[]> {
  return db<{ id: string; body: string }[]>`
    select reference as id, body from purchase_orders
    where account_id = ${account} order by newest_first, reference offset ${skip} limit ${take}`
}

export async function findPurchaseOrderBodies(
  db: Reader,
  account: AccountId,
  references: string[],
): Promise<Map<string, string>> {
  const rows = await db<{ id: string; body: string }[]>`
    select reference as id, body from purchase_orders
    where account_id = ${account} and reference = any(${references})`
  return new Map(rows.map(({ id, body }) => [id, body]))
}
