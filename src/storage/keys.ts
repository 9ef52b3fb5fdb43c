import type { ResourceKind, Scope } from '../contract/operations.js'
import type { Reader } from './database.js'
import { hashOfKey, hashTextOfKey } from './key-hash.js'
import type { ServiceSecrets } from './service.js'
import type { AccountId, Transaction } from './transaction.js'

export type KeyRow = {
  key_id: string
  account: string
  name: string | null
  hint: string
  scopes: Scope[]
  created_at: Date
  expires_at: Date | null
  revoked_at: Date | null
}

export type NewKey = {
  key_id: string
  key: string
  name?: string | undefined
  scopes: Scope[]
  expires_at?: Date | undefined
}

/** Who a key speaks for, what it may, and how far the account has got. */
export type KeyHolder = {
  key_id: string
  account_id: AccountId
  slug: string
  isSuspended: boolean
  scopes: Scope[]
  expires_at: Date | null
  /** That of the account, at which all of this holds. */
  revision: number
  revisions: Record<ResourceKind, number>
  /** What belongs to the account at the revision of its kind, and to no other: names to keep it under. */
  shelves: Record<ResourceKind, string>
  /** Read with every request: a restore renews them under a service that runs. */
  secrets: ServiceSecrets
}

export async function createKey(tx: Transaction, account: AccountId, given: NewKey): Promise<void> {
  const { key_id, key, name, scopes, expires_at } = given
  await tx.sql`
    insert into keys (account_id, key_id, hash, hint, name, scopes, expires_at)
    values (${account}, ${key_id}, ${hashOfKey(key)}, ${key.slice(-4)}, ${name ?? null}, ${scopes}, ${expires_at ?? null})`
  const record = JSON.stringify({ key_id, name, scopes, expires_at })
  await tx.record([{ kind: 'key', id: key_id, what: 'created', record }])
}

export async function listKeys(db: Reader, account?: AccountId): Promise<KeyRow[]> {
  return db<KeyRow[]>`
    select key_id, slug as account, keys.name, hint, scopes, keys.created_at, expires_at, revoked_at
    from keys join accounts using (account_id)
    where ${account ?? null}::integer is null or account_id = ${account ?? null}
    order by slug, keys.created_at, key_id`
}

/** Those that are neither revoked nor expired. */
export async function countWorkingKeys(db: Reader, account: AccountId): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from keys
    where account_id = ${account} and revoked_at is null and (expires_at is null or expires_at > now())`
  return row?.count ?? 0
}

export type UsedKeyRow = KeyRow & { last_used_at: Date | null }

/** The keys of an account, with when each was last used. */
export async function listUsedKeys(db: Reader, account: AccountId): Promise<UsedKeyRow[]> {
  return db<UsedKeyRow[]>`
    select key_id, slug as account, keys.name, hint, scopes, keys.created_at, expires_at, revoked_at, last_used_at
    from keys join accounts using (account_id) left join key_uses using (account_id, key_id)
    where account_id = ${account}
    order by keys.created_at, key_id`
}

/** A key that was revoked before keeps its first date. */
export async function revokeKey(tx: Transaction, account: AccountId, keyId: string): Promise<void> {
  const revoked = await tx.sql`
    update keys set revoked_at = now()
    where account_id = ${account} and key_id = ${keyId} and revoked_at is null returning key_id`
  if (revoked.length > 0) await tx.record([{ kind: 'key', id: keyId, what: 'removed' }])
}

/** Whose key it is: its identifier says so to nobody but us. */
export async function findKeyAccount(db: Reader, keyId: string): Promise<AccountId | undefined> {
  const [row] = await db<{ account_id: AccountId }[]>`select account_id from keys where key_id = ${keyId}`
  return row?.account_id
}

// One after another, by the index (so the limit): to join them the whole table would be read, more of it with every account.
// What is unnested is selected first (see `rendered.ts`).
/** Who the keys with these hashes speak for, in their order. */
export async function findKeyHolders(db: Reader, hashes: string[]): Promise<(KeyHolder | undefined)[]> {
  const rows = await db<(HolderRow & { place: number })[]>`
    select place::integer, key_id, scopes, keys.expires_at, account_id, slug, suspended_at, revision,
      shipment_revision, purchase_order_revision, location_revision, invoice_revision, tracking_revision,
      document_revision, epoch || '.' || 'accounts'::regclass::oid as epoch, link_secret
    from unnest((select ${hashes}::text[])) with ordinality as wanted (hash, place) cross join lateral (
      select account_id, key_id, scopes, expires_at from keys
      where keys.hash = decode(wanted.hash, 'base64') and revoked_at is null and (expires_at is null or expires_at > now())
      limit 1
    ) keys join accounts account using (account_id) cross join service`
  const holders = new Map(rows.map((row) => [row.place, holderOf(row)]))
  return hashes.map((_, index) => holders.get(index + 1))
}

export async function findKeyHolder(db: Reader, key: string): Promise<KeyHolder | undefined> {
  const [holder] = await findKeyHolders(db, [hashTextOfKey(key)])
  return holder
}

/** The sandbox answers requests without a key as its demo account. */
export async function findAccountHolder(db: Reader, slug: string): Promise<KeyHolder | undefined> {
  const [row] = await db<HolderRow[]>`
    select 'sandbox' as key_id, array['read', 'write'] as scopes, null::timestamptz as expires_at, account.*,
      epoch || '.' || 'accounts'::regclass::oid as epoch, link_secret
    from accounts account cross join service
    where slug = ${slug}`
  return row && holderOf(row)
}

export type HolderRow = {
  key_id: string
  scopes: Scope[]
  account_id: AccountId
  slug: string
  suspended_at: Date | null
  expires_at: Date | null
  revision: number
} & Record<`${ResourceKind}_revision`, number> &
  ServiceSecrets

/** What a row of an account comes to for whoever speaks for it. */
export function holderOf(row: HolderRow): KeyHolder {
  const revisions = {
    shipment: row.shipment_revision,
    purchase_order: row.purchase_order_revision,
    location: row.location_revision,
    invoice: row.invoice_revision,
    tracking: row.tracking_revision,
    document: row.document_revision,
  }
  const { account_id, epoch } = row
  return {
    key_id: row.key_id,
    account_id,
    slug: row.slug,
    isSuspended: row.suspended_at !== null,
    scopes: row.scopes,
    expires_at: row.expires_at,
    revision: row.revision,
    revisions,
    shelves: shelvesOf(account_id, epoch, revisions),
    secrets: { epoch, link_secret: row.link_secret },
  }
}

/** The holder after a write that raised the revision by one, and changed nothing but resources of a kind. */
export function afterWrite(holder: KeyHolder, kind: ResourceKind): KeyHolder {
  const revision = holder.revision + 1
  const revisions = { ...holder.revisions, [kind]: revision }
  return { ...holder, revision, revisions, shelves: shelvesOf(holder.account_id, holder.secrets.epoch, revisions) }
}

function shelvesOf(account: AccountId, epoch: string, revisions: KeyHolder['revisions']): KeyHolder['shelves'] {
  const shelf = (kind: ResourceKind) => `${account} ${kind} ${revisions[kind]} ${epoch}`
  return {
    shipment: shelf('shipment'),
    purchase_order: shelf('purchase_order'),
    location: shelf('location'),
    invoice: shelf('invoice'),
    tracking: shelf('tracking'),
    document: shelf('document'),
  }
}
