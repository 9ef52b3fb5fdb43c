import { Refusal } from '../../contract/refusals.js'
import { findPurchaseOrder, streamPurchaseOrderBodies } from '../../store/purchase-orders.js'
import { bodiesOf, type CustomerHandler } from '../customer-context.js'

export const listPurchaseOrders: CustomerHandler<'listPurchaseOrders'> = async ({ ask, account }, { query }) =>
  bodiesOf(streamPurchaseOrderBodies(ask, account, { skip: query.skip ?? 0, take: query.take }))

export const getPurchaseOrder: CustomerHandler<'getPurchaseOrder'> = async ({ ask, account }, { params }) => {
  const order = await ask((db) => findPurchaseOrder(db, account, params.reference))
  if (!order) throw new Refusal('purchase_order_not_found')
  return order
}
