import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TrackingRecord } from '../contract/public/tracking.js'
import type { AccountId } from '../database/account-id.js'
import { batchesOf } from '../database/batches.js'
import type { Reader } from '../database/database.js'
import { type InboundPart, inboundParts } from '../domain/inbound/inbound-parts.js'
import { shipmentArrival } from '../domain/inbound/shipment-arrival.js'
import { renderPurchaseOrder } from '../domain/purchase-orders/purchase-order.js'
import { groupedBy } from '../domain/records/grouping.js'
import { renderShipment } from '../domain/shipments/shipment.js'
import { sailingByEvents } from '../domain/tracking/sailing.js'
import { noEntries, renderWithStatusInParts, stepLocationIds } from '../domain/tracking/tracking.js'
import { decideInParts, shownDates } from '../domain/tracking/tracking-dates.js'
import { statusInParts } from '../domain/tracking/tracking-status.js'
import { mapInParts } from '../jobs/in-slices.js'
import { findAssignmentsOfOrders, findAssignmentsOfShipments } from '../store/assignments.js'
import { insertInbound, saveArrivals, saveInbound } from '../store/inbound.js'
import { findInvoicesOfShipments } from '../store/invoices.js'
import { findPurchaseOrderBodies, insertPurchaseOrders, savePurchaseOrders } from '../store/purchase-orders.js'
import { findShipmentBodies, saveShipments } from '../store/shipments.js'
import { findTrackedDates, findTrackingBodies, findTrackingOfLocations, saveTracking } from '../store/tracking.js'
import { findTrackingEntries } from '../store/tracking-entries.js'
import type { RowWrite } from '../store/write.js'
import { readRecords } from './records.js'
import { isKept, type Stale, usualLength } from './stale.js'
import { findStepLocations } from './step-locations.js'
import { deriveTrackingInParts } from './whole-tracking.js'

/** Bodies that include data of other records are rendered by the write that changes those records. */

/** Bodies that differ from what is stored. */
export type Derived = { kind: 'tracking' | 'shipment' | 'purchase_order'; ids: string[]; save(): void }

/** Renders in order of dependency (tracking, shipments, orders), so that every body is rendered once. */
export async function derive(
  tx: RowWrite,
  account: AccountId,
  stale: Stale,
  { store, onProgress }: { store(derived: Derived): void; onProgress?: ((share: number) => void) | undefined },
): Promise<void> {
  if (stale.locations.size > 0) {
    for (const id of await findTrackingOfLocations(tx.sql, account, [...stale.locations])) stale.tracking.add(id)
  }
  for (const id of stale.tracking) stale.shipments.add(id)
  let done = 0
  async function inBatches(ids: Set<string>, render: (batch: string[]) => Promise<Derived | undefined>): Promise<void> {
    for (const batch of batchesOf([...ids], (id) => stale.lengths.get(id) ?? usualLength)) {
      const bodies = await render(batch)
      if (bodies) store(bodies)
      done += batch.length
      onProgress?.(done / (stale.tracking.size + stale.shipments.size + stale.orders.size))
    }
  }
  const derivedDates: DerivedDates = new Map()
  await inBatches(stale.tracking, async (ids) => {
    const rows = await renderTrackings(tx, account, ids, stale)
    for (const { svc_shipment_id: id, hasOtherSailing, dates, sailing } of rows) {
      if (hasOtherSailing) stale.sailings.add(id)
      if (isKept(stale, derivedDates, id)) derivedDates.set(id, { dates, sailing })
    }
    // What people and systems see of a tracking is its body and its dates.
    const changed = rows.filter(({ hasChanged }) => hasChanged)
    const others = rows.filter(({ hasChanged, hasOtherSailing }) => !hasChanged && hasOtherSailing)
    if (others.length > 0) saveTracking(tx, account, others)
    return derived('tracking', changed, idOf, () => saveTracking(tx, account, changed))
  })
  await inBatches(stale.shipments, async (ids) => {
    const rows = await renderShipments(tx, account, ids, stale, derivedDates)
    const changed = rows.filter(({ hasChanged }) => hasChanged)
    const others = rows.filter(({ hasChanged }) => !hasChanged)
    if (others.length > 0) saveArrivals(tx, account, others)
    return derived('shipment', changed, idOf, () => {
      saveShipments(tx, account, changed)
      saveArrivals(tx, account, changed)
    })
  })
  await inBatches(stale.orders, async (references) => {
    const rows = await renderOrders(tx, account, references, stale)
    return derived(
      'purchase_order',
      rows,
      ({ reference }) => reference,
      () => saveOrders(tx, account, rows),
    )
  })
}

function saveOrders(tx: RowWrite, account: AccountId, rows: OrderRow[]): void {
  const [created, others] = [rows.filter(({ isNew }) => isNew), rows.filter(({ isNew }) => !isNew)]
  if (created.length > 0) {
    insertPurchaseOrders(tx, account, created)
    insertInbound(tx, account, created)
  }
  if (others.length === 0) return
  savePurchaseOrders(tx, account, others)
  tx.sql.send(saveInbound(tx, account, others))
}

function derived<Row>(
  kind: Derived['kind'],
  rows: Row[],
  idOfRow: (row: Row) => string,
  save: () => void,
): Derived | undefined {
  return rows.length > 0 ? { kind, ids: rows.map(idOfRow), save } : undefined
}

const idOf = ({ svc_shipment_id }: { svc_shipment_id: string }) => svc_shipment_id

/** The dates and the vessel of trackings that were rendered before. */
type DerivedDates = Awaited<ReturnType<typeof findTrackedDates>>

