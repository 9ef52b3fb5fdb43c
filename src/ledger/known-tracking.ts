import type { ShipmentRecord } from '../contract/public/shipment.js'
import type { TrackingEventRecord, TrackingRecord } from '../contract/public/tracking.js'
import type { AccountId } from '../database/account-id.js'
import type { Reader } from '../database/database.js'
import { noEntries, type TrackingEntries } from '../domain/tracking/tracking.js'
import { findTrackingEntries } from '../store/tracking-entries.js'
import { type RecordKind, type Records, readRecords } from './records.js'

/** Everything that is stored about the tracking of a shipment. */
export type KnownTracking = {
  record: TrackingRecord | undefined
  entries: TrackingEntries
  shipment: ShipmentRecord | undefined
}

export async function findKnownTrackings(
  db: Reader,
  account: AccountId,
  shipments: string[],
): Promise<Map<string, KnownTracking>> {
  const [records, entries, tracked] = await Promise.all([
    readRecords(db, account, 'tracking', shipments),
    findTrackingEntries(db, account, shipments),
    readRecords(db, account, 'shipment', shipments),
  ])
  return new Map(
    shipments.map((id) => [
      id,
      { record: records.get(id), entries: entries.get(id) ?? noEntries, shipment: tracked.get(id) },
    ]),
  )
}

/** Trackings that a write has read under the lock, with what it has stored since: they are rendered without reading them again. */
export class ReadTrackings {
  readonly #known = new Map<string, KnownTracking>()

  note(shipment: string, known: KnownTracking): void {
    this.#known.set(shipment, known)
  }

  get(shipment: string): KnownTracking | undefined {
    return this.#known.get(shipment)
  }

  put(kind: RecordKind, records: Records[RecordKind][]): void {
    if (this.#known.size === 0) return
    if (kind === 'tracking') this.#each(records as TrackingRecord[], (known, record) => ({ ...known, record }))
    if (kind === 'shipment') this.#each(records as ShipmentRecord[], (known, shipment) => ({ ...known, shipment }))
    if (kind === 'tracking_event')
      this.#each(records as TrackingEventRecord[], (known, event) =>
        withEvents(known, [...known.entries.events.filter((each) => !isSame(each, event)), event]),
      )
    // Positions are rarely written together with events.
    if (kind === 'tracking_position') for (const record of records) this.#known.delete(idOf(record as TrackingRecord))
  }

  remove(kind: RecordKind, record: Records[RecordKind]): void {
    if (kind !== 'tracking_event') return
    this.#each([record as TrackingEventRecord], (known, event) =>
      withEvents(
        known,
        known.entries.events.filter((each) => !isSame(each, event)),
      ),
    )
  }

  #each<Record extends { svc_shipment_id: string }>(
    records: Record[],
    change: (known: KnownTracking, record: Record) => KnownTracking,
  ): void {
    for (const record of records) {
      const known = this.#known.get(idOf(record))
      if (known) this.#known.set(idOf(record), change(known, record))
    }
  }
}

const idOf = ({ svc_shipment_id }: { svc_shipment_id: string }) => svc_shipment_id

function isSame(one: TrackingEventRecord, other: TrackingEventRecord): boolean {
  return one.event_id === other.event_id
}

/** In the order in which they are stored. */
function withEvents(known: KnownTracking, events: TrackingEventRecord[]): KnownTracking {
  const ordered = events.toSorted(
    (one, other) => one.sequence - other.sequence || (one.event_id < other.event_id ? -1 : 1),
  )
  return { ...known, entries: { ...known.entries, events: ordered } }
}
