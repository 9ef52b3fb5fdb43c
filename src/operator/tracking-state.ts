import type { TrackingState } from '../contract/ops/tracking.js'
import { Refusal } from '../contract/refusals.js'
import type { ShipmentRecord } from '../contract/shipment.js'
import type { TrackingRecord } from '../contract/tracking.js'
import { stepsWithNamedEvents } from '../domain/inline-events.js'
import { numbersOf } from '../domain/shipment-cargo.js'
import { renderTracking, type TrackingEntries, withEntries } from '../domain/tracking.js'
import type { Reader } from '../storage/database.js'
import { findVersions, type PresentVersion, type Version } from '../storage/history.js'
import { listTrackingVersions } from '../storage/tracking-changes.js'
import { entryChangeId, findTrackingEntries, findTrackingEntriesAt } from '../storage/tracking-entries.js'
import type { AccountId, Transaction } from '../storage/transaction.js'
import { noEntries } from './tracking-record.js'

/** The tracking of a shipment with every statement and where it comes from, at present or at a revision. */
export async function findTrackingState(
  db: Reader,
  account: AccountId,
  shipment: string,
  revision?: number,
): Promise<TrackingState | undefined> {
  const known = await findKnown(db, account, shipment, revision)
  return known && stateOf(known, await findInlineOrigins(db, account, known.version))
}

/** The same for the answer to a write, which does not go through all that was ever said. */
export async function trackingAfterWrite(
  { sql }: Transaction,
  account: AccountId,
  shipment: string,
): Promise<TrackingState> {
  const known = await findKnown(sql, account, shipment)
  if (!known) throw new Refusal('tracking_not_found')
  return stateOf(known, new Map())
}

type Known = {
  version: PresentVersion
  entries: TrackingEntries
  /** The versions that said what was said one by one. */
  origins: Map<string, Version>
  /** Of the shipment. */
  containers: string[]
}

async function findKnown(
  db: Reader,
  account: AccountId,
  shipment: string,
  revision?: number,
): Promise<Known | undefined> {
  const version = (await findVersions(db, account, 'tracking', [shipment], revision)).get(shipment)
  if (!version) return undefined
  const found =
    revision === undefined
      ? await findTrackingEntries(db, account, [shipment])
      : await findTrackingEntriesAt(db, account, [shipment], revision)
  const entries = found.get(shipment) ?? noEntries
  const ids = entries.events.map(({ event_id }) => entryChangeId({ svc_shipment_id: shipment, entry_id: event_id }))
  const origins = await findVersions(db, account, 'tracking_event', ids, revision)
  const tracked = (await findVersions(db, account, 'shipment', [shipment], revision)).get(shipment)
  const containers = tracked ? numbersOf(JSON.parse(tracked.record) as ShipmentRecord) : []
  return { version, entries, origins, containers }
}

function stateOf({ version, entries, origins, containers }: Known, firstSaid: Map<string, Version>): TrackingState {
  const svc_shipment_id = version.id
  const whole = withEntries(JSON.parse(version.record) as TrackingRecord, entries)
  return {
    svc_shipment_id,
    ...originOf(version),
    steps: stepsWithNamedEvents(whole).map(({ events = [], ...step }) => ({
      ...step,
      events: events.map(({ id: event_id, ...event }) => {
        const said = origins.get(entryChangeId({ svc_shipment_id, entry_id: event_id })) ?? firstSaid.get(event_id)
        return { event_id, ...(said && originOf(said)), ...event }
      }),
    })),
    shown: renderTracking(whole, containers),
  }
}

/** Of the events that came with the whole tracking: the version since which each says what it does. */
async function findInlineOrigins(
  db: Reader,
  account: AccountId,
  newest: PresentVersion,
): Promise<Map<string, Version>> {
  const origins = new Map<string, Version>()
  if (wordsByEvent(newest).size === 0) return origins
  const versions = await listTrackingVersions(db, account, newest.id, newest.revision)
  let said = new Map<string, string>()
  for (const [index, version] of versions.toReversed().entries()) {
    const now = wordsByEvent(version)
    // What the oldest of them says is its own only if there was nothing before it.
    if (index > 0 || version.what === 'created') {
      for (const [id, words] of now) if (said.get(id) !== words) origins.set(id, version)
    }
    said = now
  }
  return origins
}

function wordsByEvent({ record }: PresentVersion): Map<string, string> {
  const steps = stepsWithNamedEvents(JSON.parse(record) as TrackingRecord)
  const events = steps.flatMap((step) => (step.events ?? []).map((event) => ({ ...event, step: step.id })))
  return new Map(events.map(({ id, ...event }) => [id, JSON.stringify(event)]))
}

function originOf({ revision, recorded_at, recorded_by }: Version) {
  return { revision, recorded_at, recorded_by }
}
