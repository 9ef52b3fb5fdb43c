import type { AccountId } from '../database/account-id.js'
import { businessNow } from '../database/business-now.js'
import { asJson, type Reader } from '../database/database.js'
import type { RunRead } from '../database/replicas.js'
import { newestFirst } from './list-order.js'
import { bodyFinder, type Range, readList } from './rendered.js'
import type { RowWrite } from './write.js'

/** Which of these references the account uses already. */
export async function findTakenReferences(db: Reader, account: AccountId, references: string[]): Promise<Set<string>> {
  const rows = await db<{ reference: string }[]>`
    select taken.reference
    from unnest(${references}::text[]) as wanted (reference) cross join lateral (
      select reference from purchase_orders where account_id = ${account} and reference = wanted.reference offset 0
    ) taken`
  return new Set(rows.map(({ reference }) => reference))
}

type PurchaseOrderRow = {
  reference: string
  body: string
  /** When it was first stored, if it was imported from another installation. */
  stored_at: string | undefined
  cancelled_at: string | undefined
}

export function savePurchaseOrders({ sql, revision }: RowWrite, account_id: AccountId, rows: PurchaseOrderRow[]): void {
  sql.gathering.write(
    upsertOrders,
    rows.map((row) => ({ ...row, account_id, revision })),
  )
}

/** Of new orders: fails if the account has one with the same reference. */
export function insertPurchaseOrders(
  { sql, revision }: RowWrite,
  account_id: AccountId,
  rows: PurchaseOrderRow[],
): void {
  sql.gathering.write(
    insertOrders,
    rows.map((row) => ({ ...row, account_id, revision })),
  )
}

type SavedOrder = PurchaseOrderRow & { account_id: AccountId; revision: number }

function upsertOrders(sql: Reader, rows: SavedOrder[]) {
  return sql`
    ${insertOrders(sql, rows)}
    on conflict (account_id, reference) do update set revision = excluded.revision, body = excluded.body,
      cancelled_at = excluded.cancelled_at`
}

function insertOrders(sql: Reader, rows: SavedOrder[]) {
  const given = asJson(rows, ({ account_id, reference, revision, body, stored_at, cancelled_at }) => ({
    account_id,
    reference,
    revision,
    body,
    cancelled_at,
    first_stored: newestFirst(stored_at),
  }))
  return sql`
    insert into purchase_orders (account_id, reference, newest_first, revision, body, cancelled_at)
    select account_id, reference, coalesce(first_stored, newest_first(${businessNow(sql)})), revision, body, cancelled_at
    from jsonb_to_recordset(${given}::text::jsonb) as saved (
      account_id integer, reference text, revision bigint, first_stored bigint, body text, cancelled_at timestamptz)`
}

export const findPurchaseOrder = bodyFinder(
  (db, accounts, references) => db`
    select place, body, revision
    from unnest((select ${accounts}::integer[]), (select ${references}::text[]))
      with ordinality as wanted (account_id, reference, place)
    join purchase_orders using (account_id, reference)`,
)

export function streamPurchaseOrderBodies(ask: RunRead<Reader>, account: AccountId, range: Range) {
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

export async function listPurchaseOrderReferences(
  db: Reader,
  account: AccountId,
  { skip, take }: { skip: number; take: number },
): Promise<string[]> {
  const rows = await db<{ reference: string }[]>`
    select reference from purchase_orders
    where account_id = ${account} order by newest_first, reference offset ${skip} limit ${take}`
  return rows.map(({ reference }) => reference)
}

export async function findPurchaseOrderBodies(
  db: Reader,
  account: AccountId,
  references: string[],
): Promise<Map<string, string>> {
  const rows = await db<{ id: string; body: string }[]>`
    select id, body
    from unnest(${references}::text[]) as wanted (id)
    cross join lateral (
      select body from purchase_orders where account_id = ${account} and reference = wanted.id offset 0
    ) stored`
  return new Map(rows.map(({ id, body }) => [id, body]))
}
