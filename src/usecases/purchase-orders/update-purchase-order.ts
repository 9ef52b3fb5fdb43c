import { Refusal } from '../../contract/refusals.js'
import { revisePurchaseOrder } from '../../domain/purchase-orders/purchase-order.js'
import { isPurchaseOrderAssigned } from '../../store/assignments.js'
import type { CustomerHandler } from '../customer-context.js'
import { getPurchaseOrderRecord, refuseOrderFaults } from './purchase-order-record.js'

export const updatePurchaseOrder: CustomerHandler<'updatePurchaseOrder'> = async ({ tx, account }, { body }) => {
  refuseOrderFaults(body)
  const { reference } = body
  const [before, isAssigned] = await Promise.all([
    getPurchaseOrderRecord(tx.sql, account, reference),
    isPurchaseOrderAssigned(tx.sql, account, reference),
  ])
  if (before.cancellation) throw new Refusal('purchase_order_cancelled')
  if (isAssigned) throw new Refusal('purchase_order_assigned')
  tx.put('purchase_order', [{ record: revisePurchaseOrder(before, body), before }])
  return { reference }
}
