import type { Shipment } from '../contract/shipment.js'
import { groupedBy } from '../domain/grouping.js'
import { type PurchaseOrderRecord, renderPurchaseOrder } from '../domain/purchase-order.js'
import { renderShipment } from '../domain/shipment.js'
import { findAssignmentsOfOrders, findAssignmentsOfShipments } from '../storage/assignments.js'
import { findInvoicesOfShipments } from '../storage/invoices.js'
import { rerenderPurchaseOrders } from '../storage/purchase-orders.js'
import { findRecords } from '../storage/records.js'
import { rerenderShipments } from '../storage/shipments.js'
import { findMainTrackingDates } from '../storage/tracking.js'
import type { AccountId, Transaction } from '../storage/transaction.js'

/** Bodies of resources that show something of others: derived from what is stored now, by the write that changes it. */

export async function deriveShipments(
  { sql }: Transaction,
  account: AccountId,
  records: Map<string, Shipment>,
): Promise<{ svc_shipment_id: string; body: string }[]> {
  const ids = [...records.keys()]
  const [invoices, assignments, dates] = await Promise.all([
    findInvoicesOfShipments(sql, account, ids),
    findAssignmentsOfShipments(sql, account, ids),
    findMainTrackingDates(sql, account, ids),
  ])
  const invoicesOf = groupedBy(invoices, ({ svc_shipment_id }) => svc_shipment_id)
  const assignmentsOf = groupedBy(assignments, ({ svc_shipment_id }) => svc_shipment_id)
  return [...records].map(([id, record]) => ({
    svc_shipment_id: id,
    body: JSON.stringify(
      renderShipment(record, {
        invoices: invoicesOf.get(id) ?? [],
        assignments: assignmentsOf.get(id) ?? [],
        mainTrackingDates: dates.get(id) ?? {},
      }),
    ),
  }))
}

/** Derives shipments anew whose own records have not changed. */
export async function refreshShipments(tx: Transaction, account: AccountId, ids: string[]): Promise<void> {
  const records = await findRecords(tx.sql, account, 'shipment', ids)
  const parsed = new Map([...records].map(([id, record]) => [id, JSON.parse(record) as Shipment]))
  await rerenderShipments(tx, account, await deriveShipments(tx, account, parsed))
}

/** Derives orders anew whose own records have not changed. */
export async function refreshPurchaseOrders(tx: Transaction, account: AccountId, references: string[]): Promise<void> {
  const [records, assignments] = await Promise.all([
    findRecords(tx.sql, account, 'purchase_order', references),
    findAssignmentsOfOrders(tx.sql, account, references),
  ])
  const assignmentsOf = groupedBy(assignments, ({ reference }) => reference)
  await rerenderPurchaseOrders(
    tx,
    account,
    [...records].map(([reference, record]) => ({
      reference,
      body: JSON.stringify(
        renderPurchaseOrder(JSON.parse(record) as PurchaseOrderRecord, assignmentsOf.get(reference) ?? []),
      ),
    })),
  )
}
