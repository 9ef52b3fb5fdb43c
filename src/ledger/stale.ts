import { numbersOf } from '../domain/shipments/shipment-cargo.js'
import type { RecordKind, Records } from './records.js'
import type { DerivedTracking } from './whole-tracking.js'

/** What a write makes out of date, by what it stores. */

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
  /** The trackings and shipments that this write knows as it has stored them: they are not read, and derived, again. */
  knownTracking: Map<string, DerivedTracking>
  knownShipments: Map<string, Records['shipment']>
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
    knownTracking: new Map(),
    knownShipments: new Map(),
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
    stale.knownTracking.delete(id)
    if (isKept(stale, stale.knownShipments, id)) stale.knownShipments.set(id, record)
    else stale.knownShipments.delete(id)
    if (stored_at !== undefined) stale.storedAt.set(`shipment ${id}`, stored_at)
    // The status of tracking depends on all containers of the shipment.
    if (!before || numbersOf(before).join() !== numbersOf(record).join()) stale.tracking.add(id)
    if (before?.status !== record.status) stale.statuses.add(id)
  },
  tracking: markTracking,
  tracking_event: markTracking,
  tracking_position: markTracking,
  invoice({ shipments }, { record, before }) {
    for (const id of [record.svc_shipment_id, before?.svc_shipment_id]) if (id !== undefined) shipments.add(id)
  },
  purchase_order(stale, { record, before, stored_at }) {
    const { reference } = record
    stale.orders.add(reference)
    if (!before && isKept(stale, stale.newOrders, reference)) stale.newOrders.set(reference, record)
    else stale.newOrders.delete(reference)
    if (stored_at !== undefined) stale.storedAt.set(`purchase_order ${reference}`, stored_at)
  },
  assignment({ orders, newOrders, shipments }, { record }) {
    orders.add(record.reference)
    newOrders.delete(record.reference)
    shipments.add(record.svc_shipment_id)
  },
}

function markTracking({ tracking, knownTracking }: Stale, { record }: { record: { svc_shipment_id: string } }): void {
  tracking.add(record.svc_shipment_id)
  knownTracking.delete(record.svc_shipment_id)
}

/** Keeps a tracking that has just been stored, as it was derived for that. */
export function keepTracking(stale: Stale, id: string, known: DerivedTracking): void {
  const { shipment, units } = known
  // It may have been derived with the shipment as it was before.
  if (stale.shipments.has(id) && stale.knownShipments.get(id) !== shipment) return
  if (units.events.length > mostKeptEvents || !isKept(stale, stale.knownTracking, id)) return
  stale.knownTracking.set(id, known)
  if (shipment && isKept(stale, stale.knownShipments, id)) stale.knownShipments.set(id, shipment)
}

// An import, or a message, changes any number of records of any size: most are read again in batches instead of being kept in memory.
const mostKept = 100
const mostKeptEvents = 200

export function isKept({ lengths }: Pick<Stale, 'lengths'>, kept: Map<string, unknown>, id: string): boolean {
  return (kept.size < mostKept || kept.has(id)) && !lengths.has(id)
}

// An upper estimate for records whose length is not known.
export const usualLength = 16 * 1024

/** Stores the length of a large record. */
export function noteLength({ lengths }: Stale, id: string, length: number): void {
  if (length > usualLength) lengths.set(id, (lengths.get(id) ?? 0) + length)
}

export function staleAfter<Kind extends RecordKind>(stale: Stale, kind: Kind, changed: Changed<Kind>[]): void {
  const mark = showing[kind]
  if (mark) for (const each of changed) mark(stale, each)
}
