import type { LoggedRequest } from '../contract/portal/keys.js'
import type { AccountId } from '../database/account-id.js'
import { asJson, type Database, type Reader } from '../database/database.js'

/** The log of recent requests with API keys. */

export type RequestRow = Omit<LoggedRequest, 'at'> & { account_id: AccountId; at: Date }
export type KeyUse = { account_id: AccountId; key_id: string; at: Date }

/** Stores requests of any accounts, and the last use of each key, in one statement. */
export async function saveRequests(db: Database, requests: RequestRow[], uses: KeyUse[]): Promise<void> {
  const [given, used] = [asJson(requests), asJson(uses)]
  // Keys are updated in a fixed order, so that processes do not deadlock. `on conflict do nothing`: after a lost connection
  // the same requests are written again.
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

/** The last request of a page. */
export type RequestCursor = { at: string; request_id: string }

type RequestFilter = {
  key_id?: string | undefined
  outcome?: 'success' | 'refused' | 'failed' | undefined
  after?: RequestCursor | undefined
  take: number
}

/** The newest first; within a microsecond, ordered by request id. */
export async function listLoggedRequests(
  db: Reader,
  account: AccountId,
  { key_id, outcome, after, take }: RequestFilter,
): Promise<LoggedRequest[]> {
  const { at, request_id } = after ?? { at: 'infinity', request_id: '' }
  // Literal conditions, so that the planner can use the partial index of failed requests.
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

// The key of an advisory lock.
const removalLock = 7_401_126_904

/**
 * Deletes up to `most` requests that are older than `days`, and returns how many. While another process does it, it deletes
 * none.
 */
export async function removeOldRequests(db: Database, days: number, most: number): Promise<number> {
  const removed = await db`
    delete from requests where ctid = any (array(
      select ctid from requests
      where at < now() - ${`${days} days`}::interval and (select pg_try_advisory_xact_lock(${removalLock})) limit ${most}))
    returning at`
  return removed.length
}
