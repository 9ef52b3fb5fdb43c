import type { Language } from '../contract/portal/people.js'
import type { SupplierLink } from '../contract/portal/supplier-links.js'
import type { AccountId } from '../database/account-id.js'
import type { Database, Reader } from '../database/database.js'
import type { Actor } from './audit.js'
import { hashOfKey } from './key-hash.js'
import type { RecordedWrite } from './write.js'

/** Links by which suppliers propose documents of one shipment. Only the hash of a token is stored. */

type NewLink = {
  link_id: string
  token: string
  svc_shipment_id: string
  supplier: string
  email: string | undefined
  language: Language
  days: number
}

export async function insertSupplierLink(
  tx: RecordedWrite,
  account: AccountId,
  { token, days, ...link }: NewLink,
  { actor, actor_name }: Actor,
): Promise<void> {
  await tx.sql`
    insert into supplier_links (
      account_id, link_id, hash, svc_shipment_id, supplier, email, language, created_by, created_by_name, expires_at)
    values (${account}, ${link.link_id}, ${hashOfKey(token)}, ${link.svc_shipment_id}, ${link.supplier},
      ${link.email ?? null}, ${link.language}, ${actor}, ${actor_name ?? null}, now() + make_interval(days => ${days}))`
  const record = JSON.stringify({ ...link, days })
  tx.record([{ kind: 'supplier_link', id: link.link_id, what: 'created', record }])
}

/** How many links of the shipment work. */
export async function countSupplierLinks(db: Reader, account: AccountId, svc_shipment_id: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from supplier_links
    where account_id = ${account} and svc_shipment_id = ${svc_shipment_id} and revoked_at is null and expires_at > now()`
  return row?.count ?? 0
}

type Row = Omit<
  SupplierLink,
  'email' | 'created_by_name' | 'created_at' | 'expires_at' | 'revoked_at' | 'last_opened_at'
> & {
  email: string | null
  created_by_name: string | null
  created_at: Date
  expires_at: Date
  revoked_at: Date | null
  last_opened_at: Date | null
}

function columns(db: Reader) {
  return db`
    link_id, svc_shipment_id, supplier, email, created_at, created_by, created_by_name, expires_at, revoked_at,
    last_opened_at, uploads`
}

/** Of one shipment, the newest first; at most 100. */
export async function listSupplierLinkRows(
  db: Reader,
  account: AccountId,
  svc_shipment_id: string,
): Promise<SupplierLink[]> {
  const rows = await db<Row[]>`
    select ${columns(db)} from supplier_links
    where account_id = ${account} and svc_shipment_id = ${svc_shipment_id}
    order by created_at desc, link_id limit 100`
  return rows.map(linkOf)
}

export async function findSupplierLink(
  db: Reader,
  account: AccountId,
  link_id: string,
): Promise<SupplierLink | undefined> {
  const [row] = await db<Row[]>`
    select ${columns(db)} from supplier_links where account_id = ${account} and link_id = ${link_id}`
  return row && linkOf(row)
}

export async function revokeSupplierLinkRow(tx: RecordedWrite, account: AccountId, link: SupplierLink): Promise<void> {
  await tx.sql`
    update supplier_links set revoked_at = now()
    where account_id = ${account} and link_id = ${link.link_id} and revoked_at is null`
  tx.record([{ kind: 'supplier_link', id: link.link_id, what: 'removed' }])
}

/** A link that works: not revoked, not expired, of an account that is not suspended. */
export type OpenSupplierLink = {
  account_id: AccountId
  link_id: string
  svc_shipment_id: string
  supplier: string
  expires_at: Date
}

export async function findOpenSupplierLink(db: Reader, token: string): Promise<OpenSupplierLink | undefined> {
  const [row] = await db<OpenSupplierLink[]>`
    select account_id, link_id, svc_shipment_id, supplier, expires_at
    from supplier_links join accounts using (account_id)
    where hash = ${hashOfKey(token)} and revoked_at is null and expires_at > now() and suspended_at is null`
  return row
}

/** Whether this is the first time within an hour, which the audit log records. */
export async function noteOpened(db: Database, account: AccountId, link_id: string): Promise<boolean> {
  const rows = await db`
    update supplier_links set last_opened_at = now()
    where account_id = ${account} and link_id = ${link_id}
      and (last_opened_at is null or last_opened_at < now() - interval '1 hour')
    returning link_id`
  return rows.length > 0
}

/** Counts an upload. False if the link has stopped working meanwhile, or has been used as often as it may be. */
export async function countUpload(
  tx: Pick<RecordedWrite, 'sql'>,
  account: AccountId,
  link_id: string,
  most: number,
): Promise<boolean> {
  const rows = await tx.sql`
    update supplier_links set uploads = uploads + 1
    where account_id = ${account} and link_id = ${link_id} and revoked_at is null and expires_at > now()
      and uploads < ${most}
    returning link_id`
  return rows.length > 0
}

function linkOf({
  email,
  created_by_name,
  created_at,
  expires_at,
  revoked_at,
  last_opened_at,
  ...link
}: Row): SupplierLink {
  return {
    ...link,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
    ...(email !== null && { email }),
    ...(created_by_name !== null && { created_by_name }),
    ...(revoked_at && { revoked_at: revoked_at.toISOString() }),
    ...(last_opened_at && { last_opened_at: last_opened_at.toISOString() }),
  }
}
