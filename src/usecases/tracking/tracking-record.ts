import type { ShipmentRecord, ShipmentStatus } from '../../contract/public/shipment.js'
import type { TrackingRecord } from '../../contract/public/tracking.js'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { isUnchanged } from '../../domain/records/record-changes.js'
import { isQuarantined } from '../../domain/tracking/coded-events.js'
import { stepsWithNamedEvents } from '../../domain/tracking/inline-events.js'
import { isExpected } from '../../domain/tracking/shifted-dates.js'
import { noEntries, type TrackingEntries } from '../../domain/tracking/tracking.js'
import { firstDates } from '../../domain/tracking/tracking-dates.js'
import { hasMoved } from '../../domain/tracking/tracking-status.js'
import { finishInSlices } from '../../jobs/in-slices.js'
import { findRecord, findRecords } from '../../ledger/records.js'
import { Transaction } from '../../ledger/transaction.js'
import { type DerivedTracking, deriveTrackingInParts, wholeTrackingInParts } from '../../ledger/whole-tracking.js'
import { findTrackingEntries } from '../../store/tracking-entries.js'

/** Everything that is stored about the tracking of a shipment. */
export type KnownTracking = {
  record: TrackingRecord | undefined
  entries: TrackingEntries
  shipment: ShipmentRecord | undefined
}

export async function findKnownTracking(db: Reader, account: AccountId, shipment: string): Promise<KnownTracking> {
  const [record, entries, tracked] = await Promise.all([
    findRecord(db, account, 'tracking', shipment),
    findTrackingEntries(db, account, [shipment]),
    findRecord(db, account, 'shipment', shipment),
  ])
  return { record, entries: entries.get(shipment) ?? noEntries, shipment: tracked }
}

/** The same; refuses if there is no tracking. */
export async function getKnownTracking(
  db: Reader,
  account: AccountId,
  shipment: string,
): Promise<KnownTracking & { record: TrackingRecord }> {
  const { record, ...known } = await findKnownTracking(db, account, shipment)
  if (!record) throw new Refusal('tracking_not_found')
  return { record, ...known }
}

/** The tracking with its entries. */
export async function findWholeTracking(
  db: Reader,
  account: AccountId,
  shipment: ShipmentRecord,
): Promise<TrackingRecord | undefined> {
  const { svc_shipment_id: id } = shipment
  const [record, entries] = await Promise.all([
    findRecord(db, account, 'tracking', id),
    findTrackingEntries(db, account, [id]),
  ])
  return record && finishInSlices(wholeTrackingInParts(record, entries.get(id) ?? noEntries, shipment))
}

/** Why a booked shipment is in progress. */
export const movedReason = 'It has moved.'

/**
 * Stores the tracking after an operator changed its plan or its entries. From then on its status is derived from the
 * events, and the first expected value of every date is kept, unless it was that of an event that is `withdrawn`. The entries are
 * those that are stored now. Returns what is derived from what is stored.
 */
export async function putTracking(
  tx: Transaction,
  { record: before, entries, shipment }: KnownTracking,
  record: TrackingRecord,
  {
    withdrawn = [],
    ...change
  }: { reason?: string | undefined; what?: 'corrected'; withdrawn?: (string | undefined)[] } = {},
): Promise<DerivedTracking> {
  const { status: _status, initial_dates, ...rest } = record
  const derived = await finishInSlices(deriveTrackingInParts(record, entries, shipment))
  const { whole, dated } = derived
  const first = firstDates(dated)
  const initial = {
    ...first,
    ...withoutDates(initial_dates, [...withdrawn, ...keptBack(whole), ...laterIssued(whole, first, initial_dates)]),
  }
  const status = shipment?.status === 'cancelled' ? { status: 'cancelled' as const } : {}
  const stored: TrackingRecord = {
    ...rest,
    ...status,
    // Inline events get identifiers, so that requests can refer to them.
    ...(rest.tracking_steps && { tracking_steps: stepsWithNamedEvents(record) }),
    ...(Object.keys(initial).length > 0 && { initial_dates: initial }),
  }
  tx.put('tracking', [{ record: stored, before, ...change }])
  // Which events can be true depends on the initial dates.
  const known = isUnchanged(initial_dates ?? {}, initial)
    ? derived
    : await finishInSlices(deriveTrackingInParts(stored, entries, shipment))
  const moved =
    shipment?.status === 'booked' && hasMoved(known.units) ? { ...shipment, status: 'in_progress' as const } : undefined
  if (moved) tx.put('shipment', [{ record: moved, before: shipment, reason: movedReason }])
  const { status: _before, ...same } = known.whole
  tx.keepTracking(stored.svc_shipment_id, { ...known, whole: { ...same, ...status }, shipment: moved ?? shipment })
  return known
}

type InitialDates = NonNullable<TrackingRecord['initial_dates']>

function withoutDates(dates: InitialDates = {}, withdrawn: (string | undefined)[]): InitialDates {
  return Object.fromEntries(Object.entries(dates).filter(([, date]) => !withdrawn.includes(date)))
}

/** What was expected of another trip of a container. */
function keptBack({ tracking_steps = [] }: TrackingRecord): string[] {
  return tracking_steps.flatMap(({ events = [] }) =>
    events.flatMap((event) => (isExpected(event) && isQuarantined(event) ? event.date : [])),
  )
}

/** Initial dates of events that were issued after the first, or with it: messages may come in any order. */
function laterIssued(
  { tracking_steps = [] }: TrackingRecord,
  first: InitialDates,
  stored: InitialDates = {},
): string[] {
  const issued = new Map<string, number>()
  for (const event of tracking_steps.flatMap(({ events = [] }) => events)) {
    if (!isExpected(event) || event.issued_at === undefined) continue
    const { date, issued_at } = event
    issued.set(date, Math.min(issued.get(date) ?? Number.POSITIVE_INFINITY, Date.parse(issued_at)))
  }
  const at = (date: string | undefined) => issued.get(date ?? '')
  return (Object.keys(stored) as (keyof InitialDates)[]).flatMap((name) => {
    const [known, earlier] = [at(stored[name]), at(first[name])]
    return known !== undefined && earlier !== undefined && earlier <= known ? (stored[name] ?? []) : []
  })
}

/** Cancels the tracking with its shipment; for a reactivated shipment the status is derived from the events again. */
export async function followShipmentStatus(
  tx: Transaction,
  account: AccountId,
  shipment: string,
  status: ShipmentStatus,
  reason: string | undefined,
): Promise<void> {
  const known = await findKnownTracking(tx.sql, account, shipment)
  const { record } = known
  if (!record || (status === 'cancelled') === (record.status === 'cancelled')) return
  await putTracking(tx, known, record, { reason })
}

export async function isTracked(db: Reader, account: AccountId, shipment: string): Promise<boolean> {
  return (await findRecords(db, account, 'tracking', [shipment])).has(shipment)
}
