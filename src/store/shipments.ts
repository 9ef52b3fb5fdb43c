import type { ShipmentStatus } from '../contract/public/shipment.js'
import type { AccountId } from '../database/account-id.js'
import { databaseBatcher } from '../database/batcher.js'
import { businessNow } from '../database/business-now.js'
import { asJson, type Database, type Reader } from '../database/database.js'
import { lookup } from '../database/lookup.js'
import { type AccountKey, accountsOf, idsOf, keysOf } from './account-key.js'
import { newestFirst } from './list-order.js'
import { bodyFinder } from './rendered.js'
import type { RowWrite } from './write.js'

type ShipmentRow = {
  svc_shipment_id: string
  created_at: string | undefined
  /** When it was first stored, if it was imported from another installation. */
  stored_at: string | undefined
  status: ShipmentStatus | undefined
  body: string
}

/** A shipment without `created_at` is sorted by when it was first stored. */
export function saveShipments({ sql, revision }: RowWrite, account_id: AccountId, rows: ShipmentRow[]): void {
  sql.gathering.write(
    upsertShipments,
    rows.map((row) => ({ ...row, account_id, revision })),
  )
}

function upsertShipments(sql: Reader, rows: (ShipmentRow & { account_id: AccountId; revision: number })[]) {
  const given = asJson(rows, ({ created_at, stored_at, ...row }) => ({
    ...row,
    newest_first: newestFirst(created_at),
    first_stored: newestFirst(stored_at),
  }))
  return sql`
    insert into shipments (account_id, svc_shipment_id, newest_first, status, revision, body)
    select saved.account_id, saved.svc_shipment_id,
      coalesce(saved.newest_first, stored.newest_first, saved.first_stored, newest_first(${businessNow(sql)})),
      saved.status, saved.revision, saved.body
    from jsonb_to_recordset(${given}::text::jsonb) as saved (
      account_id integer, svc_shipment_id text, newest_first bigint, first_stored bigint, status text, revision bigint, body text)
    left join lateral (
      select newest_first from shipments
      where account_id = saved.account_id and svc_shipment_id = saved.svc_shipment_id offset 0
    ) stored on true
    on conflict (account_id, svc_shipment_id) do update
    set newest_first = excluded.newest_first, status = excluded.status, revision = excluded.revision, body = excluded.body`
}

export const findShipment = bodyFinder(
  (db, accounts, ids) => db`
    select place, body, revision
    from unnest((select ${accounts}::integer[]), (select ${ids}::text[]))
      with ordinality as wanted (account_id, svc_shipment_id, place)
    join shipments using (account_id, svc_shipment_id)`,
)

/** The bodies of a page. */
export async function listShipmentPage(
  db: Database,
  account: AccountId,
  page: { skip: number; take: number },
): Promise<Buffer[]> {
  // Only small first pages are batched: others cost so much themselves that batching saves nothing.
  if (page.skip > 0) return findDeepPage(db, account, page)
  const bodies = await (page.take <= smallPage ? findSmallPage : findLargePage)(db, { account, take: page.take })
  return bodies ?? []
}

type FirstPage = { account: AccountId; take: number }
const smallPage = 25
const findSmallPage = databaseBatcher<FirstPage, Buffer[]>(findFirstPages, { concurrency: 3, size: 10 })
const findLargePage = databaseBatcher<FirstPage, Buffer[]>(findFirstPages, { concurrency: 8, size: 1 })

async function findFirstPages(db: Database, pages: FirstPage[]): Promise<Buffer[][]> {
  const accounts = pages.map(({ account }) => account)
  const takes = pages.map(({ take }) => take)
  const rows = await db`
    select place, body
    from unnest((select ${accounts}::integer[]), (select ${takes}::integer[]))
      with ordinality as wanted (account_id, take, place)
    cross join lateral (
      select body, newest_first, svc_shipment_id from shipments
      where account_id = wanted.account_id order by newest_first, svc_shipment_id limit wanted.take
    ) page
    order by place, newest_first, svc_shipment_id`.bytes<[string, Buffer]>()
  const bodies: Buffer[][] = pages.map(() => [])
  for (const [place, body] of rows) bodies[Number(place) - 1]?.push(body)
  return bodies
}

// Skips in the narrow index, without reading bodies; `offset 0` keeps the planner from joining the whole account.
async function findDeepPage(
  db: Database,
  account: AccountId,
  { skip, take }: { skip: number; take: number },
): Promise<Buffer[]> {
  const rows = await db`
    select body
    from (
      select svc_shipment_id, newest_first from shipments
      where account_id = ${account}
      order by newest_first, svc_shipment_id offset ${skip} limit ${take}
    ) page
    cross join lateral (
      select body from shipments
      where account_id = ${account} and svc_shipment_id = page.svc_shipment_id offset 0
    ) found
    order by page.newest_first, page.svc_shipment_id`.bytes<[Buffer]>()
  return rows.map(([body]) => body)
}

/** A page of shipments: identifier and body. */
export async function listShipmentIds(
  db: Reader,
  account: AccountId,
  { skip, take }: { skip: number; take: number },
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select svc_shipment_id as id from shipments
    where account_id = ${account} order by newest_first, svc_shipment_id offset ${skip} limit ${take}`
  return rows.map(({ id }) => id)
}

export async function findShipmentBodies(db: Reader, account: AccountId, ids: string[]): Promise<Map<string, string>> {
  const rows = await lookUpBodies(db, keysOf(account, ids))
  return new Map(rows.map(({ id, body }) => [id, body]))
}

const lookUpBodies = lookup<AccountKey, { id: string; body: string }>(
  (db, keys) => db`
    select place, id, body
    from unnest(${accountsOf(keys)}::integer[], ${idsOf(keys)}::text[]) with ordinality as wanted (account_id, id, place)
    cross join lateral (
      select body from shipments where account_id = wanted.account_id and svc_shipment_id = wanted.id offset 0
    ) stored`,
)

/** Shipments of all accounts that are booked or under way. */
export async function listMovingShipments(
  db: Reader,
): Promise<{ account_id: AccountId; slug: string; svc_shipment_id: string }[]> {
  return db`
    select account_id, slug, svc_shipment_id from shipments join accounts using (account_id)
    where status in ('booked', 'in_progress') order by account_id, svc_shipment_id`
}

export async function findShipmentStatuses(
  db: Reader,
  account: AccountId,
  ids: string[],
): Promise<Map<string, ShipmentStatus | undefined>> {
  const rows = await db<{ svc_shipment_id: string; status: ShipmentStatus | null }[]>`
    select stored.*
    from unnest(${ids}::text[]) as wanted (id) cross join lateral (
      select svc_shipment_id, status from shipments where account_id = ${account} and svc_shipment_id = wanted.id offset 0
    ) stored`
  return new Map(rows.map((row) => [row.svc_shipment_id, row.status ?? undefined]))
}
