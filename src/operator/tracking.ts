import { randomBytes } from 'node:crypto'
import { Big } from 'big.js'
import { type Fault, invalid, Refusal } from '../contract/refusals.js'
import type { TrackingEventRecord, TrackingPositionRecord, TrackingRecord } from '../contract/tracking.js'
import { stepOfEvent, stepsWithNamedEvents, withCorrectedEvent, withoutEvent } from '../domain/inline-events.js'
import { namedSteps } from '../domain/tracking.js'
import type { Reader } from '../storage/database.js'
import { findRevisionAt } from '../storage/history.js'
import { findRecords } from '../storage/records.js'
import { findShipmentStatuses } from '../storage/shipments.js'
import { hadEntry, listTrackingChanges } from '../storage/tracking-changes.js'
import {
  type EntryKind,
  findTrackingEntries,
  nextSequence,
  removeTrackingEntry,
  saveTrackingEntries,
} from '../storage/tracking-entries.js'
import type { AccountId, Transaction } from '../storage/transaction.js'
import type { OperatorHandlers } from './handlers.js'
import { stepsOf } from './tracking-plan.js'
import { findContainers, findTrackingRecord, getTrackingRecord, noEntries, settleTracking } from './tracking-record.js'
import { findTrackingState, trackingAfterWrite } from './tracking-state.js'

export const trackingHandlers: OperatorHandlers<
  'getTracking' | 'getTrackingHistory' | 'planTracking' | 'addEvent' | 'correctEvent' | 'retractEvent' | 'addPosition'
> = {
  async getTracking({ db, account }, { params: { svc_shipment_id: shipment }, query: { as_of } }) {
    const revision = as_of === undefined ? undefined : await findRevisionAt(db, account, as_of)
    const state = await findTrackingState(db, account, shipment, revision)
    if (state) return state
    throw new Refusal((await isTracked(db, account, shipment)) ? 'version_not_found' : 'tracking_not_found')
  },

  async getTrackingHistory({ db, account }, { params, query: { skip = 0, take = 100 } }) {
    const changes = await listTrackingChanges(db, account, params.svc_shipment_id, { skip, take })
    if (changes.length === 0 && !(await isTracked(db, account, params.svc_shipment_id))) {
      throw new Refusal('tracking_not_found')
    }
    return changes.map(({ record, reason, ...change }) => ({
      ...change,
      ...(reason !== null && { reason }),
      ...(record !== null && { record: JSON.parse(record) as unknown }),
    }))
  },

  async planTracking({ tx, account }, { params: { svc_shipment_id: shipment }, body: { steps } }) {
    await refuseUnknownShipment(tx, account, shipment)
    const before = (await findTrackingRecord(tx, account, shipment)) ?? { svc_shipment_id: shipment }
    const entries = (await findTrackingEntries(tx.sql, account, [shipment])).get(shipment) ?? noEntries
    const planned = await stepsOf(tx.sql, account, steps, before)
    refuseLostEvents(before, planned, entries.events)
    await settleTracking(tx, account, { ...before, tracking_steps: planned })
    return trackingAfterWrite(tx, account, shipment)
  },

  async addEvent({ tx, account }, { params: { svc_shipment_id: shipment }, body }) {
    const record = await getTrackingRecord(tx, account, shipment)
    const { event_id = identifier('evt'), ...event } = body
    refuseUnknownStep(record, event.step)
    await refuseUnknownContainer(tx, account, shipment, event.container_number)
    const isTaken =
      stepOfEvent(record, event_id) !== undefined ||
      (await hadEntry(tx.sql, account, 'tracking_event', shipment, event_id))
    if (isTaken) throw new Refusal('event_exists')
    const sequence = await nextSequence(tx, account, shipment, 'tracking_event')
    const added = { svc_shipment_id: shipment, event_id, sequence, ...event }
    await saveEntry(tx, account, 'tracking_event', event_id, added, { what: 'created' })
    await settleTracking(tx, account, record)
    return trackingAfterWrite(tx, account, shipment)
  },

  async correctEvent({ tx, account }, { params: { svc_shipment_id: shipment, event_id }, body: { reason, ...event } }) {
    const record = await getTrackingRecord(tx, account, shipment)
    refuseUnknownStep(record, event.step)
    const stored = await findEvent(tx, account, shipment, event_id)
    const before = stored ?? inlineEvent(record, event_id)
    if (!before) throw new Refusal('event_not_found')
    // A container that the event names already may stand, as it came with an import.
    if (event.container_number !== before.container_number) {
      await refuseUnknownContainer(tx, account, shipment, event.container_number)
    }
    if (stored) {
      const corrected = { svc_shipment_id: shipment, event_id, sequence: stored.sequence, ...event }
      await saveEntry(tx, account, 'tracking_event', event_id, corrected, { what: 'corrected', reason })
      await settleTracking(tx, account, record)
    } else {
      const { step, ...words } = event
      const corrected = withCorrectedEvent(record, event_id, step, words)
      await settleTracking(tx, account, corrected, { what: 'corrected', reason })
    }
    return trackingAfterWrite(tx, account, shipment)
  },

  async retractEvent({ tx, account }, { params: { svc_shipment_id: shipment, event_id }, query: { reason } }) {
    const record = await getTrackingRecord(tx, account, shipment)
    const entry = { kind: 'tracking_event' as const, svc_shipment_id: shipment, entry_id: event_id }
    if (await removeTrackingEntry(tx, account, entry, reason)) await settleTracking(tx, account, record)
    else {
      if (stepOfEvent(record, event_id) === undefined) throw new Refusal('event_not_found')
      await settleTracking(tx, account, withoutEvent(record, event_id), { what: 'corrected', reason })
    }
    return trackingAfterWrite(tx, account, shipment)
  },

  async addPosition({ tx, account }, { params: { svc_shipment_id: shipment }, body }) {
    await refuseUnknownShipment(tx, account, shipment)
    const record = (await findTrackingRecord(tx, account, shipment)) ?? { svc_shipment_id: shipment }
    const position_id = identifier('pos')
    const sequence = await nextSequence(tx, account, shipment, 'tracking_position')
    const added: TrackingPositionRecord = {
      svc_shipment_id: shipment,
      position_id,
      sequence,
      ...body,
      // Interface 2.6: coordinates are strings.
      latitude: new Big(body.latitude).toFixed(),
      longitude: new Big(body.longitude).toFixed(),
    }
    await saveEntry(tx, account, 'tracking_position', position_id, added, { what: 'created' })
    await settleTracking(tx, account, record)
    return trackingAfterWrite(tx, account, shipment)
  },
}

