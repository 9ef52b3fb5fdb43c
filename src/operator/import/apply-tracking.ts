import type { Shipment } from '../../contract/shipment.js'
import type { TrackingEventRecord, TrackingRecord } from '../../contract/tracking.js'
import { groupedBy } from '../../domain/grouping.js'
import { numbersOf } from '../../domain/shipment-cargo.js'
import { withEntries } from '../../domain/tracking.js'
import { findRecords } from '../../storage/records.js'
import { findStagedOfShipments } from '../../storage/staged-records.js'
import { saveStagedEntries, saveStagedTracking } from '../../storage/staged-saving.js'
import { readTrackingToJudge, readTrackingToRender } from '../../storage/staged-tracking.js'
import { rerenderTracking } from '../../storage/tracking.js'
import { entryChangeId, findTrackingEntries } from '../../storage/tracking-entries.js'
import { noEntries, renderedTracking } from '../tracking-record.js'
import { type AccountImport, applyKind, takeOutRejected } from './account-import.js'
import { Candidate } from './candidate.js'
import { judgeTracking } from './judge-tracking.js'

/** Tracking, and the events and positions that were said one by one: those are shown with the tracking. */
export async function applyTracking(work: AccountImport): Promise<void> {
  const { tx, account, slug } = work
  for await (const rows of readTrackingToJudge(tx.sql, slug, account)) {
    await judgeBatch(
      work,
      rows.map(({ shipment }) => shipment),
    )
  }
  await applyKind(work, 'tracking', (changed) => saveStagedTracking(tx, account, slug, changed))
  for (const kind of ['tracking_event', 'tracking_position'] as const) {
    await applyKind(work, kind, (changed) => saveStagedEntries(tx, account, slug, kind, changed))
  }
}

async function judgeBatch(work: AccountImport, shipments: string[]): Promise<void> {
  const { tx, account, slug } = work
  const [stagedTracking, stagedEvents, storedTracking, storedEntries] = await Promise.all([
    findStagedOfShipments(tx.sql, slug, 'tracking', shipments),
    findStagedOfShipments(tx.sql, slug, 'tracking_event', shipments),
    findRecords(tx.sql, account, 'tracking', shipments),
    findTrackingEntries(tx.sql, account, shipments),
  ])
  const stagedOf = new Map(stagedTracking.map((row) => [row.id, row]))
  const stagedEventOf = new Map(stagedEvents.map((row) => [row.id, row]))
  const storedEvents = [...storedEntries.values()].flatMap(({ events }) => events)
  const storedEventOf = new Map(storedEvents.map((event) => [eventId(event), event]))
  const events = [...new Set([...storedEventOf.keys(), ...stagedEventOf.keys()])].map(
    (id) => new Candidate(trackingEvents, storedEventOf.get(id), stagedEventOf.get(id)),
  )
  const eventsOf = groupedBy(events, ({ data }) => data?.svc_shipment_id)
  for (const shipment of shipments) {
    const stored = storedTracking.get(shipment)
    const plan = new Candidate(
      tracking,
      stored === undefined ? undefined : tracking.read(stored),
      stagedOf.get(shipment),
    )
    await judgeTracking(work, plan, eventsOf.get(shipment) ?? [])
  }
  await takeOutRejected(work)
}

const tracking = { kind: 'tracking' as const, read: (record: string) => JSON.parse(record) as TrackingRecord }
const trackingEvents = {
  kind: 'tracking_event' as const,
  read: (record: string) => JSON.parse(record) as TrackingEventRecord,
}

function eventId({ svc_shipment_id, event_id }: TrackingEventRecord): string {
  return entryChangeId({ svc_shipment_id, entry_id: event_id })
}

/**
 * Renders what does not follow from the line of a tracking alone: it shows what was said one by one, and its shipment is
 * where the last of its containers is. The shipments are as they will be; some of them have changed.
 */
export async function renderTrackingOf(
  { tx, account }: AccountImport,
  shipments: Map<string, Shipment>,
  changed: Set<string>,
): Promise<void> {
  const containersOf = new Map([...shipments].map(([id, shipment]) => [id, numbersOf(shipment)]))
  const wanted = [...containersOf].map(([shipment, containers]) => ({
    shipment,
    containers,
    has_changed: changed.has(shipment),
  }))
  for await (const rows of readTrackingToRender(tx, account, wanted)) {
    const ids = rows.map(({ shipment }) => shipment)
    const [records, entries] = await Promise.all([
      findRecords(tx.sql, account, 'tracking', ids),
      findTrackingEntries(tx.sql, account, ids),
    ])
    const rendered = [...records].map(([shipment, record]) => {
      const whole = withEntries(tracking.read(record), entries.get(shipment) ?? noEntries)
      return renderedTracking(whole, containersOf.get(shipment) ?? [])
    })
    await rerenderTracking(tx, account, rendered)
  }
}
