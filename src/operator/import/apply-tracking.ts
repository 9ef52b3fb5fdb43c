import type { TrackingEventRecord, TrackingRecord } from '../../contract/tracking.js'
import { groupedBy } from '../../domain/grouping.js'
import { mainTrackingDates, renderTracking, withEntries } from '../../domain/tracking.js'
import { findRecords } from '../../storage/records.js'
import { findStagedOfShipments } from '../../storage/staged-records.js'
import { saveStagedEntries, saveStagedTracking } from '../../storage/staged-saving.js'
import { readTrackingToJudge, readTrackingWithEntries } from '../../storage/staged-tracking.js'
import { rerenderTracking } from '../../storage/tracking.js'
import { entryChangeId, findTrackingEntries } from '../../storage/tracking-entries.js'
import { noEntries } from '../tracking-record.js'
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
  for await (const rows of readTrackingWithEntries(tx.sql, slug, account)) {
    await renderWithEntries(
      work,
      rows.map(({ shipment }) => shipment),
    )
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

async function renderWithEntries({ tx, account }: AccountImport, shipments: string[]): Promise<void> {
  const [records, entries] = await Promise.all([
    findRecords(tx.sql, account, 'tracking', shipments),
    findTrackingEntries(tx.sql, account, shipments),
  ])
  const rows = [...records].map(([shipment, record]) => {
    const whole = withEntries(tracking.read(record), entries.get(shipment) ?? noEntries)
    return {
      svc_shipment_id: shipment,
      main_tracking_dates: mainTrackingDates(whole),
      body: JSON.stringify(renderTracking(whole)),
    }
  })
  await rerenderTracking(tx, account, rows)
}