async function isTracked(db: Reader, account: AccountId, shipment: string): Promise<boolean> {
  return (await findRecords(db, account, 'tracking', [shipment])).has(shipment)
}

async function refuseUnknownShipment({ sql }: Transaction, account: AccountId, shipment: string): Promise<void> {
  const found = await findShipmentStatuses(sql, account, [shipment])
  if (!found.has(shipment)) throw new Refusal('shipment_not_found')
}

function refuseUnknownStep(record: TrackingRecord, step: string): void {
  const names = namedSteps(record).map(({ id }) => id)
  if (names.includes(step)) return
  const fault: Fault = { pointer: '/step', detail: `the plan has no such step; it has: ${names.join(', ') || 'none'}` }
  throw invalid([fault])
}

/** Whatever is said of a container is said of one that the shipment has. */
async function refuseUnknownContainer(
  tx: Transaction,
  account: AccountId,
  shipment: string,
  container: string | undefined,
): Promise<void> {
  if (container === undefined) return
  const numbers = await findContainers(tx, account, shipment)
  if (numbers.includes(container)) return
  const detail = `the shipment has no container of this number; it has: ${numbers.join(', ') || 'none'}`
  throw invalid([{ pointer: '/container_number', detail }])
}

function inlineEvent(record: TrackingRecord, id: string) {
  return stepsWithNamedEvents(record)
    .flatMap(({ events = [] }) => events)
    .find((event) => event.id === id)
}

// A step is known by its name: events that a new plan has no place for would be lost.
function refuseLostEvents(before: TrackingRecord, planned: { id: string }[], events: TrackingEventRecord[]): void {
  const kept = new Set(planned.map(({ id }) => id))
  const withInline = namedSteps(before).filter((step) => step.events?.length)
  const lost = new Set(
    [...withInline.map(({ id }) => id), ...events.map(({ step }) => step)].filter((id) => !kept.has(id)),
  )
  if (lost.size === 0) return
  throw new Refusal('step_has_events', `The plan leaves out steps that have events: ${[...lost].join(', ')}.`)
}

async function saveEntry(
  tx: Transaction,
  account: AccountId,
  kind: EntryKind,
  entry_id: string,
  record: TrackingEventRecord | TrackingPositionRecord,
  change: { what: 'created' | 'corrected'; reason?: string },
): Promise<void> {
  const { svc_shipment_id, sequence } = record
  const row = { kind, svc_shipment_id, entry_id, sequence, record: JSON.stringify(record), ...change }
  await saveTrackingEntries(tx, account, [row])
}

async function findEvent(
  { sql }: Transaction,
  account: AccountId,
  shipment: string,
  id: string,
): Promise<TrackingEventRecord | undefined> {
  const entries = (await findTrackingEntries(sql, account, [shipment])).get(shipment)
  return entries?.events.find(({ event_id }) => event_id === id)
}

function identifier(prefix: string): string {
  return `${prefix}_${randomBytes(8).toString('hex')}`
}
