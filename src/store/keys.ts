import type { Quotas } from '../contract/operator/quotas.js'
import type { ResourceKind, Scope } from '../contract/public/operations.js'
import type { AccountId } from '../database/account-id.js'
import type { Reader } from '../database/database.js'
import type { ServiceSecrets } from '../database/service-secrets.js'
import { hashOfKey, hashTextOfKey } from './key-hash.js'
import type { RecordedWrite } from './write.js'

export type KeyRow = {
  key_id: string
  account: string
  name: string | null
  hint: string
  scopes: Scope[]
  created_at: Date
  expires_at: Date | null
  revoked_at: Date | null
  created_by: string | null
  created_by_name: string | null
  owner: string | null
  networks: string[] | null
  replaces: string | null
}

export type NewKey = {
  key_id: string
  key: string
  name?: string | undefined
  scopes: Scope[]
  expires_at?: Date | undefined
  networks?: string[] | undefined
  /** The key that this one replaces. */
  replaces?: string | undefined
}

/** The account and scopes of a caller, and the revisions of the account. */
export type Principal = {
  key_id: string
  account_id: AccountId
  slug: string
  isSuspended: boolean
  /** To another database. */
  hasMoved: boolean
  scopes: Scope[]
  expires_at: Date | null
  /** Networks that the key works from; null: any. */
  networks: string[] | null
  /** The account's own quotas. */
  quotas: Quotas
  /** The revision of the account at which this was read. */
  revision: number
  /** When the account changed last, in microseconds. */
  changedAt: number
  revisions: Record<ResourceKind, number>
  /** Keys of the response cache: unique to the account and the revision of each kind. */
  cacheKeys: Record<ResourceKind, string>
  /** Read with every request: a restore replaces them while the service runs. */
  secrets: ServiceSecrets
}

export async function insertKey(
  tx: RecordedWrite,
  account: AccountId,
  given: NewKey,
  { actor, actor_name = null }: { actor: string; actor_name?: string | null | undefined },
): Promise<void> {
  const { key_id, key, name, scopes, expires_at, networks, replaces } = given
  await tx.sql`
    insert into keys (account_id, key_id, hash, hint, name, scopes, expires_at, networks, replaces, created_by, created_by_name, owner)
    values (${account}, ${key_id}, ${hashOfKey(key)}, ${key.slice(-4)}, ${name ?? null}, ${scopes}, ${expires_at ?? null},
      ${networks ?? null}, ${replaces ?? null}, ${actor}, ${actor_name}, ${actor})`
  const record = JSON.stringify({ key_id, name, scopes, expires_at, networks, replaces })
  tx.record([{ kind: 'key', id: key_id, what: 'created', record }])
}

export async function listKeyRows(db: Reader, account?: AccountId): Promise<KeyRow[]> {
  return db<KeyRow[]>`
    select key_id, slug as account, keys.name, hint, scopes, keys.created_at, expires_at, revoked_at, created_by,
      created_by_name, owner, networks, replaces
    from keys join accounts using (account_id)
    where ${account ?? null}::integer is null or account_id = ${account ?? null}
    order by slug, keys.created_at, key_id`
}

/** Keys that are neither revoked nor expired: all, and those that this author is responsible for. */
export async function countWorkingKeys(
  db: Reader,
  account: AccountId,
  author: string,
): Promise<{ all: number; own: number }> {
  const [row] = await db<{ all: number; own: number }[]>`
    select count(*)::integer as all, (count(*) filter (where owner = ${author}))::integer as own
    from keys
    where account_id = ${account} and revoked_at is null and (expires_at is null or expires_at > now())`
  return row ?? { all: 0, own: 0 }
}

export type UsedKeyRow = KeyRow & { last_used_at: Date | null }

/** The keys of an account, with the time of their last use. */
export async function listUsedKeys(db: Reader, account: AccountId): Promise<UsedKeyRow[]> {
  return db<UsedKeyRow[]>`
    select key_id, slug as account, keys.name, hint, scopes, keys.created_at, expires_at, revoked_at, created_by,
      created_by_name, owner, networks, replaces, last_used_at
    from keys join accounts using (account_id) left join key_uses using (account_id, key_id)
    where account_id = ${account}
    order by keys.created_at, key_id`
}

/** Its name. Undefined if there is no such key, or it is revoked already: its date does not change. */
export async function setKeyRevoked(
  tx: RecordedWrite,
  account: AccountId,
  keyId: string,
): Promise<{ name: string | null } | undefined> {
  const [revoked] = await tx.sql<{ name: string | null }[]>`
    update keys set revoked_at = now()
    where account_id = ${account} and key_id = ${keyId} and revoked_at is null returning name`
  if (revoked) tx.record([{ kind: 'key', id: keyId, what: 'removed' }])
  return revoked
}

/** The old key of a rotation works until this time at most. */
export async function limitKey(tx: RecordedWrite, account: AccountId, key_id: string, until: Date): Promise<void> {
  await tx.sql`
    update keys set expires_at = least(expires_at, ${until}) where account_id = ${account} and key_id = ${key_id}`
  tx.record([{ kind: 'key', id: key_id, what: 'updated', record: JSON.stringify({ key_id, expires_at: until }) }])
}

