import type { PersonRole, Session } from '../contract/portal/people.js'
import type { Site } from '../contract/portal/sites.js'
import { type AccountId, type AccountScope, forwarderAccount } from '../database/account-id.js'
import type { Database, Reader, TransactionSql } from '../database/database.js'
import { day } from '../domain/dates/local-time.js'
import type { Device } from '../domain/people/device.js'
import { listSlugs } from './accounts.js'
import { hashOfKey } from './key-hash.js'
import { type Principal, type PrincipalRow, principalOf } from './keys.js'
import type { PersonRow } from './people.js'

/** Sessions of the portal and the office. Only hashes of their tokens are stored. */

export type SignedInWith = Session['signed_in_with']

export type OpenSession = {
  person: PersonRow
  accountName: string
  signedInWith: SignedInWith
  expires_at: Date
  /** Whether the account requires a second factor, and the person signed in with a password and has none. */
  mustEnrol: boolean
  /** Whether the person has proved who they are within the last 10 minutes. In the sandbox's demo there is nothing to prove. */
  isRecentlyAuthenticated: boolean
  /** One of the forwarder's people, who sees what the person sees, and changes nothing. */
  viewer: { actor: string; name: string } | undefined
  /** The person as a caller of the public interface. */
  caller: Principal
  /** The accounts that an operator works for. */
  scope: AccountScope
}

// A session expires after a week without requests, and after a month in any case.
export const longestSession = 30 * day

export type NewSessionRow = Device & {
  token: string
  session_id: string
  signed_in_with: SignedInWith
  /** The IP address of the client. */
  address: string
}

/** False if the person cannot sign in: disabled, removed, of a suspended account, or of one that requires the provider. */
export async function createSession(
  sql: Database | TransactionSql,
  account: AccountId,
  person_id: string,
  session: NewSessionRow,
): Promise<boolean> {
  const { token, session_id, signed_in_with, address, browser = null, system = null } = session
  // Expired sessions are deleted on the way.
  await sql`delete from sessions where expires_at < now()`
  const seen = await sql`
    with started as (
      insert into sessions (hash, account_id, person_id, session_id, signed_in_with, address, browser, system, expires_at)
      select ${hashOfKey(token)}, account_id, person_id, ${session_id}, ${signed_in_with}, ${address}, ${browser}, ${system},
        now() + ${`${longestSession} ms`}::text::interval
      from people join accounts using (account_id)
      where account_id = ${account} and person_id = ${person_id} and disabled_at is null and suspended_at is null
        and (not provider_only or ${signed_in_with} in ('provider', 'demo'))
      returning account_id, person_id
    )
    update people set last_seen_at = now() from started
    where people.account_id = started.account_id and people.person_id = started.person_id
    returning 1`
  return seen.length > 0
}

type SessionRow = Omit<PersonRow, 'created_at' | 'accounts'> &
  Omit<PrincipalRow, 'key_id' | 'scopes' | 'networks' | 'expires_at'> & {
    account_name: string
    accounts: AccountId[] | null
    person_created_at: Date
    signed_in_with: SignedInWith
    session_expires_at: Date
    isStale: boolean
    isRecentlyAuthenticated: boolean
    mustEnrol: boolean
    viewer: string | null
    viewer_name: string | null
  }

const scopesOf = {
  admin: ['read', 'write'],
  member: ['read', 'write'],
  viewer: ['read'],
} as const satisfies Record<PersonRole, Principal['scopes']>