async function renderTrackings(
  { sql }: Pick<RowWrite, 'sql'>,
  account: AccountId,
  ids: string[],
  { knownTracking }: Stale,
) {
  const others = ids.filter((id) => !knownTracking.has(id))
  const [records, entries, shipments, stored] = await Promise.all([
    readRecords(sql, account, 'tracking', others),
    findTrackingEntries(sql, account, others),
    readRecords(sql, account, 'shipment', others),
    findTrackingBodies(sql, account, ids),
  ])
  const tracked = ids.filter((id) => knownTracking.has(id) || records.has(id))
  const known = tracked.flatMap((id) => knownTracking.get(id)?.whole ?? [])
  const locations = await findStepLocations(sql, account, [...known, ...records.values()])
  return mapInParts(tracked, function* (id) {
    const read = () =>
      deriveTrackingInParts(records.get(id) as TrackingRecord, entries.get(id) ?? noEntries, shipments.get(id))
    const { whole, units, dated } = knownTracking.get(id) ?? (yield* read())
    const status = whole.status ?? (yield* statusInParts(whole, units))
    const body = JSON.stringify(yield* renderWithStatusInParts(whole, status, locations))
    const decided = yield* decideInParts(whole, dated)
    const dates = shownDates(decided)
    const main_tracking_dates = JSON.stringify(dates)
    const sailing = sailingByEvents(whole, decided)
    const before = stored.get(id)
    const hasChanged = before?.body !== body || before.main_tracking_dates !== main_tracking_dates
    const hasOtherSailing = before?.sailing?.vessel !== sailing?.vessel || before?.sailing?.voyage !== sailing?.voyage
    const location_ids = stepLocationIds(whole)
    const row = { svc_shipment_id: id, main_tracking_dates, sailing, location_ids, body }
    return { ...row, dates, hasChanged, hasOtherSailing }
  })
}

async function renderShipments(
  { sql }: Pick<RowWrite, 'sql'>,
  account: AccountId,
  ids: string[],
  { sailings, statuses, orders, storedAt, knownShipments }: Stale,
  derivedDates: DerivedDates,
) {
  const isUnknown = (known: Map<string, unknown>) => (id: string) => !known.has(id)
  const [records, invoices, assignments, read, stored] = await Promise.all([
    readRecords(sql, account, 'shipment', ids.filter(isUnknown(knownShipments))),
    findInvoicesOfShipments(sql, account, ids),
    findAssignmentsOfShipments(sql, account, ids),
    findTrackedDates(sql, account, ids.filter(isUnknown(derivedDates))),
    findShipmentBodies(sql, account, ids),
  ])
  const invoicesOf = groupedBy(invoices, idOf)
  const assignmentsOf = groupedBy(assignments, idOf)
  return ids.flatMap((id) => {
    const record = knownShipments.get(id) ?? records.get(id)
    if (!record) return []
    const assigned = assignmentsOf.get(id) ?? []
    if (statuses.has(id)) for (const { reference } of assigned) orders.add(reference)
    const tracked = derivedDates.get(id) ?? read.get(id)
    const surroundings = {
      invoices: invoicesOf.get(id) ?? [],
      assignments: assigned,
      mainTrackingDates: tracked?.dates ?? {},
    }
    const shown = renderShipment(record, surroundings)
    const body = JSON.stringify(shown)
    const hasChanged = stored.get(id) !== body || statuses.has(id)
    if (!hasChanged && !sailings.has(id)) return []
    const { created_at, status } = record
    const stored_at = storedAt.get(`shipment ${id}`)
    const arrival = shipmentArrival(shown, tracked?.sailing)
    return { svc_shipment_id: id, created_at, stored_at, status, body, arrival, hasChanged }
  })
}

async function renderOrders(
  { sql }: Pick<RowWrite, 'sql'>,
  account: AccountId,
  references: string[],
  { newOrders, storedAt }: Stale,
) {
  const existing = await readOrders(
    sql,
    account,
    references.filter((reference) => !newOrders.has(reference)),
  )
  const rows: OrderRow[] = []
  for (const reference of references) {
    const record = newOrders.get(reference) ?? existing.records.get(reference)
    if (!record) continue
    const isLong = record.product_lines.length > longOrder
    if (isLong) await nextTurn()
    const shown = renderPurchaseOrder(record, existing.assignments.get(reference) ?? [])
    const body = JSON.stringify(shown)
    const { cancellation } = record
    // Cancelling does not change the body.
    if (existing.bodies.get(reference) === body && !cancellation) continue
    if (isLong) await nextTurn()
    const parts = cancellation ? [] : inboundParts(shown)
    const stored_at = storedAt.get(`purchase_order ${reference}`)
    const cancelled_at = cancellation?.cancelled_at
    rows.push({ reference, body, stored_at, cancelled_at, parts, isNew: newOrders.has(reference) })
    if (isLong) await nextTurn()
  }
  return rows
}

type OrderRow = {
  reference: string
  body: string
  stored_at: string | undefined
  cancelled_at: string | undefined
  parts: InboundPart[]
  isNew: boolean
}

// Each step of an order of 15,000 lines takes tens of milliseconds: others take turns between them.
const longOrder = 1000

async function readOrders(sql: Reader, account: AccountId, references: string[]) {
  if (references.length === 0) return { records: new Map(), assignments: new Map(), bodies: new Map() }
  const [records, assignments, bodies] = await Promise.all([
    readRecords(sql, account, 'purchase_order', references),
    findAssignmentsOfOrders(sql, account, references),
    findPurchaseOrderBodies(sql, account, references),
  ])
  return { records, assignments: groupedBy(assignments, ({ reference }) => reference), bodies }
}
