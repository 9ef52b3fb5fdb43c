import type { PurchaseOrder } from '../../contract/public/purchase-order.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { type PurchaseOrderRecord, purchaseOrderFaults } from '../../domain/purchase-orders/purchase-order.js'
import { findRecord } from '../../ledger/records.js'
import { findPurchaseOrderBodies } from '../../store/purchase-orders.js'

/** The record cannot change during the write that reads it: the account is locked. */
export async function getPurchaseOrderRecord(
  db: Reader,
  account: AccountId,
  reference: string,
): Promise<PurchaseOrderRecord> {
  const record = await findRecord(db, account, 'purchase_order', reference)
  if (!record) throw new Refusal('purchase_order_not_found')
  return record
}

/** The order as customers see it. */
export async function getShownOrder(db: Reader, account: AccountId, reference: string): Promise<PurchaseOrder> {
  const body = (await findPurchaseOrderBodies(db, account, [reference])).get(reference)
  if (body === undefined) throw new Refusal('purchase_order_not_found')
  return JSON.parse(body) as PurchaseOrder
}

/** Refuses an order that breaks a rule its schema cannot express. */
export function refuseOrderFaults(order: Parameters<typeof purchaseOrderFaults>[0]): void {
  const faults = purchaseOrderFaults(order)
  if (faults.length > 0) throw invalid(faults)
}
