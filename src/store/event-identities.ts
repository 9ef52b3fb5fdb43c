import type { AccountId } from '../database/account-id.js'
import { asJson, type Reader, type TransactionSql } from '../database/database.js'

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

export async function findIdentities(
  db: Reader,
  sender: string,
  identities: string[],
): Promise<Map<string, EventIdentity>> {
  if (identities.length === 0) return new Map()
  const rows = await db<EventIdentity[]>`
    select found.identity, to_char(issued_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as issued_at, content_hash,
      retracted, account_id, slug as account, svc_shipment_id, event_id, message_id
    from unnest(${identities}::text[]) as wanted (identity)
    cross join lateral (
      select * from event_identities where sender = ${sender} and identity = wanted.identity offset 0
    ) found
    left join accounts using (account_id)`
  return new Map(rows.map((row) => [row.identity, row]))
}

export async function saveIdentities(
  sql: TransactionSql,
  sender: string,
  message_id: number,
  rows: EventIdentity[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into event_identities (
      sender, identity, issued_at, content_hash, retracted, account_id, svc_shipment_id, event_id, message_id)
    select ${sender}, identity, issued_at, content_hash, retracted, account_id, svc_shipment_id, event_id, ${message_id}
    from jsonb_to_recordset(${asJson(rows)}::text::jsonb) as saved (
      identity text, issued_at timestamptz, content_hash text, retracted boolean, account_id integer, svc_shipment_id text,
      event_id text)
    on conflict (sender, identity) do update
    set issued_at = excluded.issued_at, content_hash = excluded.content_hash, retracted = excluded.retracted,
      account_id = excluded.account_id, svc_shipment_id = excluded.svc_shipment_id, event_id = excluded.event_id,
      message_id = excluded.message_id`
}
