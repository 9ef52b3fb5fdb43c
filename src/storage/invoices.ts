import type { InvoiceStatus, InvoiceType } from '../contract/invoice.js'
import { asJson, type Reader } from './database.js'
import { newestFirst } from './list-order.js'
import type { Ask } from './readers.js'
import { oneBody, type Range, readList } from './rendered.js'
import type { AccountId, Transaction } from './transaction.js'

export type InvoiceRow = {
  reference: string
  number: string | undefined
  svc_shipment_id: string | undefined
  type: InvoiceType | undefined
  status: InvoiceStatus | undefined
  sent_date: string | undefined
  /** The forwarder's alone: no customer's read finds it. */
  draft: boolean
  credited_invoice: string | undefined
  /** When it was first stored, if that was elsewhere. */
  stored_at: string | undefined
  body: string
  record: string
  what: 'created' | 'updated'
  reason?: string | undefined
}

/** What a shipment tells of one of its invoices. */
export type ShipmentInvoice = {
  svc_shipment_id: string
  number: string | undefined
  type: InvoiceType | undefined
  status: InvoiceStatus | undefined
}

export async function saveInvoices(tx: Transaction, account: AccountId, rows: InvoiceRow[]): Promise<void> {
  const given = asJson(rows, ({ record: _record, what: _what, reason: _reason, sent_date, stored_at, ...row }) => ({
    ...row,
    newest_first: newestFirst(sent_date),
    first_stored: newestFirst(stored_at),
  }))
  await tx.sql`
    insert into invoices (
      account_id, reference, number, svc_shipment_id, type, status, draft, credited_invoice, newest_first, revision, body)
    select ${account}, saved.reference, saved.number, saved.svc_shipment_id, saved.type, saved.status,
      saved.draft, saved.credited_invoice,
      coalesce(saved.newest_first, stored.newest_first, saved.first_stored, newest_first(now())), ${tx.revision}, saved.body
    from jsonb_to_recordset(${given}::text::jsonb) as saved (
      reference text, number text, svc_shipment_id text, type text, status text, draft boolean, credited_invoice text,
      newest_first bigint, first_stored bigint, body text)
    left join invoices stored on stored.account_id = ${account} and stored.reference = saved.reference
    on conflict (account_id, reference) do update
    set number = excluded.number, svc_shipment_id = excluded.svc_shipment_id, type = excluded.type,
      status = excluded.status, draft = excluded.draft, credited_invoice = excluded.credited_invoice,
      newest_first = excluded.newest_first, revision = excluded.revision, body = excluded.body`
  await tx.record(
    rows.map(({ reference, what, record, reason }) => ({ kind: 'invoice', id: reference, what, record, reason })),
  )
}

export async function removeInvoice(
  tx: Transaction,
  account: AccountId,
  reference: string,
  reason: string | undefined,
): Promise<void> {
  await tx.sql`delete from invoices where account_id = ${account} and reference = ${reference}`
  await tx.record([{ kind: 'invoice', id: reference, what: 'removed', reason }])
}

/** Decision: matched against `reference` first, then `number`, which is what a shipment refers to. */
export function findInvoice(db: Reader, account: AccountId, reference: string) {
  return oneBody(db`
    select body, revision, reference from invoices
    where account_id = ${account} and (reference = ${reference} or number = ${reference}) and not draft
    order by reference = ${reference} desc, newest_first, reference limit 1`)
}

/** The same for operators, who see drafts too: the reference of what is meant. */
export async function findInvoiceReference(
  db: Reader,
  account: AccountId,
  referenceOrNumber: string,
): Promise<string | undefined> {
  const [row] = await db<{ reference: string }[]>`
    select reference from invoices
    where account_id = ${account} and (reference = ${referenceOrNumber} or number = ${referenceOrNumber})
    order by reference = ${referenceOrNumber} desc, newest_first, reference limit 1`
  return row?.reference
}

/** Drafts too. */
export async function listInvoiceReferences(
  db: Reader,
  account: AccountId,
  { skip, take }: { skip: number; take: number },
): Promise<string[]> {
  const rows = await db<{ reference: string }[]>`
    select reference from invoices
    where account_id = ${account} order by newest_first, reference offset ${skip} limit ${take}`
  return rows.map(({ reference }) => reference)
}

/** The credit notes against these invoices, drafts too, in the order of their references. */
export async function findCreditNoteReferences(db: Reader, account: AccountId, invoices: string[]): Promise<string[]> {
  const rows = await db<{ reference: string }[]>`
    select reference from invoices
    where account_id = ${account} and credited_invoice = any(${invoices}) order by reference`
  return rows.map(({ reference }) => reference)
}

/** As they were at a revision: among those that credit these now, and those that were changed since then. */
export async function findCreditNotesAt(
  db: Reader,
  account: AccountId,
  invoices: string[],
  revision: number,
): Promise<string[]> {
  const rows = await db<{ record: string }[]>`
    with candidates as (
      select reference as id from invoices where account_id = ${account} and credited_invoice = any(${invoices})
      union
      select id from changes
      where account_id = ${account} and kind = 'invoice' and revision > ${revision} and what <> 'derived'
    ), notes as materialized (
      select newest.id, newest.record
      from candidates
      cross join lateral (
        select id, record from changes
        where account_id = ${account} and kind = 'invoice' and id = candidates.id and what <> 'derived'
          and revision <= ${revision}
        order by revision desc limit 1
      ) newest
      where strpos(newest.record, '"credited_invoice":') > 0
    )
    select record from notes where record::jsonb ->> 'credited_invoice' = any(${invoices}) order by id`
  return rows.map(({ record }) => record)
}

export function listInvoices(ask: Ask<Reader>, account: AccountId, range: Range) {
  return readList(
    ask,
    range,
    (db, { after, id, skip, limit, bytes }) => db`
    with stretch as (
      select body, newest_first, reference from invoices
      where account_id = ${account} and (newest_first, reference) > (${after}::bigint, ${id}) and not draft
      order by newest_first, reference offset ${skip} limit ${limit}
    ), measured as (
      select *, sum(octet_length(body)) over (order by newest_first, reference) as bytes_so_far from stretch
    )
    select body, newest_first, reference from measured
    where bytes_so_far - octet_length(body) < ${bytes}
    order by newest_first, reference`,
  )
}

/** In the order in which they were sent; a draft is not yet the shipment's. */
export async function findInvoicesOfShipments(
  db: Reader,
  account: AccountId,
  shipments: string[],
): Promise<ShipmentInvoice[]> {
  return db<ShipmentInvoice[]>`
    select svc_shipment_id, number, type, status from invoices
    where account_id = ${account} and svc_shipment_id = any(${shipments}) and not draft
    order by newest_first desc, reference`
}
