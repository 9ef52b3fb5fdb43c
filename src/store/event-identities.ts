import type { AccountId } from '../database/account-id.js'
import { businessNow } from '../database/business-now.js'
import { asJson, type Database, type Reader, type TransactionSql } from '../database/database.js'
import { lastOfEach } from './write.js'

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
  /** The message that brought it; undefined: the one that is being processed. */
  message_id?: number
}

/** A version, and the message that brought it. */
export type SavedIdentity = EventIdentity & { sender: string; message_id: number }

/** By sender and identity. */
export async function findIdentities(
  db: Reader,
  wanted: { sender: string; identity: string }[],
): Promise<Map<string, Map<string, EventIdentity>>> {
  const found = new Map<string, Map<string, EventIdentity>>()
  if (wanted.length === 0) return found
  const rows = await db<SavedIdentity[]>`
    select sender, identity, to_char(issued_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as issued_at, content_hash,
      retracted, account_id, slug as account, svc_shipment_id, event_id, message_id
    from unnest(${wanted.map(({ sender }) => sender)}::text[], ${wanted.map(({ identity }) => identity)}::text[])
      as wanted (wanted_sender, wanted_identity)
    cross join lateral (
      select * from event_identities where sender = wanted_sender and identity = wanted_identity offset 0
    ) found
    left join accounts using (account_id)`
  for (const { sender, ...row } of rows) {
    const ofSender = found.get(sender) ?? new Map<string, EventIdentity>()
    found.set(sender, ofSender.set(row.identity, row))
  }
  return found
}

/** Of each identity, the last one is saved. */
export async function saveIdentities(sql: TransactionSql, rows: SavedIdentity[]): Promise<void> {
  if (rows.length === 0) return
  const saved = lastOfEach(rows, ({ sender, identity }) => `${identity} ${sender}`)
  await sql`
    insert into event_identities (
      sender, identity, issued_at, content_hash, retracted, account_id, svc_shipment_id, event_id, message_id)
    select sender, identity, issued_at, content_hash, retracted, account_id, svc_shipment_id, event_id, message_id
    from jsonb_to_recordset(${asJson(saved)}::text::jsonb) as saved (
      sender text, identity text, issued_at timestamptz, content_hash text, retracted boolean, account_id integer,
      svc_shipment_id text, event_id text, message_id bigint)
    on conflict (sender, identity) do update
    set issued_at = excluded.issued_at, content_hash = excluded.content_hash, retracted = excluded.retracted,
      account_id = excluded.account_id, svc_shipment_id = excluded.svc_shipment_id, event_id = excluded.event_id,
      message_id = excluded.message_id`
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
