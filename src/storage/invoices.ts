import type { InvoiceStatus, InvoiceType } from '../contract/invoice.js'
import { asJson, type Reader } from './database.js'
import { newestFirst } from './list-order.js'
import { oneBody, type Range, readList } from './rendered.js'
import type { AccountId, Transaction } from './transaction.js'

export type InvoiceRow = {
  reference: string
  number: string | undefined
  svc_shipment_id: string | undefined
  type: InvoiceType | undefined
  status: InvoiceStatus | undefined
  sent_date: string | undefined
  /** When it was first stored, if that was elsewhere. */
  stored_at: string | undefined
  body: string
  record: string
  what: 'created' | 'updated'
}

/** What a shipment tells of one of its invoices. */
export type ShipmentInvoice = {
  svc_shipment_id: string
  number: string | undefined
  type: InvoiceType | undefined
  status: InvoiceStatus | undefined
}

export async function saveInvoices(tx: Transaction, account: AccountId, rows: InvoiceRow[]): Promise<void> {
  const given = asJson(rows, ({ record: _record, what: _what, sent_date, stored_at, ...row }) => ({
    ...row,
    newest_first: newestFirst(sent_date),
    first_stored: newestFirst(stored_at),
  }))
  await tx.sql`
    insert into invoices (account_id, reference, number, svc_shipment_id, type, status, newest_first, revision, body)
    select ${account}, saved.reference, saved.number, saved.svc_shipment_id, saved.type, saved.status,
      coalesce(saved.newest_first, stored.newest_first, saved.first_stored, newest_first(now())), ${tx.revision}, saved.body
    from jsonb_to_recordset(${given}::text::jsonb) as saved (
      reference text, number text, svc_shipment_id text, type text, status text, newest_first bigint, first_stored bigint,
      body text)
    left join invoices stored on stored.account_id = ${account} and stored.reference = saved.reference
    on conflict (account_id, reference) do update
    set number = excluded.number, svc_shipment_id = excluded.svc_shipment_id, type = excluded.type,
      status = excluded.status, newest_first = excluded.newest_first, revision = excluded.revision, body = excluded.body`
  await tx.record(rows.map((row) => ({ kind: 'invoice', id: row.reference, what: row.what, record: row.record })))
}

/** Decision: matched against `reference` first, then `number`, which is what a shipment refers to. */
export function findInvoice(db: Reader, account: AccountId, reference: string) {
  return oneBody(db`
    select body, revision, reference from invoices
    where account_id = ${account} and (reference = ${reference} or number = ${reference})
    order by reference = ${reference} desc, newest_first, reference limit 1`)
}

export function listInvoices(db: Reader, account: AccountId, range: Range) {
  return readList(
    range,
    ({ after, id, skip, limit, bytes }) => db`
    with stretch as (
      select body, newest_first, reference from invoices
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

/** In the order in which they were sent. */
export async function findInvoicesOfShipments(
  db: Reader,
  account: AccountId,
  shipments: string[],
): Promise<ShipmentInvoice[]> {
  return db<ShipmentInvoice[]>`
    select svc_shipment_id, number, type, status from invoices
    where account_id = ${account} and svc_shipment_id = any(${shipments})
    order by newest_first desc, reference`
}
