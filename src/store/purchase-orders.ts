import type { AccountId } from '../database/account-id.js'
import { businessNow } from '../database/business-now.js'
import { asJson, type Fragment, type Reader } from '../database/database.js'
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
}

export function savePurchaseOrders(
  { sql, revision }: RowWrite,
  account: AccountId,
  rows: PurchaseOrderRow[],
): Fragment {
  const given = asJson(rows, ({ reference, body, stored_at }) => ({
    reference,
    body,
    first_stored: newestFirst(stored_at),
  }))
  return sql`
    insert into purchase_orders (account_id, reference, newest_first, revision, body)
    select ${account}, reference, coalesce(first_stored, newest_first(${businessNow(sql)})), ${revision}, body
    from jsonb_to_recordset(${given}::text::jsonb) as saved (reference text, first_stored bigint, body text)
    on conflict (account_id, reference) do update set revision = excluded.revision, body = excluded.body`
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

/** A page of orders: reference and body. */
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
    select id, body
    from unnest(${references}::text[]) as wanted (id)
    cross join lateral (
      select body from purchase_orders where account_id = ${account} and reference = wanted.id offset 0
    ) stored`
  return new Map(rows.map(({ id, body }) => [id, body]))
}
