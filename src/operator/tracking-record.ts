import { Refusal } from '../contract/refusals.js'
import type { MainTrackingDates, ShipmentRecord, ShipmentStatus } from '../contract/shipment.js'
import type { TrackingRecord } from '../contract/tracking.js'
import { stepsWithNamedEvents } from '../domain/inline-events.js'
import { numbersOf } from '../domain/shipment-cargo.js'
import { renderTracking, type TrackingEntries, withEntries } from '../domain/tracking.js'
import { mainTrackingDates } from '../domain/tracking-dates.js'
import { withInitialDates } from '../domain/tracking-status.js'
import { findRecords } from '../storage/records.js'
import { findShipmentStatuses } from '../storage/shipments.js'
import { findMainTrackingDates, rerenderTracking, saveTracking } from '../storage/tracking.js'
import { findTrackingEntries } from '../storage/tracking-entries.js'
import type { AccountId, Transaction } from '../storage/transaction.js'
import { refreshShipments } from './derivation.js'
import { isUnchanged } from './versions.js'

/** What is kept of a shipment's tracking, and how it is stored again with all that follows from it. */

export const noEntries: TrackingEntries = { events: [], positions: [] }

export async function findTrackingRecord(
  { sql }: Transaction,
  account: AccountId,
  shipment: string,
): Promise<TrackingRecord | undefined> {
  const record = (await findRecords(sql, account, 'tracking', [shipment])).get(shipment)
  return record === undefined ? undefined : (JSON.parse(record) as TrackingRecord)
}

export async function getTrackingRecord(
  tx: Transaction,
  account: AccountId,
  shipment: string,
): Promise<TrackingRecord> {
  const record = await findTrackingRecord(tx, account, shipment)
  if (!record) throw new Refusal('tracking_not_found')
  return record
}

/** What is stored of a tracking that everything is known of, beside its record. */
export function renderedTracking(whole: TrackingRecord, containers: string[]) {
  return {
    svc_shipment_id: whole.svc_shipment_id,
    main_tracking_dates: mainTrackingDates(whole, containers),
    body: JSON.stringify(renderTracking(whole, containers)),
  }
}

/** The numbers of the shipment's containers. */
export async function findContainers({ sql }: Transaction, account: AccountId, shipment: string): Promise<string[]> {
  const record = (await findRecords(sql, account, 'shipment', [shipment])).get(shipment)
  return record === undefined ? [] : numbersOf(JSON.parse(record) as ShipmentRecord)
}

/** The tracking with every entry in its place, if there is any. */
export async function findWholeTracking(
  tx: Transaction,
  account: AccountId,
  shipment: string,
): Promise<TrackingRecord | undefined> {
  const record = await findTrackingRecord(tx, account, shipment)
  if (!record) return undefined
  const entries = await findTrackingEntries(tx.sql, account, [shipment])
  return withEntries(record, entries.get(shipment) ?? noEntries)
}

/**
 * Stores the tracking after a change by an operator: the plan, if that is what changed, or what follows from new
 * entries. From then on its status follows from the events, and every date that is known first is kept.
 */
export async function settleTracking(
  tx: Transaction,
  account: AccountId,
  record: TrackingRecord,
  change: { reason?: string | undefined; what?: 'corrected' } = {},
): Promise<void> {
  const shipment = record.svc_shipment_id
  const before = (await findRecords(tx.sql, account, 'tracking', [shipment])).get(shipment)
  const entries = (await findTrackingEntries(tx.sql, account, [shipment])).get(shipment) ?? noEntries
  const status = (await findShipmentStatuses(tx.sql, account, [shipment])).get(shipment)
  const known = (await findMainTrackingDates(tx.sql, account, [shipment])).get(shipment) ?? {}
  const containers = await findContainers(tx, account, shipment)
  const settled = settledRecord(record, { entries, status, known, containers })
  const whole = withEntries(settled, entries)
  const row = renderedTracking(whole, containers)
  if (isUnchanged(before, settled)) await rerenderTracking(tx, account, [row])
  else {
    const what = before === undefined ? 'created' : (change.what ?? 'updated')
    await saveTracking(tx, account, [{ ...row, record: JSON.stringify(settled), what, reason: change.reason }])
  }
  await refreshShipments(tx, account, [shipment])
}

type Surroundings = {
  entries: TrackingEntries
  status: ShipmentStatus | undefined
  /** The dates that were known before the change. */
  known: MainTrackingDates
  containers: string[]
}

function settledRecord(record: TrackingRecord, { entries, status, known, containers }: Surroundings): TrackingRecord {
  const { status: _status, initial_dates, ...rest } = record
  const dates = mainTrackingDates(withEntries(record, entries), containers)
  const initial = withInitialDates(withInitialDates(initial_dates, known), dates)
  return {
    ...rest,
    ...(status === 'cancelled' && { status }),
    // They get names when somebody begins to work on them, so that they can be spoken of.
    ...(rest.tracking_steps && { tracking_steps: stepsWithNamedEvents(record) }),
    ...(Object.keys(initial).length > 0 && { initial_dates: initial }),
  }
}

/** A cancelled shipment's tracking says so; one that is brought back follows its events again. */
export async function followShipmentStatus(
  tx: Transaction,
  account: AccountId,
  shipment: string,
  status: ShipmentStatus,
  reason: string | undefined,
): Promise<void> {
  const record = await findTrackingRecord(tx, account, shipment)
  if (!record || (status === 'cancelled') === (record.status === 'cancelled')) return
  await settleTracking(tx, account, record, { reason })
}

/** A shipment is where the last of its containers is: with other containers, it may be elsewhere. */
export async function followContainers(
  tx: Transaction,
  account: AccountId,
  shipment: string,
  containers: string[],
): Promise<void> {
  const whole = await findWholeTracking(tx, account, shipment)
  if (whole) await rerenderTracking(tx, account, [renderedTracking(whole, containers)])
}
