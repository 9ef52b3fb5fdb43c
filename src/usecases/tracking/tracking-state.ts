import type { TrackingState } from '../../contract/operator/tracking.js'
import type { ShipmentRecord } from '../../contract/public/shipment.js'
import type { TrackingRecord } from '../../contract/public/tracking.js'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { numbersOf } from '../../domain/shipments/shipment-cargo.js'
import { stepsWithNamedEvents } from '../../domain/tracking/inline-events.js'
import {
  noEntries,
  renderTrackingInParts,
  type TrackingContext,
  type TrackingEntries,
} from '../../domain/tracking/tracking.js'
import { finishInSlices } from '../../jobs/in-slices.js'
import { findVersions, type PresentVersion, type Version } from '../../ledger/history.js'
import { findStepLocations } from '../../ledger/step-locations.js'
import { findEventVersions, listTrackingVersions } from '../../ledger/tracking-history.js'
import { Transaction } from '../../ledger/transaction.js'
import { wholeTrackingInParts } from '../../ledger/whole-tracking.js'
import { entryChangeId, findTrackingEntries, findTrackingEntriesAt } from '../../store/tracking-entries.js'
import { withZones } from './step-zones.js'

/** The tracking of a shipment with the origin of every event, at present or at a revision. */
export async function findTrackingState(
  db: Reader,
  account: AccountId,
  shipment: string,
  revision?: number,
): Promise<TrackingState | undefined> {
  const known = await findKnown(db, account, shipment, revision)
  return known && withZones(await stateOf(known, await findInlineOrigins(db, account, known.version)))
}

/** The same for the response to a write, without reading the whole history. */
export async function trackingAfterWrite(
  tx: Transaction,
  account: AccountId,
  shipment: string,
): Promise<TrackingState> {
  await tx.derive()
  const known = await findKnown(tx.sql, account, shipment)
  if (!known) throw new Refusal('tracking_not_found')
  return withZones(await stateOf(known, new Map()))
}

type Known = {
  version: PresentVersion
  entries: TrackingEntries
  /** The version that each event comes from. */
  origins: Map<string, Version>
  tracked: ShipmentRecord
  context: TrackingContext
}

async function findKnown(
  db: Reader,
  account: AccountId,
  shipment: string,
  revision?: number,
): Promise<Known | undefined> {
  const [stored, origins] = await Promise.all([
    findStoredTracking(db, account, shipment, revision),
    findEventVersions(db, account, shipment, revision),
  ])
  if (!stored) return undefined
  const { version, entries, tracked } = stored
  const locations = await findStepLocations(db, account, [JSON.parse(version.record) as TrackingRecord], revision)
  return { version, entries, origins, tracked, context: { containers: numbersOf(tracked), locations } }
}

type StoredTracking = { version: PresentVersion; entries: TrackingEntries; tracked: ShipmentRecord }

/** The tracking as it is stored, and its shipment, at present or at a revision. */
export async function findStoredTracking(
  db: Reader,
  account: AccountId,
  shipment: string,
  revision?: number,
): Promise<StoredTracking | undefined> {
  return (await findStoredTrackings(db, account, [shipment], revision)).get(shipment)
}

/** Of several shipments; those without tracking are left out. */
export async function findStoredTrackings(
  db: Reader,
  account: AccountId,
  shipments: string[],
  revision?: number,
): Promise<Map<string, StoredTracking>> {
  const [versions, found, records] = await Promise.all([
    findVersions(db, account, 'tracking', shipments, revision),
    revision === undefined
      ? findTrackingEntries(db, account, shipments)
      : findTrackingEntriesAt(db, account, shipments, revision),
    findVersions(db, account, 'shipment', shipments, revision),
  ])
  return new Map(
    Array.from(versions, ([shipment, version]) => {
      const record = records.get(shipment)?.record
      const tracked = record === undefined ? { svc_shipment_id: shipment } : (JSON.parse(record) as ShipmentRecord)
      return [shipment, { version, entries: found.get(shipment) ?? noEntries, tracked }]
    }),
  )
}

async function stateOf(
  { version, entries, origins, tracked, context }: Known,
  inlineOrigins: Map<string, Version>,
): Promise<TrackingState> {
  const svc_shipment_id = version.id
  const record = JSON.parse(version.record) as TrackingRecord
  const whole = await finishInSlices(wholeTrackingInParts(record, entries, tracked))
  return {
    svc_shipment_id,
    ...originOf(version),
    steps: stepsWithNamedEvents(whole).map(({ events = [], ...step }) => ({
      ...step,
      events: events.map(({ id: event_id, ...event }) => {
        const origin =
          origins.get(entryChangeId({ svc_shipment_id, entry_id: event_id })) ?? inlineOrigins.get(event_id)
        return { event_id, ...(origin && originOf(origin)), ...event }
      }),
    })),
    shown: await finishInSlices(renderTrackingInParts(whole, context)),
    ...(whole.pins && { pins: whole.pins }),
  }
}

/** For events that came with the whole tracking: the version since which each has its present content. */
async function findInlineOrigins(
  db: Reader,
  account: AccountId,
  newest: PresentVersion,
): Promise<Map<string, Version>> {
  const origins = new Map<string, Version>()
  if (contentByEvent(newest).size === 0) return origins
  const versions = await listTrackingVersions(db, account, newest.id, newest.revision)
  let previous = new Map<string, string>()
  for (const [index, version] of versions.toReversed().entries()) {
    const now = contentByEvent(version)
    // The oldest version that is read is the origin of its events only if it created the tracking.
    if (index > 0 || version.what === 'created') {
      for (const [id, content] of now) if (previous.get(id) !== content) origins.set(id, version)
    }
    previous = now
  }
  return origins
}

function contentByEvent({ record }: PresentVersion): Map<string, string> {
  const steps = stepsWithNamedEvents(JSON.parse(record) as TrackingRecord)
  const events = steps.flatMap((step) => (step.events ?? []).map((event) => ({ ...event, step: step.id })))
  return new Map(events.map(({ id, ...event }) => [id, JSON.stringify(event)]))
}

function originOf({ revision, recorded_at, recorded_by }: Version) {
  return { revision, recorded_at, recorded_by }
}
