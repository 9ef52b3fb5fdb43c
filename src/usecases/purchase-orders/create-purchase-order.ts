import type { AccountId } from '../../database/account-id.js'
import { batchesOf } from '../../database/batches.js'
import { type PurchaseOrderRecord, recordPurchaseOrder } from '../../domain/purchase-orders/purchase-order.js'
import { Transaction } from '../../ledger/transaction.js'
import { findTakenReferences } from '../../store/purchase-orders.js'
import type { CustomerHandler } from '../customer-context.js'
import { refuseOrderFaults } from './purchase-order-record.js'

/** `commit()` refuses a reference that is taken. */
export const createPurchaseOrder: CustomerHandler<'createPurchaseOrder'> = async ({ tx }, { body }) => {
  refuseOrderFaults(body)
  tx.put('purchase_order', [{ record: recordPurchaseOrder(body), before: undefined }])
  return { reference: body.reference }
}

/** Creates all of the orders, or none if some references are taken: returns those. */
export async function createPurchaseOrders(
  tx: Transaction,
  account: AccountId,
  orders: PurchaseOrderRecord[],
): Promise<Set<string>> {
  const references = orders.map(({ reference }) => reference)
  const taken = await findTakenReferences(tx.sql, account, references)
  if (taken.size > 0) return taken
  for (const batch of batchesOf(orders, (order) => JSON.stringify(order).length)) {
    tx.put(
      'purchase_order',
      batch.map((record) => ({ record, before: undefined })),
    )
  }
  return taken
}
