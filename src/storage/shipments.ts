import type { ShipmentStatus } from '../contract/shipment.js'
import { asJson, type Reader } from './database.js'
import { newestFirst } from './list-order.js'
import { oneBody } from './rendered.js'
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

export function findShipment(db: Reader, account: AccountId, id: string) {
  return oneBody(db`select body, revision from shipments where account_id = ${account} and svc_shipment_id = ${id}`)
}

/** A page is found in the narrow index first, so that skipped shipments cost no body. */
export async function readShipmentPage(
  db: Reader,
  account: AccountId,
  { skip, take }: { skip: number; take: number },
): Promise<Buffer[][]> {
  return db`
    select shipments.body
    from (
      select svc_shipment_id, newest_first from shipments
      where account_id = ${account}
      order by newest_first, svc_shipment_id offset ${skip} limit ${take}
    ) page
    join shipments using (svc_shipment_id)
    where shipments.account_id = ${account}
    order by page.newest_first, page.svc_shipment_id`.raw()
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
