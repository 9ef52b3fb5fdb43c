import type { ShipmentStatus } from '../contract/shipment.js'
import { askedTogether } from './coalesced.js'
import { asJson, type Database, type Reader } from './database.js'
import { newestFirst } from './list-order.js'
import { findingBodies, inPlace } from './rendered.js'
import type { AccountId, Transaction } from './transaction.js'

export type ShipmentRow = {
  svc_shipment_id: string
  created_at: string | undefined
  /** When it was first stored, if that was elsewhere. */
  stored_at: string | undefined
  status: ShipmentStatus | undefined
  body: string
  record: string
  what: 'created' | 'updated' | 'corrected'
  reason?: string | undefined
}

export async function saveShipments(tx: Transaction, account: AccountId, rows: ShipmentRow[]): Promise<void> {
  await saveShipmentBodies(tx, account, rows)
  await tx.record(
    rows.map(({ svc_shipment_id, what, record, reason }) => ({
      kind: 'shipment',
      id: svc_shipment_id,
      what,
      record,
      reason,
    })),
  )
}

/**
 * The same for shipments whose records are in the change log already. One that came without `created_at` takes its
 * place in the list by when it was first stored.
 */
export async function saveShipmentBodies(
  tx: Transaction,
  account: AccountId,
  rows: Omit<ShipmentRow, 'record' | 'what' | 'reason'>[],
): Promise<void> {
  const given = asJson(rows, ({ svc_shipment_id, created_at, stored_at, status, body }) => ({
    svc_shipment_id,
    newest_first: newestFirst(created_at),
    first_stored: newestFirst(stored_at),
    status,
    body,
  }))
  await tx.sql`
    insert into shipments (account_id, svc_shipment_id, newest_first, status, revision, body)
    select ${account}, saved.svc_shipment_id,
      coalesce(saved.newest_first, stored.newest_first, saved.first_stored, newest_first(now())),
      saved.status, ${tx.revision}, saved.body
    from jsonb_to_recordset(${given}::text::jsonb) as saved (svc_shipment_id text, newest_first bigint, first_stored bigint, status text, body text)
    left join shipments stored on stored.account_id = ${account} and stored.svc_shipment_id = saved.svc_shipment_id
    on conflict (account_id, svc_shipment_id) do update
    set newest_first = excluded.newest_first, status = excluded.status, revision = excluded.revision, body = excluded.body`
}

/** Stores the bodies of shipments whose derived fields may have changed; what is the same stays untouched. */
export async function rerenderShipments(
  tx: Transaction,
  account: AccountId,
  rows: { svc_shipment_id: string; body: string }[],
): Promise<void> {
  const given = asJson(rows)
  const changed = await tx.sql<{ id: string }[]>`
    update shipments set body = derived.body, revision = ${tx.revision}
    from jsonb_to_recordset(${given}::text::jsonb) as derived (svc_shipment_id text, body text)
    where account_id = ${account} and shipments.svc_shipment_id = derived.svc_shipment_id
      and shipments.body <> derived.body
    returning shipments.svc_shipment_id as id`
  await tx.record(changed.map(({ id }) => ({ kind: 'shipment', id, what: 'derived' })))
}

export const findShipment = findingBodies(
  (db, accounts, ids) => db`
    select place, body, revision
    from unnest((select ${accounts}::integer[]), (select ${ids}::text[]))
      with ordinality as wanted (account_id, svc_shipment_id, place)
    join shipments using (account_id, svc_shipment_id)`,
)

/** The bodies of a page, joined by commas; undefined when there are none. */
export async function findShipmentPage(
  db: Database,
  account: AccountId,
  page: { skip: number; take: number },
): Promise<Buffer | undefined> {
  // Pages from further down, and large ones, cost so much themselves that nothing is saved by asking for several.
  if (page.skip > 0) return findDeepPage(db, account, page)
  return (page.take <= smallPage ? findSmallPage : findLargePage)(db, { account, take: page.take })
}

type FirstPage = { account: AccountId; take: number }
const smallPage = 25
const findSmallPage = askedTogether<FirstPage, Buffer>(findFirstPages, { atOnce: 3, most: 10 })
const findLargePage = askedTogether<FirstPage, Buffer>(findFirstPages, { atOnce: 8, most: 1 })

async function findFirstPages(db: Database, pages: FirstPage[]): Promise<(Buffer | undefined)[]> {
  const accounts = pages.map(({ account }) => account)
  const takes = pages.map(({ take }) => take)
  const rows = await db`
    select place, (
      select string_agg(body, ',' order by newest_first, svc_shipment_id)
      from (
        select body, newest_first, svc_shipment_id from shipments
        where account_id = wanted.account_id order by newest_first, svc_shipment_id limit wanted.take
      ) page
    )
    from unnest((select ${accounts}::integer[]), (select ${takes}::integer[]))
      with ordinality as wanted (account_id, take, place)`.raw()
  return inPlace(pages.length, rows, ([, bodies]) => bodies ?? undefined)
}

// Found in the narrow index first, so that skipped shipments cost no body: `offset 0` keeps the planner from joining
// the whole account instead.
async function findDeepPage(
  db: Database,
  account: AccountId,
  { skip, take }: { skip: number; take: number },
): Promise<Buffer | undefined> {
  const [row] = await db`
    select string_agg(body, ',' order by page.newest_first, page.svc_shipment_id)
    from (
      select svc_shipment_id, newest_first from shipments
      where account_id = ${account}
      order by newest_first, svc_shipment_id offset ${skip} limit ${take}
    ) page
    cross join lateral (
      select body from shipments
      where account_id = ${account} and svc_shipment_id = page.svc_shipment_id offset 0
    ) found`.raw()
  return row?.[0] ?? undefined
}

/** Identifiers of a page, and of each what the account sees. */
export async function listShipmentBodies(
  db: Reader,
  account: AccountId,
  { skip, take }: { skip: number; take: number },
): Promise<{ id: string; body: string }[]> {
  return db<{ id: string; body: string }[]>`
    select svc_shipment_id as id, body from shipments
    where account_id = ${account} order by newest_first, svc_shipment_id offset ${skip} limit ${take}`
}

export async function findShipmentBodies(db: Reader, account: AccountId, ids: string[]): Promise<Map<string, string>> {
  const rows = await db<{ id: string; body: string }[]>`
    select svc_shipment_id as id, body from shipments where account_id = ${account} and svc_shipment_id = any(${ids})`
  return new Map(rows.map(({ id, body }) => [id, body]))
}

export async function findShipmentStatuses(
  db: Reader,
  account: AccountId,
  ids: string[],
): Promise<Map<string, ShipmentStatus | undefined>> {
  const rows = await db<{ svc_shipment_id: string; status: ShipmentStatus | null }[]>`
    select svc_shipment_id, status from shipments where account_id = ${account} and svc_shipment_id = any(${ids})`
  return new Map(rows.map((row) => [row.svc_shipment_id, row.status ?? undefined]))
}
