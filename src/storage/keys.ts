import { createHash } from 'node:crypto'
import type { ResourceKind, Scope } from '../contract/operations.js'
import type { Database, Reader } from './database.js'
import type { AccountId } from './transaction.js'

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

// A key is 192 random bits: one round of a fast hash keeps it as safe as a slow one would.
function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** Who a key speaks for, what it may, and how far the account has got. */
export type KeyHolder = {
  key_id: string
  account_id: AccountId
  slug: string
  scopes: Scope[]
  revisions: Record<ResourceKind, number>
}

export async function createKey(db: Database, account: AccountId, key: NewKey): Promise<void> {
  await db`
    insert into keys (account_id, key_id, hash, hint, name, scopes, expires_at)
    values (${account}, ${key.key_id}, ${hashOf(key.key)}, ${key.key.slice(-4)}, ${key.name ?? null}, ${key.scopes}, ${key.expires_at ?? null})`
}

export async function listKeys(db: Reader, account?: AccountId): Promise<KeyRow[]> {
  return db<KeyRow[]>`
    select key_id, slug as account, keys.name, hint, scopes, keys.created_at, expires_at, revoked_at
    from keys join accounts using (account_id)
    where ${account ?? null}::integer is null or account_id = ${account ?? null}
    order by slug, keys.created_at, key_id`
}

/** False when there is no such key. A key that was revoked before keeps its first date. */
export async function revokeKey(db: Database, keyId: string): Promise<boolean> {
  const rows = await db`
    update keys set revoked_at = coalesce(revoked_at, now()) where key_id = ${keyId} returning key_id`
  return rows.length > 0
}

/** The one lookup of every request. */
export async function findKeyHolder(db: Reader, key: string): Promise<KeyHolder | undefined> {
  const [row] = await db<HolderRow[]>`
    select key_id, scopes, account.*
    from keys join accounts account using (account_id)
    where hash = ${hashOf(key)} and revoked_at is null and (expires_at is null or expires_at > now())`
  return row && holderOf(row)
}

/** The sandbox answers requests without a key as its demo account. */
export async function findAccountHolder(db: Reader, slug: string): Promise<KeyHolder | undefined> {
  const [row] = await db<HolderRow[]>`
    select 'sandbox' as key_id, array['read', 'write'] as scopes, account.* from accounts account where slug = ${slug}`
  return row && holderOf(row)
}

type HolderRow = {
  key_id: string
  scopes: Scope[]
  account_id: AccountId
  slug: string
} & Record<`${ResourceKind}_revision`, number>

function holderOf(row: HolderRow): KeyHolder {
  return {
    key_id: row.key_id,
    account_id: row.account_id,
    slug: row.slug,
    scopes: row.scopes,
    revisions: {
      shipment: row.shipment_revision,
      purchase_order: row.purchase_order_revision,
      location: row.location_revision,
      invoice: row.invoice_revision,
      tracking: row.tracking_revision,
      document: row.document_revision,
    },
  }
}
