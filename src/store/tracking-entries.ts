import type { TrackingEventRecord, TrackingPositionRecord } from '../contract/public/tracking.js'
import type { AccountId } from '../database/account-id.js'
import { asJson, type Fragment, type Reader, type TransactionSql } from '../database/database.js'
import { lookup } from '../database/lookup.js'
import { takeTurns } from '../jobs/in-slices.js'
import { type AccountKey, accountsOf, idsOf, keysOf } from './account-key.js'
import { lastOfEach, type RowWrite } from './write.js'

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
  account_id: AccountId,
  rows: TrackingEntryRow[],
): void {
  sql.gathering.write(
    upsertEntries,
    rows.map(({ kind, entry_id, record }) => {
      const { svc_shipment_id, sequence } = record
      return { account_id, revision, kind, entry_id, svc_shipment_id, sequence, record: JSON.stringify(record) }
    }),
  )
}

type SavedEntry = StoredEntry & { account_id: AccountId; entry_id: string; sequence: number; revision: number }

function upsertEntries(sql: Reader, rows: SavedEntry[]) {
  const entries = lastOfEach(rows, ({ account_id, svc_shipment_id, kind, entry_id }) =>
    JSON.stringify([account_id, svc_shipment_id, kind, entry_id]),
  )
  return sql`
    insert into tracking_entries (account_id, svc_shipment_id, kind, entry_id, sequence, record, revision)
    select account_id, svc_shipment_id, kind, entry_id, sequence, record, revision
    from jsonb_to_recordset(${asJson(entries)}::text::jsonb) as saved (
      account_id integer, svc_shipment_id text, kind text, entry_id text, sequence integer, record text, revision bigint)
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
  return entriesByShipment(await lookUpEntries(db, keysOf(account, shipments)))
}

const lookUpEntries = lookup<AccountKey, StoredEntry>(
  (db, keys) => db`
    select place, wanted.id as svc_shipment_id, kind, record
    from unnest(${accountsOf(keys)}::integer[], ${idsOf(keys)}::text[]) with ordinality as wanted (account_id, id, place)
    cross join lateral (
      select kind, record, sequence, entry_id from tracking_entries
      where account_id = wanted.account_id and svc_shipment_id = wanted.id offset 0
    ) stored
    order by place, kind, sequence, entry_id`,
)

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

async function entriesByShipment(rows: StoredEntry[]): Promise<Map<string, ShipmentEntries>> {
  const others = takeTurns()
  const entries = new Map<string, ShipmentEntries>()
  for (const { svc_shipment_id, kind, record } of rows) {
    const turn = others()
    if (turn) await turn
    const of = entries.get(svc_shipment_id) ?? { events: [], positions: [] }
    entries.set(svc_shipment_id, of)
    if (kind === 'tracking_event') of.events.push(JSON.parse(record) as TrackingEventRecord)
    else of.positions.push(JSON.parse(record) as TrackingPositionRecord)
  }
  return entries
}