export type OwnedKey = { key_id: string; name: string | null }

/** The working keys that somebody is responsible for. */
export async function listOwnedKeys(db: Reader, account: AccountId, owner: string): Promise<OwnedKey[]> {
  return db<OwnedKey[]>`
    select key_id, name from keys
    where account_id = ${account} and owner = ${owner} and revoked_at is null and (expires_at is null or expires_at > now())
    order by key_id`
}

export async function setKeyOwner(tx: RecordedWrite, account: AccountId, key_id: string, owner: string): Promise<void> {
  await tx.sql`update keys set owner = ${owner} where account_id = ${account} and key_id = ${key_id}`
  tx.record([{ kind: 'key', id: key_id, what: 'updated', record: JSON.stringify({ key_id, owner }) }])
}

/** How many days new keys of the account may work at most; undefined: they need not expire. */
export async function findMaxKeyDays(db: Reader, account: AccountId): Promise<number | undefined> {
  const [row] = await db<{ max_key_days: number | null }[]>`
    select max_key_days from accounts where account_id = ${account}`
  return row?.max_key_days ?? undefined
}

export async function findKeyAccount(db: Reader, keyId: string): Promise<AccountId | undefined> {
  const [row] = await db<{ account_id: AccountId }[]>`select account_id from keys where key_id = ${keyId}`
  return row?.account_id
}

// The lateral join with a limit makes PostgreSQL look up each key in the index; a plain join would read the whole table.
// Arrays are selected before they are unnested (see `rendered.ts`).
/** The principals of the keys with these hashes, in the same order. */
export async function findPrincipals(db: Reader, hashes: string[]): Promise<(Principal | undefined)[]> {
  const rows = await db<(PrincipalRow & { place: number })[]>`
    select place::integer, key_id, scopes, networks, keys.expires_at, account_id, slug, suspended_at, moved_at, quotas, revision,
      (extract(epoch from changed_at) * 1e6)::float8 as "changedAt", shipment_revision, purchase_order_revision, location_revision, invoice_revision, tracking_revision,
      document_revision, exception_revision, epoch || '.' || 'accounts'::regclass::oid as epoch, link_secret
    from unnest((select ${hashes}::text[])) with ordinality as wanted (hash, place) cross join lateral (
      select account_id, key_id, scopes, networks, expires_at from keys
      where keys.hash = decode(wanted.hash, 'base64') and revoked_at is null and (expires_at is null or expires_at > now())
      limit 1
    ) keys join accounts account using (account_id) cross join service`
  const principals = new Map(rows.map((row) => [row.place, principalOf(row)]))
  return hashes.map((_, index) => principals.get(index + 1))
}

export async function findPrincipal(db: Reader, key: string): Promise<Principal | undefined> {
  const [principal] = await findPrincipals(db, [hashTextOfKey(key)])
  return principal
}

/** The sandbox serves requests without a key as its demo account. */
export async function findAccountPrincipal(db: Reader, slug: string): Promise<Principal | undefined> {
  const [row] = await db<PrincipalRow[]>`
    select 'sandbox' as key_id, array['read', 'write'] as scopes, null::text[] as networks, null::timestamptz as expires_at, account.*,
      (extract(epoch from changed_at) * 1e6)::float8 as "changedAt", epoch || '.' || 'accounts'::regclass::oid as epoch, link_secret
    from accounts account cross join service
    where slug = ${slug}`
  return row && principalOf(row)
}

export type PrincipalRow = {
  key_id: string
  scopes: Scope[]
  networks: string[] | null
  account_id: AccountId
  slug: string
  suspended_at: Date | null
  moved_at: Date | null
  expires_at: Date | null
  quotas: Quotas
  revision: number
  changedAt: number
} & Record<`${ResourceKind}_revision`, number> &
  ServiceSecrets

export function principalOf(row: PrincipalRow): Principal {
  const revisions = {
    shipment: row.shipment_revision,
    purchase_order: row.purchase_order_revision,
    location: row.location_revision,
    invoice: row.invoice_revision,
    tracking: row.tracking_revision,
    document: row.document_revision,
    exception: row.exception_revision,
  }
  const { account_id, epoch } = row
  return {
    key_id: row.key_id,
    account_id,
    slug: row.slug,
    isSuspended: row.suspended_at !== null,
    hasMoved: row.moved_at !== null,
    scopes: row.scopes,
    expires_at: row.expires_at,
    networks: row.networks,
    quotas: row.quotas,
    revision: row.revision,
    changedAt: row.changedAt,
    revisions,
    cacheKeys: cacheKeysOf(account_id, epoch, revisions),
    secrets: { epoch, link_secret: row.link_secret },
  }
}

function cacheKeysOf(account: AccountId, epoch: string, revisions: Principal['revisions']): Principal['cacheKeys'] {
  const keyOf = (kind: ResourceKind) => `${account} ${kind} ${revisions[kind]} ${epoch}`
  return {
    shipment: keyOf('shipment'),
    purchase_order: keyOf('purchase_order'),
    location: keyOf('location'),
    invoice: keyOf('invoice'),
    tracking: keyOf('tracking'),
    document: keyOf('document'),
    exception: keyOf('exception'),
  }
}
