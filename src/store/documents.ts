import type { Document, DocumentRecord, DocumentType } from '../contract/public/document.js'
import type { AccountId } from '../database/account-id.js'
import { businessNow } from '../database/business-now.js'
import { asJson, type Fragment, type Reader, type TransactionSql } from '../database/database.js'
import { lookup } from '../database/lookup.js'
import type { RunRead } from '../database/replicas.js'
import { type AccountKey, accountsOf, idsOf, keysOf } from './account-key.js'
import { newestFirst } from './list-order.js'
import { type Range, readList } from './rendered.js'
import type { RowWrite } from './write.js'

type DocumentRow = Pick<DocumentRecord, 'id' | 'svc_shipment_id' | 'type' | 'name' | 'uploaded_at'> & {
  /** When it was first stored, if it was imported from another installation. */
  stored_at: string | undefined
  content_hash: string
  body: string
}

export function saveDocuments({ sql, revision }: RowWrite, account: AccountId, rows: DocumentRow[]): Fragment {
  const given = asJson(rows, (row) => ({
    id: row.id,
    svc_shipment_id: row.svc_shipment_id,
    type: row.type,
    name: row.name,
    content_hash: row.content_hash,
    newest_first: newestFirst(row.uploaded_at),
    first_stored: newestFirst(row.stored_at),
    body: row.body,
  }))
  return sql`
    insert into documents (account_id, id, svc_shipment_id, type, name, content_hash, newest_first, revision, body)
    select ${account}, saved.id, saved.svc_shipment_id, saved.type, saved.name, saved.content_hash,
      coalesce(saved.newest_first, stored.newest_first, saved.first_stored, newest_first(${businessNow(sql)})),
      ${revision}, saved.body
    from jsonb_to_recordset(${given}::text::jsonb) as saved (
      id uuid, svc_shipment_id text, type text, name text, newest_first bigint, first_stored bigint, content_hash text,
      body text)
    left join lateral (
      select newest_first from documents where account_id = ${account} and id = saved.id offset 0
    ) stored on true
    on conflict (account_id, id) do update
    set svc_shipment_id = excluded.svc_shipment_id, type = excluded.type, name = excluded.name,
      content_hash = excluded.content_hash, newest_first = excluded.newest_first, revision = excluded.revision,
      body = excluded.body`
}

export async function countDocuments(db: Reader, account: AccountId): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from documents where account_id = ${account}`
  return row?.count ?? 0
}

/** Its content is kept, for its history. */
export function deleteDocument(sql: TransactionSql, account: AccountId, id: string): Fragment {
  return sql`delete from documents where account_id = ${account} and id = ${id}`
}

export type DocumentFilter = { svc_shipment_id?: string | undefined; type?: DocumentType | undefined }

/** Rows of `body, newest_first, id`; the body has no link and no closing brace yet. */
export function streamDocumentBodies(ask: RunRead<Reader>, account: AccountId, filter: DocumentFilter, range: Range) {
  const type = filter.type ?? null
  const shipment = filter.svc_shipment_id
  if (shipment === undefined) {
    return readList(
      ask,
      range,
      (db, { after, id, skip, limit }) => db`
      select body, newest_first, id from documents
      where account_id = ${account} and (newest_first, id) > (${after}::bigint, ${uuidAfter(id)}::uuid)
        and (${type}::text is null or type = ${type})
      order by newest_first, id offset ${skip} limit ${limit}`,
    )
  }
  return readList(
    ask,
    range,
    (db, { after, id, skip, limit }) => db`
    select body, newest_first, id from documents
    where account_id = ${account} and svc_shipment_id = ${shipment}
      and (newest_first, id) > (${after}::bigint, ${uuidAfter(id)}::uuid)
      and (${type}::text is null or type = ${type})
    order by newest_first, id offset ${skip} limit ${limit}`,
  )
}

/** The body of one document, without its link and closing brace. */
export async function findDocumentBody(db: Reader, account: AccountId, id: string): Promise<string | undefined> {
  const [row] = await db<{ body: string }[]>`select body from documents where account_id = ${account} and id = ${id}`
  return row?.body
}

function uuidAfter(id: string): string {
  return id === '' ? '00000000-0000-0000-0000-000000000000' : id
}

type DocumentContentRow = { name: string; content_hash: string; is_suspended: boolean }

export async function findDocumentContent(
  db: Reader,
  account: AccountId,
  id: string,
): Promise<DocumentContentRow | undefined> {
  const [row] = await db<DocumentContentRow[]>`
    select documents.name, content_hash, suspended_at is not null as is_suspended
    from documents join accounts using (account_id)
    where account_id = ${account} and id = ${id}`
  return row
}

/** In the order of the identifiers; unknown ones are left out. */
export async function findDocumentRecords(
  db: Reader,
  account: AccountId,
  ids: string[],
): Promise<Omit<Document, 'link'>[]> {
  const rows = await db<{ body: string }[]>`
    select body from unnest(${ids}::uuid[]) with ordinality as wanted (id, place) join documents using (id)
    where account_id = ${account} order by place`
  // The stored body has no link and no closing brace.
  return rows.map(({ body }) => JSON.parse(`${body}}`) as Omit<Document, 'link'>)
}

export type DocumentFileRow = { id: string; name: string; svc_shipment_id: string | null; content_hash: string }

/** In the order of the identifiers; unknown ones are left out. */
export async function findDocumentFiles(db: Reader, account: AccountId, ids: string[]): Promise<DocumentFileRow[]> {
  return db<DocumentFileRow[]>`
    select id, name, svc_shipment_id, content_hash
    from unnest(${ids}::uuid[]) with ordinality as wanted (id, place) join documents using (id)
    where account_id = ${account} order by place`
}

/** The oldest first, so that a checklist shows the one that met it first. */
export async function findDocumentsOfShipments(
  db: Reader,
  account: AccountId,
  shipments: string[],
): Promise<ShipmentDocument[]> {
  return lookUpDocuments(db, keysOf(account, shipments))
}

type ShipmentDocument = { id: string; svc_shipment_id: string; type: DocumentType | null; name: string }

const lookUpDocuments = lookup<AccountKey, ShipmentDocument>(
  (db, keys) => db`
    select place, document.id, wanted.id as svc_shipment_id, type, name
    from unnest(${accountsOf(keys)}::integer[], ${idsOf(keys)}::text[]) with ordinality as wanted (account_id, id, place)
    cross join lateral (
      select id, type, name, newest_first from documents
      where account_id = wanted.account_id and svc_shipment_id = wanted.id offset 0
    ) document
    order by newest_first desc, document.id`,
)