/** Undefined if the session has ended or is of the other site, or the person was removed or disabled. */
export async function findSession(db: Database, site: Site, token: string): Promise<OpenSession | undefined> {
  const hash = hashOfKey(token)
  const [row] = await db<SessionRow[]>`
    select person_id, email, person.name, role, password_hash is not null as "hasPassword", person.created_at as person_created_at,
      person.last_seen_at, disabled_at, person.accounts, language, time_zone, weight_unit, theme, signed_in_with, viewer, viewer_name, session.expires_at as session_expires_at,
      session.last_seen_at < now() - interval '5 minutes' as "isStale",
      signed_in_with = 'demo' or authenticated_at > now() - interval '10 minutes' as "isRecentlyAuthenticated",
      second_factor_required and signed_in_with = 'password'
        and not exists (
          select from totp_factors totp
          where totp.account_id = session.account_id and totp.person_id = session.person_id and confirmed_at is not null)
        and not exists (
          select from passkeys passkey
          where passkey.account_id = session.account_id and passkey.person_id = session.person_id) as "mustEnrol",
      account_id, slug, account.name as account_name, suspended_at, moved_at, quotas, revision,
      (extract(epoch from changed_at) * 1e6)::float8 as "changedAt", shipment_revision, purchase_order_revision,
      location_revision, invoice_revision, tracking_revision, document_revision, exception_revision,
      epoch || '.' || 'accounts'::regclass::oid as epoch, link_secret
    from sessions session
    join people person using (account_id, person_id) join accounts account using (account_id) cross join service
    where hash = ${hash} and session.expires_at > now() and session.last_seen_at > now() - interval '7 days'
      and disabled_at is null and (account_id = ${forwarderAccount}) = ${site === 'office'}`
  if (!row) return undefined
  if (row.isStale) await updateLastSeen(db, hash)
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
    // Few operators are limited to some accounts: the others need no second query.
    accounts: row.accounts && (await listSlugs(db, row.accounts)),
  }
  return {
    person: { ...known, language, time_zone, weight_unit, theme },
    accountName: row.account_name,
    signedInWith: row.signed_in_with,
    expires_at: row.session_expires_at,
    isRecentlyAuthenticated: row.isRecentlyAuthenticated,
    mustEnrol: row.mustEnrol,
    scope: row.accounts ?? 'all',
    viewer: row.viewer === null ? undefined : { actor: row.viewer, name: row.viewer_name ?? '' },
    caller: principalOf({
      ...row,
      expires_at: null,
      networks: null,
      key_id: row.viewer ?? `person:${person_id}`,
      // Operators have no account on /v1. On /ops/v1 their role counts.
      scopes: site === 'office' ? [] : row.viewer === null ? [...scopesOf[role as PersonRole]] : ['read'],
    }),
  }
}

// At most once in five minutes, to save writes.
async function updateLastSeen(db: Database, hash: Buffer): Promise<void> {
  await db`
    with seen as (update sessions set last_seen_at = now() where hash = ${hash} returning account_id, person_id, viewer)
    update people set last_seen_at = now() from seen
    where people.account_id = seen.account_id and people.person_id = seen.person_id and viewer is null`
}

/** The session's person has proved again who they are. */
export async function renewAuthentication(
  db: Database | TransactionSql,
  account: AccountId,
  person_id: string,
  token: string,
): Promise<void> {
  await db`
    update sessions set authenticated_at = now()
    where account_id = ${account} and person_id = ${person_id} and hash = ${hashOfKey(token)}`
}

export type SessionListRow = {
  session_id: string
  browser: string | null
  system: string | null
  address: string
  signed_in_with: SignedInWith
  created_at: Date
  last_seen_at: Date
  expires_at: Date
  viewer_name: string | null
  isCurrent: boolean
}

/** The open sessions of a person, the most recently used first; the one of the token is the current one. */
export async function listSessionRows(
  db: Reader,
  account: AccountId,
  person_id: string,
  token: string,
): Promise<SessionListRow[]> {
  return db<SessionListRow[]>`
    select session_id, browser, system, address, signed_in_with, created_at, last_seen_at, expires_at, viewer_name,
      hash = ${hashOfKey(token)} as "isCurrent"
    from sessions
    where account_id = ${account} and person_id = ${person_id} and expires_at > now()
      and last_seen_at > now() - interval '7 days'
    order by hash = ${hashOfKey(token)} desc, last_seen_at desc, session_id`
}

/** The device of the session; undefined if the person has no such session. */
export async function endSession(
  db: Reader,
  account: AccountId,
  person_id: string,
  session_id: string,
): Promise<Pick<SessionListRow, 'browser' | 'system'> | undefined> {
  const [ended] = await db<Pick<SessionListRow, 'browser' | 'system'>[]>`
    delete from sessions where account_id = ${account} and person_id = ${person_id} and session_id = ${session_id}
    returning browser, system`
  return ended
}

/** Ends the session of a token. */
export async function endCurrentSession(
  db: Reader,
  account: AccountId,
  person_id: string,
  token: string,
): Promise<void> {
  await db`
    delete from sessions where account_id = ${account} and person_id = ${person_id} and hash = ${hashOfKey(token)}`
}

/** Ends all sessions of a person but one, if its token is given; returns how many ended. */
export async function endSessions(
  db: Reader,
  account: AccountId,
  person_id: string,
  exceptToken?: string,
): Promise<number> {
  const exception = exceptToken === undefined ? null : hashOfKey(exceptToken)
  const ended = await db`
    delete from sessions
    where account_id = ${account} and person_id = ${person_id} and hash is distinct from ${exception}
    returning person_id`
  return ended.length
}

/** Ends the sessions of an account that were not started with the company's provider. */
export async function endSessionsWithoutProvider(db: Reader, account: AccountId): Promise<void> {
  await db`delete from sessions where account_id = ${account} and signed_in_with <> 'provider'`
}

/** Ends the sessions of all people of all accounts; returns how many. */
export async function endAllSessions(db: Reader): Promise<number> {
  const ended = await db`delete from sessions returning person_id`
  return ended.length
}
