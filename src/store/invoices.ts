import type { InvoiceRecord, InvoiceStatus, InvoiceType } from '../contract/public/invoice.js'
import type { AccountId } from '../database/account-id.js'
import { businessNow } from '../database/business-now.js'
import { asJson, type Fragment, type Reader, type TransactionSql } from '../database/database.js'
import { lookup } from '../database/lookup.js'
import type { RunRead } from '../database/replicas.js'
import { type AccountKey, accountsOf, idsOf, keysOf } from './account-key.js'
import { newestFirst } from './list-order.js'
import { oneBody, type Range, readList } from './rendered.js'
import type { RowWrite } from './write.js'

type InvoiceRow = Pick<
  InvoiceRecord,
  'reference' | 'number' | 'svc_shipment_id' | 'type' | 'status' | 'sent_date' | 'due_date' | 'credited_invoice'
> & {
  /** Drafts are visible to operators only. */
  draft: boolean
  /** When it was first stored, if it was imported from another installation. */
  stored_at: string | undefined
  body: string
}

/** What a shipment shows of one of its invoices. */
export type ShipmentInvoice = {
  svc_shipment_id: string
  number: string | undefined
  type: InvoiceType | undefined
  status: InvoiceStatus | undefined
}

export function saveInvoices({ sql, revision }: RowWrite, account: AccountId, rows: InvoiceRow[]): Fragment {
  const given = asJson(rows, (row) => ({
    reference: row.reference,
    number: row.number,
    svc_shipment_id: row.svc_shipment_id,
    type: row.type,
    status: row.status,
    draft: row.draft,
    credited_invoice: row.credited_invoice,
    due_on: row.due_date,
    newest_first: newestFirst(row.sent_date),
    first_stored: newestFirst(row.stored_at),
    body: row.body,
  }))
  return sql`
    insert into invoices (
      account_id, reference, number, svc_shipment_id, type, status, draft, credited_invoice, due_on, newest_first, revision, body)
    select ${account}, saved.reference, saved.number, saved.svc_shipment_id, saved.type, saved.status,
      saved.draft, saved.credited_invoice, saved.due_on,
      coalesce(saved.newest_first, stored.newest_first, saved.first_stored, newest_first(${businessNow(sql)})), ${revision}, saved.body
    from jsonb_to_recordset(${given}::text::jsonb) as saved (
      reference text, number text, svc_shipment_id text, type text, status text, draft boolean, credited_invoice text,
      due_on text, newest_first bigint, first_stored bigint, body text)
    left join lateral (
      select newest_first from invoices where account_id = ${account} and reference = saved.reference offset 0
    ) stored on true
    on conflict (account_id, reference) do update
    set number = excluded.number, svc_shipment_id = excluded.svc_shipment_id, type = excluded.type,
      status = excluded.status, draft = excluded.draft, credited_invoice = excluded.credited_invoice, due_on = excluded.due_on,
      newest_first = excluded.newest_first, revision = excluded.revision, body = excluded.body`
}

export function deleteInvoice(sql: TransactionSql, account: AccountId, reference: string): Fragment {
  return sql`delete from invoices where account_id = ${account} and reference = ${reference}`
}

/** Decision: matched against `reference` first, then `number`, which is what a shipment refers to. */
export function findInvoice(db: Reader, account: AccountId, reference: string) {
  return oneBody(db`
    select body, revision, reference from invoices
    where account_id = ${account} and (reference = ${reference} or number = ${reference}) and not draft
    order by reference = ${reference} desc, newest_first, reference limit 1`)
}

/** The same for operators, who see drafts too; returns the reference. */
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

/** Includes drafts. */
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

/** The credit notes of these invoices, including drafts, ordered by reference. */
export async function findCreditNoteReferences(db: Reader, account: AccountId, invoices: string[]): Promise<string[]> {
  const rows = await db<{ reference: string }[]>`
    select reference from invoices
    where account_id = ${account} and credited_invoice = any(${invoices}) order by reference`
  return rows.map(({ reference }) => reference)
}

/** As they were at a revision. Candidates are those that credit these invoices now, and all that changed since. */
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

export function streamInvoiceBodies(ask: RunRead<Reader>, account: AccountId, range: Range) {
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

/** Ordered by the date they were sent, without drafts. */
export async function findInvoicesOfShipments(
  db: Reader,
  account: AccountId,
  shipments: string[],
): Promise<ShipmentInvoice[]> {
  return lookUpInvoices(db, keysOf(account, shipments))
}

const lookUpInvoices = lookup<AccountKey, ShipmentInvoice>(
  (db, keys) => db`
    select place, wanted.id as svc_shipment_id, number, type, status
    from unnest(${accountsOf(keys)}::integer[], ${idsOf(keys)}::text[]) with ordinality as wanted (account_id, id, place)
    cross join lateral (
      select number, type, status, newest_first, reference from invoices
      where account_id = wanted.account_id and svc_shipment_id = wanted.id and not draft offset 0
    ) sent
    order by newest_first desc, reference`,
)

/** Invoices and credit notes that customers see, by reference. */
export async function listIssuedInvoices(
  db: Reader,
  account: AccountId,
  after: string,
  limit: number,
): Promise<{ reference: string; body: string }[]> {
  return db`
    select reference, body from invoices
    where account_id = ${account} and reference > ${after} and not draft order by reference limit ${limit}`
}

/** The other invoices and drafts of a shipment, without credit notes. */
export async function findReferencesOfShipment(db: Reader, account: AccountId, shipment: string): Promise<string[]> {
  const rows = await db<{ reference: string }[]>`
    select reference from invoices
    where account_id = ${account} and svc_shipment_id = ${shipment} and type is distinct from 'credit_note'
    order by account_id, svc_shipment_id limit 100`
  return rows.map(({ reference }) => reference)
}

/** Available invoices whose due date has come, over all accounts. */
export async function findBecomingDue(
  db: Reader,
  today: string,
  limit: number,
): Promise<{ account_id: AccountId; reference: string }[]> {
  return db`
    select account_id, reference from invoices
    where status = 'available' and not draft and due_on <= ${today}
    order by due_on, account_id, reference limit ${limit}`
}
