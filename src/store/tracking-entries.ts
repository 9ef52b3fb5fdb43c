import type { TrackingEventRecord, TrackingPositionRecord } from '../contract/public/tracking.js'
import type { AccountId } from '../database/account-id.js'
import { asJson, type Fragment, type Reader, type TransactionSql } from '../database/database.js'
import type { RowWrite } from './write.js'

/** Events and positions that were added one by one. */
export type EntryKind = 'tracking_event' | 'tracking_position'

type TrackingEntryRow = {
  kind: EntryKind
  entry_id: string
  record: TrackingEventRecord | TrackingPositionRecord
}

type StoredEntry = { svc_shipment_id: string; kind: EntryKind; record: string }
type ShipmentEntries = { events: TrackingEventRecord[]; positions: TrackingPositionRecord[] }

/** The identifier of an entry in the change log: its shipment and its own identifier. */
export function entryChangeId({ svc_shipment_id, entry_id }: { svc_shipment_id: string; entry_id: string }): string {
  return JSON.stringify([svc_shipment_id, entry_id])
}

export function saveTrackingEntries(
  { sql, revision }: RowWrite,
  account: AccountId,
  rows: TrackingEntryRow[],
): Fragment {
  const given = asJson(rows, ({ kind, entry_id, record }) => {
    const { svc_shipment_id, sequence } = record
    return { kind, entry_id, svc_shipment_id, sequence, record: JSON.stringify(record) }
  })
  return sql`
    insert into tracking_entries (account_id, svc_shipment_id, kind, entry_id, sequence, record, revision)
    select ${account}, svc_shipment_id, kind, entry_id, sequence, record, ${revision}
    from jsonb_to_recordset(${given}::text::jsonb)
      as saved (svc_shipment_id text, kind text, entry_id text, sequence integer, record text)
    on conflict (account_id, svc_shipment_id, kind, entry_id) do update
    set sequence = excluded.sequence, record = excluded.record, revision = excluded.revision`
}

export function deleteTrackingEvent(
  sql: TransactionSql,
  account: AccountId,
  { svc_shipment_id, event_id }: Pick<TrackingEventRecord, 'svc_shipment_id' | 'event_id'>,
): Fragment {
  return sql`
    delete from tracking_entries
    where account_id = ${account} and svc_shipment_id = ${svc_shipment_id} and kind = 'tracking_event'
      and entry_id = ${event_id}`
}

export async function findTrackingEntries(
  db: Reader,
  account: AccountId,
  shipments: string[],
): Promise<Map<string, ShipmentEntries>> {
  const rows = await db<StoredEntry[]>`
    select svc_shipment_id, kind, record
    from unnest(${shipments}::text[]) as wanted (svc_shipment_id)
    cross join lateral (
      select kind, record, sequence, entry_id from tracking_entries
      where account_id = ${account} and svc_shipment_id = wanted.svc_shipment_id offset 0
    ) stored
    order by svc_shipment_id collate "C", kind, sequence, entry_id`
  return entriesByShipment(rows)
}

/** As they were at a revision, from the change log. '-' is the byte after ',': this is a prefix range scan. */
export async function findTrackingEntriesAt(
  db: Reader,
  account: AccountId,
  shipments: string[],
  revision: number,
): Promise<Map<string, ShipmentEntries>> {
  const rows = await db<StoredEntry[]>`
    select id::jsonb ->> 0 as svc_shipment_id, kind, record
    from unnest(${shipments.map(entryPrefix)}::text[]) as wanted (prefix)
    cross join lateral (
      select distinct on (kind, id) kind, id, record from changes
      where account_id = ${account} and kind in ('tracking_event', 'tracking_position')
        and id >= wanted.prefix and id < left(wanted.prefix, -1) || '-' and revision <= ${revision}
      order by kind, id, changes.revision desc
    ) newest
    where record is not null
    order by newest.kind, newest.id`
  return entriesByShipment(rows)
}

/** The common prefix of the identifiers of all entries of a shipment. */
export function entryPrefix(shipment: string): string {
  return `[${JSON.stringify(shipment)},`
}

function entriesByShipment(rows: StoredEntry[]): Map<string, ShipmentEntries> {
  const entries = new Map<string, ShipmentEntries>()
  for (const { svc_shipment_id, kind, record } of rows) {
    const of = entries.get(svc_shipment_id) ?? { events: [], positions: [] }
    entries.set(svc_shipment_id, of)
    if (kind === 'tracking_event') of.events.push(JSON.parse(record) as TrackingEventRecord)
    else of.positions.push(JSON.parse(record) as TrackingPositionRecord)
  }
  return entries
}
