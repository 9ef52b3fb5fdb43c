import type { TrackingState } from '../contract/ops/tracking.js'
import { Refusal } from '../contract/refusals.js'
import type { TrackingRecord } from '../contract/tracking.js'
import { stepsWithNamedEvents } from '../domain/inline-events.js'
import { renderTracking, withEntries } from '../domain/tracking.js'
import type { Reader } from '../storage/database.js'
import { findVersions, listVersions, type Version } from '../storage/history.js'
import { entryChangeId, findTrackingEntries, findTrackingEntriesAt } from '../storage/tracking-entries.js'
import type { AccountId } from '../storage/transaction.js'
import { noEntries } from './tracking-record.js'

// More than anybody makes of one shipment's plan; what is older is told as of the oldest of these.
const mostVersions = 1000

/** The tracking of a shipment with every statement and where it comes from, at present or at a revision. */
export async function findTrackingState(
  db: Reader,
  account: AccountId,
  shipment: string,
  revision?: number,
): Promise<TrackingState | undefined> {
  const version = (await findVersions(db, account, 'tracking', [shipment], revision)).get(shipment)
  if (!version) return undefined
  const found =
    revision === undefined
      ? await findTrackingEntries(db, account, [shipment])
      : await findTrackingEntriesAt(db, account, [shipment], revision)
  const entries = found.get(shipment) ?? noEntries
  const ids = entries.events.map(({ event_id }) => entryChangeId({ svc_shipment_id: shipment, entry_id: event_id }))
  const origins = await findVersions(db, account, 'tracking_event', ids, revision)
  const firstSaid = await findInlineOrigins(db, account, shipment, revision)
  const record = JSON.parse(version.record) as TrackingRecord
  const whole = withEntries(record, entries)
  return {
    svc_shipment_id: shipment,
    ...originOf(version),
    steps: stepsWithNamedEvents(whole).map(({ events = [], ...step }) => ({
      ...step,
      events: events.map(({ id: event_id, ...event }) => {
        const own = origins.get(entryChangeId({ svc_shipment_id: shipment, entry_id: event_id }))
        return { event_id, ...originOf(own ?? firstSaid.get(event_id) ?? version), ...event }
      }),
    })),
    shown: renderTracking(whole),
  }
}

/** Of the events that came with the whole tracking: the version since which each says what it does. */
async function findInlineOrigins(
  db: Reader,
  account: AccountId,
  shipment: string,
  revision: number | undefined,
): Promise<Map<string, Version>> {
  const before = revision === undefined ? undefined : revision + 1
  const versions = await listVersions(db, account, 'tracking', shipment, { before, take: mostVersions })
  const origins = new Map<string, Version>()
  let said = new Map<string, string>()
  for (const version of versions.toReversed()) {
    if (version.record === null) continue
    const steps = stepsWithNamedEvents(JSON.parse(version.record) as TrackingRecord)
    const events = steps.flatMap((step) => (step.events ?? []).map((event) => ({ ...event, step: step.id })))
    const now = new Map(events.map(({ id, ...event }) => [id, JSON.stringify(event)]))
    for (const [id, words] of now) if (said.get(id) !== words) origins.set(id, version)
    said = now
  }
  return origins
}

export async function getTrackingState(db: Reader, account: AccountId, shipment: string): Promise<TrackingState> {
  const state = await findTrackingState(db, account, shipment)
  if (!state) throw new Refusal('tracking_not_found')
  return state
}

function originOf({ revision, recorded_at, recorded_by }: Version) {
  return { revision, recorded_at, recorded_by }
}
