import type { PersonRole, Session } from '../contract/portal/people.js'
import type { Database, Reader, TransactionSql } from './database.js'
import { hashOfKey } from './key-hash.js'
import { type HolderRow, holderOf, type KeyHolder } from './keys.js'
import type { PersonRow } from './people.js'
import type { AccountId } from './transaction.js'

/** Who is signed in. Only hashes are kept of what their browsers send. */

export type SignedInWith = Session['signed_in_with']

export type SessionHolder = {
  person: PersonRow
  accountName: string
  signedInWith: SignedInWith
  expires_at: Date
  /** What it comes to as a caller of the public interface. */
  caller: KeyHolder
}

// A session ends when nobody came for a week, and after a month in any case.
export const longestSession = 30 * 24 * 60 * 60 * 1000

/** False when they may not sign in: their account is suspended, or they are disabled or gone. */
export async function createSession(
  sql: Database | TransactionSql,
  account: AccountId,
  person_id: string,
  session: { token: string; signed_in_with: SignedInWith },
): Promise<boolean> {
  const { token, signed_in_with } = session
  // Whatever has ended is of no use to anybody.
  await sql`delete from sessions where expires_at < now()`
  const seen = await sql`
    with started as (
      insert into sessions (hash, account_id, person_id, signed_in_with, expires_at)
      select ${hashOfKey(token)}, account_id, person_id, ${signed_in_with}, now() + ${`${longestSession} ms`}::text::interval
      from people join accounts using (account_id)
      where account_id = ${account} and person_id = ${person_id} and disabled_at is null and suspended_at is null
      returning account_id, person_id
    )
    update people set last_seen_at = now() from started
    where people.account_id = started.account_id and people.person_id = started.person_id
    returning 1`
  return seen.length > 0
}

type SessionRow = Omit<PersonRow, 'created_at'> &
  Omit<HolderRow, 'key_id' | 'scopes' | 'expires_at'> & {
    account_name: string
    person_created_at: Date
    signed_in_with: SignedInWith
    session_expires_at: Date
    isStale: boolean
  }

const scopesOf = {
  admin: ['read', 'write'],
  member: ['read', 'write'],
  viewer: ['read'],
} as const satisfies Record<PersonRole, KeyHolder['scopes']>

/** Whose session it is, at this moment: who was removed or disabled has none any more. */
export async function findSession(db: Database, token: string): Promise<SessionHolder | undefined> {
  const hash = hashOfKey(token)
  const [row] = await db<SessionRow[]>`
    select person_id, email, person.name, role, password_hash is not null as "hasPassword", person.created_at as person_created_at,
      person.last_seen_at, disabled_at, language, time_zone, weight_unit, theme, signed_in_with, session.expires_at as session_expires_at,
      session.last_seen_at < now() - interval '5 minutes' as "isStale",
      account_id, slug, account.name as account_name, suspended_at, revision, shipment_revision, purchase_order_revision,
      location_revision, invoice_revision, tracking_revision, document_revision,
      epoch || '.' || 'accounts'::regclass::oid as epoch, link_secret
    from sessions session
    join people person using (account_id, person_id) join accounts account using (account_id) cross join service
    where hash = ${hash} and session.expires_at > now() and session.last_seen_at > now() - interval '7 days'
      and disabled_at is null`
  if (!row) return undefined
  if (row.isStale) await noteVisit(db, hash)
  const { person_id, email, name, role, hasPassword, last_seen_at, disabled_at } = row
  const { language, time_zone, weight_unit, theme } = row
  const known = {
    person_id,
    email,
    name,
    role,
    hasPassword,
    created_at: row.person_created_at,
    last_seen_at,
    disabled_at,
  }
  return {
    person: { ...known, language, time_zone, weight_unit, theme },
    accountName: row.account_name,
    signedInWith: row.signed_in_with,
    expires_at: row.session_expires_at,
    caller: holderOf({ ...row, expires_at: null, key_id: `person:${person_id}`, scopes: [...scopesOf[role]] }),
  }
}

// Every few minutes is enough to tell who was here when.
async function noteVisit(db: Database, hash: Buffer): Promise<void> {
  await db`
    with seen as (update sessions set last_seen_at = now() where hash = ${hash} returning account_id, person_id)
    update people set last_seen_at = now() from seen
    where people.account_id = seen.account_id and people.person_id = seen.person_id`
}

/** All sessions of a person, but for one where it is told; answers how many there were. */
export async function endSessions(
  db: Reader,
  account: AccountId,
  person_id: string,
  exceptToken?: string,
): Promise<number> {
  const spared = exceptToken === undefined ? null : hashOfKey(exceptToken)
  const { count } = await db`
    delete from sessions
    where account_id = ${account} and person_id = ${person_id} and hash is distinct from ${spared}`
  return count
}

/** Those of everybody, of all accounts; answers how many there were. */
export async function endAllSessions(db: Reader): Promise<number> {
  const { count } = await db`delete from sessions`
  return count
}
