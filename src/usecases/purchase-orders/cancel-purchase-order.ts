import type { OrderCancellation } from '../../contract/public/purchase-order.js'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import { isCounted } from '../../domain/purchase-orders/assignment.js'
import { Transaction } from '../../ledger/transaction.js'
import { findAssignmentsOfOrders } from '../../store/assignments.js'
import type { CustomerHandler } from '../customer-context.js'
import type { OperatorHandler } from '../operator-context.js'
import { readPurchaseOrderVersion } from './list-purchase-order-versions.js'
import { getPurchaseOrderRecord } from './purchase-order-record.js'

/** What is cancelled is neither expected nor late. Cancelled again, an order stays as it was. */
export const cancelPurchaseOrder: CustomerHandler<'cancelPurchaseOrder'> = async (
  { tx, account },
  { params: { reference }, body },
) => ({ reference, ...(await cancel(tx, account, reference, body)) })

export const cancelPurchaseOrderOf: OperatorHandler<'cancelPurchaseOrder'> = async (
  { tx, account },
  { params: { reference }, body },
) => {
  await cancel(tx, account, reference, body)
  await tx.derive()
  return readPurchaseOrderVersion(tx.sql, account, reference)
}

async function cancel(
  tx: Transaction,
  account: AccountId,
  reference: string,
  { reason }: { reason?: string },
): Promise<OrderCancellation> {
  const before = await getPurchaseOrderRecord(tx.sql, account, reference)
  if (before.cancellation) return before.cancellation
  const assigned = await findAssignmentsOfOrders(tx.sql, account, [reference])
  if (assigned.some(isCounted)) throw new Refusal('purchase_order_assigned')
  const cancelled_at = new Date(tx.at).toISOString()
  const cancellation = { cancelled_at, ...(reason !== undefined && { reason }) }
  tx.put('purchase_order', [{ record: { ...before, cancellation }, before, reason }])
  return cancellation
}
