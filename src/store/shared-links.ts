import type { SharedLink } from '../contract/public/shared-link.js'
import type { AccountId } from '../database/account-id.js'
import type { Database, Reader } from '../database/database.js'
import type { Actor } from './audit.js'
import { hashOfKey } from './key-hash.js'
import type { RecordedWrite } from './write.js'

/** Links by which people without an account follow one shipment. Only the hash of a token is stored. */

type NewLink = Pick<SharedLink, 'link_id' | 'svc_shipment_id' | 'documents' | 'prices' | 'parties'> & {
  token: string
  name: string | undefined
  days: number
}

export async function insertSharedLink(
  tx: RecordedWrite,
  account: AccountId,
  { token, ...link }: NewLink,
  { actor, actor_name }: Actor,
): Promise<void> {
  // The name of a person is looked up where the caller does not know it.
  const person_id = actor.replace(/^person:/, '')
  await tx.sql`
    insert into shared_links (
      account_id, link_id, hash, svc_shipment_id, name, documents, prices, parties, created_by, created_by_name, expires_at)
    values (${account}, ${link.link_id}, ${hashOfKey(token)}, ${link.svc_shipment_id}, ${link.name ?? null},
      ${link.documents}::uuid[], ${link.prices}, ${link.parties}, ${actor},
      coalesce(${actor_name ?? null}, (select name from people where account_id = ${account} and person_id = ${person_id})),
      now() + make_interval(days => ${link.days}))`
  tx.record([{ kind: 'shared_link', id: link.link_id, what: 'created', record: JSON.stringify(link) }])
}

/** How many links of the shipment work. */
export async function countSharedLinks(db: Reader, account: AccountId, svc_shipment_id: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from shared_links
    where account_id = ${account} and svc_shipment_id = ${svc_shipment_id} and revoked_at is null and expires_at > now()`
  return row?.count ?? 0
}

type Row = Omit<
  SharedLink,
  'name' | 'created_by_name' | 'created_at' | 'expires_at' | 'revoked_at' | 'last_viewed_at'
> & {
  name: string | null
  created_by_name: string | null
  created_at: Date
  expires_at: Date
  revoked_at: Date | null
  last_viewed_at: Date | null
}

function columns(db: Reader) {
  return db`
    link_id, svc_shipment_id, name, documents, prices, parties, created_at, created_by, created_by_name, expires_at,
    revoked_at, last_viewed_at, views`
}

/** Of one shipment, the newest first; at most 100. */
export async function listSharedLinkRows(
  db: Reader,
  account: AccountId,
  svc_shipment_id: string,
): Promise<SharedLink[]> {
  const rows = await db<Row[]>`
    select ${columns(db)} from shared_links
    where account_id = ${account} and svc_shipment_id = ${svc_shipment_id}
    order by created_at desc, link_id limit 100`
  return rows.map(linkOf)
}

export async function findSharedLink(db: Reader, account: AccountId, link_id: string): Promise<SharedLink | undefined> {
  const [row] = await db<Row[]>`
    select ${columns(db)} from shared_links where account_id = ${account} and link_id = ${link_id}`
  return row && linkOf(row)
}

export async function revokeSharedLinkRow(tx: RecordedWrite, account: AccountId, link_id: string): Promise<void> {
  await tx.sql`
    update shared_links set revoked_at = now()
    where account_id = ${account} and link_id = ${link_id} and revoked_at is null`
  tx.record([{ kind: 'shared_link', id: link_id, what: 'removed' }])
}

/** A link that works: not revoked, not expired, of an account that is not suspended. */
export type OpenSharedLink = Pick<SharedLink, 'link_id' | 'svc_shipment_id' | 'documents' | 'prices' | 'parties'> & {
  account_id: AccountId
  name: string | null
  expires_at: Date
}

export async function findOpenSharedLink(db: Reader, token: string): Promise<OpenSharedLink | undefined> {
  const [row] = await db<OpenSharedLink[]>`
    select account_id, link_id, svc_shipment_id, shared_links.name, documents, prices, parties, expires_at
    from shared_links join accounts using (account_id)
    where hash = ${hashOfKey(token)} and revoked_at is null and expires_at > now() and suspended_at is null`
  return row
}

/** Counts a view. Whether it is the first one within an hour, which the audit log records. */
export async function countView(db: Database, account: AccountId, link_id: string): Promise<boolean> {
  const [row] = await db<{ is_first: boolean }[]>`
    update shared_links set views = views + 1, last_viewed_at = now()
    from (
      select last_viewed_at as before from shared_links
      where account_id = ${account} and link_id = ${link_id} for update
    ) known
    where account_id = ${account} and link_id = ${link_id}
    returning before is null or before < now() - interval '1 hour' as is_first`
  return row?.is_first ?? false
}

function linkOf({
  name,
  created_by_name,
  created_at,
  expires_at,
  revoked_at,
  last_viewed_at,
  ...link
}: Row): SharedLink {
  return {
    ...link,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
    ...(name !== null && { name }),
    ...(created_by_name !== null && { created_by_name }),
    ...(revoked_at && { revoked_at: revoked_at.toISOString() }),
    ...(last_viewed_at && { last_viewed_at: last_viewed_at.toISOString() }),
  }
}
