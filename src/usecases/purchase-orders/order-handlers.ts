import type { bookingOperations } from '../../contract/operator/bookings.js'
import type { OperatorHandlers } from '../operator-context.js'
import { assignOrderLine } from './assign-order-line.js'
import { cancelPurchaseOrderOf } from './cancel-purchase-order.js'
import { findOpenOrders } from './find-open-orders.js'
import { getPurchaseOrderVersion, listPurchaseOrderVersions } from './list-purchase-order-versions.js'
import { addOrderLines, listOrderLines } from './order-lines-of-shipment.js'
import { packOrderLine } from './pack-order-line.js'
import { unassignOrderLine } from './unassign-order-line.js'

type Name =
  | keyof typeof bookingOperations
  | 'listPurchaseOrders'
  | 'getPurchaseOrder'
  | 'cancelPurchaseOrder'
  | 'assign'
  | 'pack'
  | 'unassign'

/** What operators do with orders, by their operations. */
export const orderHandlers: Pick<OperatorHandlers, Name> = {
  listPurchaseOrders: listPurchaseOrderVersions,
  getPurchaseOrder: getPurchaseOrderVersion,
  cancelPurchaseOrder: cancelPurchaseOrderOf,
  assign: assignOrderLine,
  pack: packOrderLine,
  unassign: unassignOrderLine,
  findOpenOrders,
  listOrderLines,
  addOrderLines,
}
