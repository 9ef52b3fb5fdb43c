import type { DocumentType } from '../contract/document.js'
import { asJson, type Reader } from './database.js'
import { newestFirst } from './list-order.js'
import type { Ask } from './readers.js'
import { type Range, readList } from './rendered.js'
import type { AccountId, Transaction } from './transaction.js'

export type DocumentRow = {
  id: string
  svc_shipment_id: string | undefined
  type: DocumentType | null | undefined
  name: string
  uploaded_at: string | undefined
  /** When it was first stored, if that was elsewhere. */
  stored_at: string | undefined
  content_hash: string
  body: string
  record: string
  what: 'created' | 'updated'
  reason?: string | undefined
}

export async function saveDocuments(tx: Transaction, account: AccountId, rows: DocumentRow[]): Promise<void> {
  const given = asJson(rows, ({ record: _record, what: _what, reason: _reason, uploaded_at, stored_at, ...row }) => ({
    ...row,
    newest_first: newestFirst(uploaded_at),
    first_stored: newestFirst(stored_at),
  }))
  await tx.sql`
    insert into documents (account_id, id, svc_shipment_id, type, name, content_hash, newest_first, revision, body)
    select ${account}, saved.id, saved.svc_shipment_id, saved.type, saved.name, saved.content_hash,
      coalesce(saved.newest_first, stored.newest_first, saved.first_stored, newest_first(now())),
      ${tx.revision}, saved.body
    from jsonb_to_recordset(${given}::text::jsonb) as saved (
      id uuid, svc_shipment_id text, type text, name text, newest_first bigint, first_stored bigint, content_hash text,
      body text)
    left join documents stored on stored.account_id = ${account} and stored.id = saved.id
    on conflict (account_id, id) do update
    set svc_shipment_id = excluded.svc_shipment_id, type = excluded.type, name = excluded.name,
      content_hash = excluded.content_hash, newest_first = excluded.newest_first, revision = excluded.revision,
      body = excluded.body`
  await tx.record(rows.map(({ id, what, record, reason }) => ({ kind: 'document', id, what, record, reason })))
}

export type DocumentFilter = { svc_shipment_id?: string | undefined; type?: DocumentType | undefined }

/** Rows of `body, newest_first, id`; the body ends before the link. */
export function listDocuments(ask: Ask<Reader>, account: AccountId, filter: DocumentFilter, range: Range) {
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

export type DocumentFileRow = { id: string; name: string; svc_shipment_id: string | null; content_hash: string }

/** In the order of the identifiers; without those that the account does not have. */
export async function findDocumentFiles(db: Reader, account: AccountId, ids: string[]): Promise<DocumentFileRow[]> {
  return db<DocumentFileRow[]>`
    select id, name, svc_shipment_id, content_hash
    from unnest(${ids}::uuid[]) with ordinality as wanted (id, place) join documents using (id)
    where account_id = ${account} order by place`
}

/** Takes a document from its account; its bytes stay, for its history. */
export async function removeDocument(
  tx: Transaction,
  account: AccountId,
  id: string,
  reason: string | undefined,
): Promise<void> {
  await tx.sql`delete from documents where account_id = ${account} and id = ${id}`
  await tx.record([{ kind: 'document', id, what: 'removed', reason }])
}
