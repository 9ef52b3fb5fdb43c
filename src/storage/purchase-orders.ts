import { Refusal } from '../contract/refusals.js'
import { asJson, type Database, type Reader } from './database.js'
import type { KeyHolder } from './keys.js'
import { newestFirst } from './list-order.js'
import type { Ask } from './readers.js'
import { findRecords } from './records.js'
import { findingBodies, type Range, readList } from './rendered.js'
import { type AccountId, inTurn, type Transaction } from './transaction.js'

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

// As text, which the driver sends as it is: a template it would put together anew for each call.
const asPrepared = { prepare: true }
const orderCreation = `
  with patience as (
    select set_config('lock_timeout', $1, true) as lock_timeout
  ), raised as (
    update accounts set revision = revision + 1, purchase_order_revision = revision + 1,
      changed_at = greatest(clock_timestamp(), changed_at + interval '1 microsecond')
    from patience
    where account_id = $2 and lock_timeout is not null and suspended_at is null
      and exists (
        select from keys cross join service
        where keys.account_id = $2 and key_id = $3 and 'write' = any(scopes) and revoked_at is null
          and (expires_at is null or expires_at > now())
          and epoch || '.' || 'accounts'::regclass::oid = $4
      )
    returning revision, changed_at
  ), recorded as (
    insert into changes (account_id, kind, id, revision, at, author, what, record)
    select $2, 'purchase_order', $5, revision, changed_at, $6, 'created', $7 from raised
  )
  insert into purchase_orders (account_id, reference, newest_first, revision, body)
  select $2, $5, newest_first(changed_at), revision, $8 from raised
  returning reference`

/**
 * The same as one statement, for a caller whose key was known before: whether it still may is looked at along with the
 * write. Undefined when it may not, or no longer: nothing has happened then.
 */
export async function createPurchaseOrderAtOnce(
  db: Database,
  account: AccountId,
  { key_id, secrets }: Pick<KeyHolder, 'key_id' | 'secrets'>,
  { reference, body, record }: PurchaseOrderRow,
): Promise<boolean | undefined> {
  const author = `key:${key_id}`
  const write = (timeLeft: string) =>
    db.unsafe(orderCreation, [timeLeft, account, key_id, secrets.epoch, reference, author, record, body], asPrepared)
  try {
    const created = await inTurn(db, account, write)
    return created.length > 0 || undefined
  } catch (error) {
    if ((error as { constraint_name?: string }).constraint_name === 'purchase_orders_pkey') return false
    throw error
  }
}

/**
 * A change as two statements, for a caller whose key was known before: the first reads the order and looks whether the
 * key still may, the second writes if the account has not gone on since, in whatever way. Undefined when it may not,
 * there is no such order, or somebody was quicker: nothing has happened then.
 */
export async function changePurchaseOrderAtOnce(
  db: Database,
  account: AccountId,
  { key_id, secrets }: Pick<KeyHolder, 'key_id' | 'secrets'>,
  reference: string,
  revise: (stored: { record: string; isAssigned: boolean }) => Omit<PurchaseOrderRow, 'reference'>,
): Promise<true | undefined> {
  return inTurn(db, account, async (timeLeft) => {
    const [stored] = await db<{ revision: number; record: string; isAssigned: boolean }[]>`
      select accounts.revision, newest.record, exists (
        select from assignments where account_id = ${account} and reference = ${reference}
      ) as "isAssigned"
      from accounts join keys using (account_id) cross join service cross join lateral (
        select record from changes
        where account_id = ${account} and kind = ${kind} and id = ${reference} and what <> 'derived'
        order by changes.revision desc limit 1
      ) newest
      where account_id = ${account} and suspended_at is null and newest.record is not null
        and key_id = ${key_id} and 'write' = any(scopes) and revoked_at is null
        and (expires_at is null or expires_at > now()) and epoch || '.' || 'accounts'::regclass::oid = ${secrets.epoch}`
    if (!stored) return undefined
    const { record, body } = revise(stored)
    if (record === stored.record) return true
    const changed = await db`
      with patience as (
        select set_config('lock_timeout', ${timeLeft}, true) as lock_timeout
      ), raised as (
        update accounts set revision = revision + 1, purchase_order_revision = revision + 1,
          changed_at = greatest(clock_timestamp(), changed_at + interval '1 microsecond')
        from patience
        where account_id = ${account} and revision = ${stored.revision} and lock_timeout is not null
        returning revision, changed_at
      ), recorded as (
        insert into changes (account_id, kind, id, revision, at, author, what, record)
        select ${account}, ${kind}, ${reference}, revision, changed_at, ${`key:${key_id}`}, 'updated', ${record}
        from raised
      )
      update purchase_orders set revision = raised.revision, body = ${body}
      from raised where account_id = ${account} and reference = ${reference}
      returning reference`
    return changed.length > 0 || undefined
  })
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
    from unnest(${accounts}::integer[], ${references}::text[]) with ordinality as wanted (account_id, reference, place)
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
