import type { AccountId } from '../database/account-id.js'
import { asJson, type Reader, type TransactionSql } from '../database/database.js'
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
