import type { AccountId } from '../database/account-id.js'
import { businessNow } from '../database/business-now.js'
import { asJson, type Database, type Reader, type TransactionSql } from '../database/database.js'

/** The newest version of every event that messages brought, by its sender and identity; also of retracted ones. */

export type EventIdentity = {
  identity: string
  issued_at: string
  content_hash: string
  retracted: boolean
  account_id: AccountId | null
  /** The short name of the account. */
  account: string | null
  svc_shipment_id: string | null
  event_id: string | null
  /** The identity without the party that the event is from. */
  unrouted: string | null
  /** The message that brought it; undefined: the one that is being processed. */
  message_id?: number
}

export async function findIdentities(
  db: Reader,
  sender: string,
  identities: string[],
): Promise<Map<string, EventIdentity>> {
  if (identities.length === 0) return new Map()
  const rows = await db<EventIdentity[]>`
    select found.identity, to_char(issued_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as issued_at, content_hash,
      retracted, account_id, slug as account, svc_shipment_id, event_id, unrouted, message_id
    from unnest(${identities}::text[]) as wanted (identity)
    cross join lateral (
      select * from event_identities where sender = ${sender} and identity = wanted.identity offset 0
    ) found
    left join accounts using (account_id)`
  return new Map(rows.map((row) => [row.identity, row]))
}

export function saveIdentities(sql: TransactionSql, sender: string, message_id: number, rows: EventIdentity[]): void {
  if (rows.length === 0) return
  sql.send(sql`
    insert into event_identities (
      sender, identity, issued_at, content_hash, retracted, account_id, svc_shipment_id, event_id, unrouted, message_id)
    select ${sender}, identity, issued_at, content_hash, retracted, account_id, svc_shipment_id, event_id, unrouted, ${message_id}
    from jsonb_to_recordset(${asJson(rows)}::text::jsonb) as saved (
      identity text, issued_at timestamptz, content_hash text, retracted boolean, account_id integer, svc_shipment_id text,
      event_id text, unrouted text)
    on conflict (sender, identity) do update
    set issued_at = excluded.issued_at, content_hash = excluded.content_hash, retracted = excluded.retracted,
      account_id = excluded.account_id, svc_shipment_id = excluded.svc_shipment_id, event_id = excluded.event_id,
      unrouted = coalesce(excluded.unrouted, event_identities.unrouted), message_id = excluded.message_id`)
}

/** The identities of events, of whatever party they are from. */
export async function findRouted(
  db: Reader,
  sender: string,
  unrouted: string[],
): Promise<{ unrouted: string; identity: string }[]> {
  if (unrouted.length === 0) return []
  return db`
    select found.unrouted, found.identity
    from unnest(${unrouted}::text[]) as wanted (unrouted)
    cross join lateral (
      select unrouted, identity from event_identities where sender = ${sender} and unrouted = wanted.unrouted limit 2
    ) found`
}

// The key of an advisory lock.
const removalLock = 7_401_126_920

/**
 * Deletes up to `most` versions that are older than `days`, whose messages are no longer kept and whose shipments are over, and returns how
 * many. Until then, an event that comes again is known, also if it was retracted.
 */
export async function removeOldIdentities(db: Database, days: number, most: number): Promise<number> {
  const removed = await db`
    delete from event_identities where (sender, identity) in (
      select sender, identity from event_identities old
      where message_id < coalesce((select min(message_id) from messages), 9223372036854775807)
        and issued_at < ${businessNow(db)} - ${`${days} days`}::text::interval
        and not exists (
          select from shipments
          where shipments.account_id = old.account_id and shipments.svc_shipment_id = old.svc_shipment_id
            and status is distinct from 'finished' and status is distinct from 'cancelled')
        and (select pg_try_advisory_xact_lock(${removalLock}))
      order by message_id, sender, identity limit ${most})
    returning 1`
  return removed.length
}
