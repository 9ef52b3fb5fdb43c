import type { LoggedRequest } from '../contract/portal/keys.js'
import { asJson, type Database, type Reader } from './database.js'
import type { AccountId } from './transaction.js'

/** What was asked with keys in the last days. */

export type RequestRow = Omit<LoggedRequest, 'at'> & { account_id: AccountId; at: Date }
export type KeyUse = { account_id: AccountId; key_id: string; at: Date }

/** Requests of any accounts, and when each key was last used, in one statement. */
export async function saveRequests(db: Database, requests: RequestRow[], uses: KeyUse[]): Promise<void> {
  const [given, used] = [asJson(requests), asJson(uses)]
  // Keys in one order, whoever writes: two processes that wait for each other would wait for ever. What was written just
  // before the connection was lost is there already.
  await db`
    with logged as (
      insert into requests (account_id, key_id, at, request_id, method, path, status, duration_ms)
      select account_id, key_id, at, request_id, method, path, status, duration_ms
      from jsonb_to_recordset(${given}::text::jsonb) as request (account_id integer, key_id text, at timestamptz,
        request_id text, method text, path text, status smallint, duration_ms real)
      on conflict do nothing
    )
    insert into key_uses (account_id, key_id, last_used_at)
    select account_id, key_id, at
    from jsonb_to_recordset(${used}::text::jsonb) as use (account_id integer, key_id text, at timestamptz)
    order by account_id, key_id
    on conflict (account_id, key_id) do update
    set last_used_at = greatest(key_uses.last_used_at, excluded.last_used_at)`
}

/** The last of a page, behind which the next begins. */
export type RequestCursor = { at: string; request_id: string }

type RequestFilter = {
  key_id?: string | undefined
  outcome?: 'success' | 'refused' | 'failed' | undefined
  behind?: RequestCursor | undefined
  take: number
}

/** The newest first: of two within a millisecond, the one that was counted later. */
export async function listRequests(
  db: Reader,
  account: AccountId,
  { key_id, outcome, behind, take }: RequestFilter,
): Promise<LoggedRequest[]> {
  const { at, request_id } = behind ?? { at: 'infinity', request_id: '' }
  // Written out, so that the few that were refused are found in an index of their own.
  const having = {
    success: db`and status < 400`,
    refused: db`and status >= 400 and status < 500`,
    failed: db`and status >= 500`,
  }
  return db<LoggedRequest[]>`
    select request_id, key_id, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, method, path, status,
      duration_ms
    from requests
    where account_id = ${account} and (requests.at, request_id) < (${at}::text::timestamptz, ${request_id}::text)
      ${key_id === undefined ? db`` : db`and key_id = ${key_id}`} ${outcome ? having[outcome] : db``}
    order by requests.at desc, request_id desc limit ${take}`
}

// Any number that no other lock has.
const removalLock = 7_401_126_904

/**
 * Removes some that are older than so many days, and tells how many. While another process is at it, none: whoever
 * comes first does it for all.
 */
export async function removeOldRequests(db: Database, days: number, most: number): Promise<number> {
  const removed = await db`
    delete from requests where ctid = any (array(
      select ctid from requests
      where at < now() - ${`${days} days`}::interval and (select pg_try_advisory_xact_lock(${removalLock})) limit ${most}))`
  return removed.count
}
