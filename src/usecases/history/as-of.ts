import type { InvoiceRecord } from '../../contract/public/invoice.js'
import type { PurchaseOrder } from '../../contract/public/purchase-order.js'
import type { MainTrackingDates, Shipment, ShipmentRecord } from '../../contract/public/shipment.js'
import type { TrackingRecord } from '../../contract/public/tracking.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { type PurchaseOrderRecord, renderPurchaseOrder } from '../../domain/purchase-orders/purchase-order.js'
import { groupedBy } from '../../domain/records/grouping.js'
import { renderShipment } from '../../domain/shipments/shipment.js'
import { numbersOf } from '../../domain/shipments/shipment-cargo.js'
import { noEntries } from '../../domain/tracking/tracking.js'
import { mainDatesInParts } from '../../domain/tracking/tracking-dates.js'
import { mapInParts, mapInSlices } from '../../jobs/in-slices.js'
import { findVersions, type PresentVersion } from '../../ledger/history.js'
import {
  findAssignmentsOfOrdersAt,
  findAssignmentsOfShipmentsAt,
  findInvoicesOfShipmentsAt,
} from '../../ledger/records-at.js'
import { wholeTrackingInParts } from '../../ledger/whole-tracking.js'
import { newestFirst } from '../../store/list-order.js'
import { findTrackingEntriesAt } from '../../store/tracking-entries.js'

/** What customers saw at a revision: derived from the records of that revision by the same rules as the present. */

export async function shipmentsShownAt(
  db: Reader,
  account: AccountId,
  versions: PresentVersion[],
  revision: number,
): Promise<Map<string, Shipment>> {
  const ids = versions.map(({ id }) => id)
  const [invoices, assignments, dates] = await Promise.all([
    invoicesAt(db, account, ids, revision),
    findAssignmentsOfShipmentsAt(db, account, ids, revision),
    datesAt(db, account, versions, revision),
  ])
  const invoicesOf = groupedBy(invoices, ({ svc_shipment_id }) => svc_shipment_id)
  const assignmentsOf = groupedBy(assignments, ({ svc_shipment_id }) => svc_shipment_id)
  return new Map(
    await mapInSlices(versions, ({ id, record }) => [
      id,
      renderShipment(JSON.parse(record) as ShipmentRecord, {
        invoices: invoicesOf.get(id) ?? [],
        assignments: assignmentsOf.get(id) ?? [],
        mainTrackingDates: dates.get(id) ?? {},
      }),
    ]),
  )
}

export async function ordersShownAt(
  db: Reader,
  account: AccountId,
  versions: PresentVersion[],
  revision: number,
): Promise<Map<string, PurchaseOrder>> {
  const references = versions.map(({ id }) => id)
  const assignments = await findAssignmentsOfOrdersAt(db, account, references, revision)
  const shipments = [...new Set(assignments.map(({ svc_shipment_id }) => svc_shipment_id))]
  const shipmentVersions = await findVersions(db, account, 'shipment', shipments, revision)
  const shown = assignments.map((assignment) => {
    const version = shipmentVersions.get(assignment.svc_shipment_id)
    return { ...assignment, shipment_status: version && (JSON.parse(version.record) as ShipmentRecord).status }
  })
  const assignmentsOf = groupedBy(shown, ({ reference }) => reference)
  return new Map(
    await mapInSlices(versions, ({ id, record }) => [
      id,
      renderPurchaseOrder(JSON.parse(record) as PurchaseOrderRecord, assignmentsOf.get(id) ?? []),
    ]),
  )
}

/** Ordered by the date they were sent, without drafts. */
async function invoicesAt(
  db: Reader,
  account: AccountId,
  shipments: string[],
  revision: number,
): Promise<InvoiceRecord[]> {
  const rows = await findInvoicesOfShipmentsAt(db, account, shipments, revision)
  return rows
    .map(({ record, first_stored }) => {
      const invoice = JSON.parse(record) as InvoiceRecord
      return { invoice, place: BigInt(newestFirst(invoice.sent_date ?? first_stored) ?? 0) }
    })
    .filter(({ invoice }) => !invoice.draft)
    .toSorted((one, other) =>
      one.place === other.place
        ? Buffer.compare(Buffer.from(one.invoice.reference), Buffer.from(other.invoice.reference))
        : one.place > other.place
          ? -1
          : 1,
    )
    .map(({ invoice }) => invoice)
}

async function datesAt(
  db: Reader,
  account: AccountId,
  shipments: PresentVersion[],
  revision: number,
): Promise<Map<string, MainTrackingDates>> {
  const ids = shipments.map(({ id }) => id)
  const shipmentOf = new Map(shipments.map(({ id, record }) => [id, JSON.parse(record) as ShipmentRecord]))
  const [versions, entries] = await Promise.all([
    findVersions(db, account, 'tracking', ids, revision),
    findTrackingEntriesAt(db, account, ids, revision),
  ])
  return new Map(
    await mapInParts(versions, function* ([id, { record }]) {
      const shipment = shipmentOf.get(id)
      const tracking = JSON.parse(record) as TrackingRecord
      const whole = yield* wholeTrackingInParts(tracking, entries.get(id) ?? noEntries, shipment)
      return [id, yield* mainDatesInParts(whole, shipment ? numbersOf(shipment) : [])] as const
    }),
  )
}
