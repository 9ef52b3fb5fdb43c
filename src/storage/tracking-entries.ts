import type { TrackingEventRecord, TrackingPositionRecord } from '../contract/tracking.js'
import { asJson, type Reader } from './database.js'
import type { AccountId, Transaction } from './transaction.js'

/** Events and positions that were said one by one. */
export type EntryKind = 'tracking_event' | 'tracking_position'

export type TrackingEntryRow = {
  kind: EntryKind
  svc_shipment_id: string
  entry_id: string
  sequence: number
  record: string
}

type ShipmentEntries = { events: TrackingEventRecord[]; positions: TrackingPositionRecord[] }

/** In the change log an entry is known by its shipment and its own name. */
export function entryChangeId({ svc_shipment_id, entry_id }: { svc_shipment_id: string; entry_id: string }): string {
  return JSON.stringify([svc_shipment_id, entry_id])
}

export async function saveTrackingEntries(
  tx: Transaction,
  account: AccountId,
  rows: (TrackingEntryRow & { what: 'created' | 'updated' | 'corrected'; reason?: string | undefined })[],
): Promise<void> {
  const given = asJson(rows, ({ what: _what, reason: _reason, ...row }) => row)
  await tx.sql`
    insert into tracking_entries (account_id, svc_shipment_id, kind, entry_id, sequence, record, revision)
    select ${account}, svc_shipment_id, kind, entry_id, sequence, record, ${tx.revision}
    from jsonb_to_recordset(${given}::text::jsonb)
      as saved (svc_shipment_id text, kind text, entry_id text, sequence integer, record text)
    on conflict (account_id, svc_shipment_id, kind, entry_id) do update
    set sequence = excluded.sequence, record = excluded.record, revision = excluded.revision`
  await tx.record(
    rows.map(({ kind, what, reason, record, ...row }) => ({ kind, id: entryChangeId(row), what, record, reason })),
  )
}

/** False when there is no such entry. */
export async function removeTrackingEntry(
  tx: Transaction,
  account: AccountId,
  entry: Pick<TrackingEntryRow, 'kind' | 'svc_shipment_id' | 'entry_id'>,
  reason: string | undefined,
): Promise<boolean> {
  const removed = await tx.sql`
    delete from tracking_entries
    where account_id = ${account} and svc_shipment_id = ${entry.svc_shipment_id} and kind = ${entry.kind}
      and entry_id = ${entry.entry_id}
    returning entry_id`
  if (removed.length === 0) return false
  await tx.record([{ kind: entry.kind, id: entryChangeId(entry), what: 'removed', reason }])
  return true
}

export async function findTrackingEntries(
  db: Reader,
  account: AccountId,
  shipments: string[],
): Promise<Map<string, ShipmentEntries>> {
  const rows = await db<Pick<TrackingEntryRow, 'svc_shipment_id' | 'kind' | 'record'>[]>`
    select svc_shipment_id, kind, record from tracking_entries
    where account_id = ${account} and svc_shipment_id = any(${shipments})
    order by svc_shipment_id, kind, sequence, entry_id`
  return entriesByShipment(rows)
}

/** The same as they were at a revision, from the change log. What follows a comma is a hyphen. */
export async function findTrackingEntriesAt(
  db: Reader,
  account: AccountId,
  shipments: string[],
  revision: number,
): Promise<Map<string, ShipmentEntries>> {
  const rows = await db<Pick<TrackingEntryRow, 'svc_shipment_id' | 'kind' | 'record'>[]>`
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

/** How the identifiers of all entries of a shipment begin. */
export function entryPrefix(shipment: string): string {
  return `[${JSON.stringify(shipment)},`
}

/** Where the next one stands among the entries of its kind. */
export async function nextSequence(
  tx: Transaction,
  account: AccountId,
  shipment: string,
  kind: EntryKind,
): Promise<number> {
  const [row] = await tx.sql<{ next: number }[]>`
    select coalesce(max(sequence), 0) + 1 as next from tracking_entries
    where account_id = ${account} and svc_shipment_id = ${shipment} and kind = ${kind}`
  return row?.next ?? 1
}

function entriesByShipment(
  rows: Pick<TrackingEntryRow, 'svc_shipment_id' | 'kind' | 'record'>[],
): Map<string, ShipmentEntries> {
  const entries = new Map<string, ShipmentEntries>()
  for (const { svc_shipment_id, kind, record } of rows) {
    const of = entries.get(svc_shipment_id) ?? { events: [], positions: [] }
    entries.set(svc_shipment_id, of)
    if (kind === 'tracking_event') of.events.push(JSON.parse(record) as TrackingEventRecord)
    else of.positions.push(JSON.parse(record) as TrackingPositionRecord)
  }
  return entries
}
