import type { TrackingEventRecord, TrackingRecord } from '../../contract/public/tracking.js'
import { groupedBy } from '../../domain/records/grouping.js'
import { readRecords, recordId } from '../../ledger/records.js'
import { findStagedOfShipments, readStagedShipments } from '../../store/staging/staged-records.js'
import { findTrackingEntries } from '../../store/tracking-entries.js'
import { type AccountImport, removeRejected } from './account-import.js'
import { MergedRecord } from './merged-record.js'
import { rejectTrackingConflicts } from './tracking-conflicts.js'

/** Validates the tracking of shipments together with its events. */
export async function validateTracking(work: AccountImport): Promise<void> {
  for await (const rows of readStagedShipments(work.tx.sql, work.slug)) {
    await validateBatch(
      work,
      rows.map(({ shipment }) => shipment),
    )
  }
}

async function validateBatch(work: AccountImport, shipments: string[]): Promise<void> {
  const { tx, account, slug } = work
  const [stagedTracking, stagedEvents, storedTracking, storedEntries] = await Promise.all([
    findStagedOfShipments(tx.sql, slug, 'tracking', shipments),
    findStagedOfShipments(tx.sql, slug, 'tracking_event', shipments),
    readRecords(tx.sql, account, 'tracking', shipments),
    findTrackingEntries(tx.sql, account, shipments),
  ])
  const stagedOf = new Map(stagedTracking.map((row) => [row.id, row]))
  const stagedEventOf = new Map(stagedEvents.map((row) => [row.id, row]))
  const storedEvents = [...storedEntries.values()].flatMap(({ events }) => events)
  const storedEventOf = new Map(storedEvents.map((event) => [recordId.tracking_event(event), event]))
  const events = [...new Set([...storedEventOf.keys(), ...stagedEventOf.keys()])].map(
    (id) => new MergedRecord(trackingEvents, storedEventOf.get(id), stagedEventOf.get(id)),
  )
  const eventsOf = groupedBy(events, ({ data }) => data?.svc_shipment_id)
  for (const shipment of shipments) {
    const plan = new MergedRecord(tracking, storedTracking.get(shipment), stagedOf.get(shipment))
    await rejectTrackingConflicts(work, plan, eventsOf.get(shipment) ?? [])
  }
  await removeRejected(work)
}

const tracking = { kind: 'tracking' as const, read: (record: string) => JSON.parse(record) as TrackingRecord }
const trackingEvents = {
  kind: 'tracking_event' as const,
  read: (record: string) => JSON.parse(record) as TrackingEventRecord,
}
