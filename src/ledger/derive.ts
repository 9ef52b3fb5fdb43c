import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AccountId } from '../database/account-id.js'
import { batchesOf } from '../database/batches.js'
import type { Reader } from '../database/database.js'
import { type InboundPart, inboundParts } from '../domain/inbound/inbound-parts.js'
import { shipmentArrival } from '../domain/inbound/shipment-arrival.js'
import { renderPurchaseOrder } from '../domain/purchase-orders/purchase-order.js'
import { groupedBy } from '../domain/records/grouping.js'
import { renderShipment } from '../domain/shipments/shipment.js'
import { numbersOf } from '../domain/shipments/shipment-cargo.js'
import { sailingByEvents } from '../domain/tracking/sailing.js'
import { noEntries, renderTrackingInParts, stepLocationIds } from '../domain/tracking/tracking.js'
import { decideDatesInParts, shownDates } from '../domain/tracking/tracking-dates.js'
import { mapInParts } from '../jobs/in-slices.js'
import { findAssignmentsOfOrders, findAssignmentsOfShipments } from '../store/assignments.js'
import { insertInbound, saveArrivals, saveInbound } from '../store/inbound.js'
import { findInvoicesOfShipments } from '../store/invoices.js'
import { findPurchaseOrderBodies, insertPurchaseOrders, savePurchaseOrders } from '../store/purchase-orders.js'
import { findShipmentBodies, saveShipments } from '../store/shipments.js'
import { findTrackedDates, findTrackingBodies, findTrackingOfLocations, saveTracking } from '../store/tracking.js'
import { findTrackingEntries } from '../store/tracking-entries.js'
import type { RowWrite } from '../store/write.js'
import { type RecordKind, type Records, readRecords } from './records.js'
import { findStepLocations } from './step-locations.js'
import { wholeTrackingInParts } from './whole-tracking.js'

/** Bodies that include data of other records are rendered by the write that changes those records. */

/** Identifiers of the bodies to render again. */
export type Stale = {
  /** Tracking includes the locations of its steps. */
  locations: Set<number>
  tracking: Set<string>
  shipments: Set<string>
  /** Shipments that another vessel carries by their tracking. */
  sailings: Set<string>
  /** Shipments whose status changed: orders include it. */
  statuses: Set<string>
  orders: Set<string>
  /** Orders that this write creates and nothing refers to yet: they are rendered without reading. */
  newOrders: Map<string, Records['purchase_order']>
  /** When a record was first stored, if in another installation; by kind and identifier. */
  storedAt: Map<string, string>
  /** Lengths of large records by identifier: batches are limited by bytes. */
  lengths: Map<string, number>
}

export function noneStale(): Stale {
  return {
    locations: new Set(),
    tracking: new Set(),
    shipments: new Set(),
    sailings: new Set(),
    statuses: new Set(),
    orders: new Set(),
    newOrders: new Map(),
    storedAt: new Map(),
    lengths: new Map(),
  }
}

type Changed<Kind extends RecordKind> = {
  record: Records[Kind]
  before: Records[Kind] | undefined
  stored_at?: string | undefined
}

/** Which bodies include a record of each kind. */
const showing: { [Kind in RecordKind]?: (stale: Stale, changed: Changed<Kind>) => void } = {
  location: ({ locations }, { record }) => void locations.add(record.id),
  shipment(stale, { record, before, stored_at }) {
    const { svc_shipment_id: id } = record
    stale.shipments.add(id)
    if (stored_at !== undefined) stale.storedAt.set(`shipment ${id}`, stored_at)
    // The status of tracking depends on all containers of the shipment.
    if (!before || numbersOf(before).join() !== numbersOf(record).join()) stale.tracking.add(id)
    if (before?.status !== record.status) stale.statuses.add(id)
  },
  tracking: ({ tracking }, { record }) => void tracking.add(record.svc_shipment_id),
  tracking_event: ({ tracking }, { record }) => void tracking.add(record.svc_shipment_id),
  tracking_position: ({ tracking }, { record }) => void tracking.add(record.svc_shipment_id),
  invoice({ shipments }, { record, before }) {
    for (const id of [record.svc_shipment_id, before?.svc_shipment_id]) if (id !== undefined) shipments.add(id)
  },
  purchase_order(stale, { record, before, stored_at }) {
    const { reference } = record
    stale.orders.add(reference)
    if (!before && isKept(stale, reference)) stale.newOrders.set(reference, record)
    else stale.newOrders.delete(reference)
    if (stored_at !== undefined) stale.storedAt.set(`purchase_order ${reference}`, stored_at)
  },
  assignment({ orders, newOrders, shipments }, { record }) {
    orders.add(record.reference)
    newOrders.delete(record.reference)
    shipments.add(record.svc_shipment_id)
  },
}

/** Stores the length of a large record. */
export function noteLength({ lengths }: Stale, id: string, length: number): void {
  if (length > usualLength) lengths.set(id, (lengths.get(id) ?? 0) + length)
}

export function staleAfter<Kind extends RecordKind>(stale: Stale, kind: Kind, changed: Changed<Kind>[]): void {
  const mark = showing[kind]
  if (mark) for (const each of changed) mark(stale, each)
}

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
  await inBatches(stale.tracking, async (ids) => {
    const rows = await renderTrackings(tx, account, ids)
    for (const row of rows) if (row.hasOtherSailing) stale.sailings.add(row.svc_shipment_id)
    // What people and systems see of a tracking is its body and its dates.
    const changed = rows.filter(({ hasChanged }) => hasChanged)
    const others = rows.filter(({ hasChanged }) => !hasChanged)
    if (others.length > 0) saveTracking(tx, account, others)
    return derived('tracking', changed, idOf, () => saveTracking(tx, account, changed))
  })
  await inBatches(stale.shipments, async (ids) => {
    const rows = await renderShipments(tx, account, ids, stale)
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

// An import creates any number of orders of any size: most are read again in batches instead of being kept in memory.
const maxNewOrders = 100

function isKept({ newOrders, lengths }: Stale, reference: string): boolean {
  return newOrders.size < maxNewOrders && !lengths.has(reference)
}

// An upper estimate for records whose length is not known.
const usualLength = 16 * 1024
const idOf = ({ svc_shipment_id }: { svc_shipment_id: string }) => svc_shipment_id

async function renderTrackings({ sql }: Pick<RowWrite, 'sql'>, account: AccountId, ids: string[]) {
  const [records, entries, shipments, stored] = await Promise.all([
    readRecords(sql, account, 'tracking', ids),
    findTrackingEntries(sql, account, ids),
    readRecords(sql, account, 'shipment', ids),
    findTrackingBodies(sql, account, ids),
  ])
  const locations = await findStepLocations(sql, account, [...records.values()])
  const rows = await mapInParts(records, function* ([id, record]) {
    const shipment = shipments.get(id)
    const containers = shipment ? numbersOf(shipment) : []
    const whole = yield* wholeTrackingInParts(record, entries.get(id) ?? noEntries, shipment)
    const body = JSON.stringify(yield* renderTrackingInParts(whole, { containers, locations }))
    const decided = yield* decideDatesInParts(whole, containers)
    const dates = JSON.stringify(shownDates(decided))
    const sailing = sailingByEvents(whole, decided)
    const before = stored.get(id)
    const hasChanged = before?.body !== body || before.main_tracking_dates !== dates
    const hasOtherSailing = before?.sailing?.vessel !== sailing?.vessel || before?.sailing?.voyage !== sailing?.voyage
    if (!hasChanged && !hasOtherSailing) return []
    const location_ids = stepLocationIds(whole)
    return { svc_shipment_id: id, main_tracking_dates: dates, sailing, location_ids, body, hasChanged, hasOtherSailing }
  })
  return rows.flat()
}

async function renderShipments(
  { sql }: Pick<RowWrite, 'sql'>,
  account: AccountId,
  ids: string[],
  { sailings, statuses, orders, storedAt }: Stale,
) {
  const [records, invoices, assignments, tracking, stored] = await Promise.all([
    readRecords(sql, account, 'shipment', ids),
    findInvoicesOfShipments(sql, account, ids),
    findAssignmentsOfShipments(sql, account, ids),
    findTrackedDates(sql, account, ids),
    findShipmentBodies(sql, account, ids),
  ])
  const invoicesOf = groupedBy(invoices, idOf)
  const assignmentsOf = groupedBy(assignments, idOf)
  return [...records].flatMap(([id, record]) => {
    const assigned = assignmentsOf.get(id) ?? []
    if (statuses.has(id)) for (const { reference } of assigned) orders.add(reference)
    const surroundings = {
      invoices: invoicesOf.get(id) ?? [],
      assignments: assigned,
      mainTrackingDates: tracking.get(id)?.dates ?? {},
    }
    const shown = renderShipment(record, surroundings)
    const body = JSON.stringify(shown)
    const hasChanged = stored.get(id) !== body || statuses.has(id)
    if (!hasChanged && !sailings.has(id)) return []
    const { created_at, status } = record
    const stored_at = storedAt.get(`shipment ${id}`)
    const arrival = shipmentArrival(shown, tracking.get(id)?.sailing)
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
