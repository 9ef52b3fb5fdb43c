import type { OpenOrder } from '../../contract/operator/bookings.js'
import type { PurchaseOrder } from '../../contract/public/purchase-order.js'
import { isAssigned, openQuantityOf } from '../../domain/purchase-orders/order-quantities.js'
import { mapInSlices } from '../../jobs/in-slices.js'
import { type OpenOrderRow, searchOpenOrders } from '../../store/search/open-orders.js'
import { accountScopeOf } from '../accounts/account-scope.js'
import type { OperatorHandler } from '../operator-context.js'
import { indexChanges } from '../search/index-changes.js'

/** Orders that wait for a shipment, of all accounts. */
export const findOpenOrders: OperatorHandler<'findOpenOrders'> = async ({ db, signal, operator }, { query }) => {
  const scope = await accountScopeOf(db, operator, query.account)
  await indexChanges(db, query.account, signal)
  const { rows, next } = await searchOpenOrders(db, scope, query)
  return { orders: await mapInSlices(rows, openOrderOf), ...(next !== undefined && { next }) }
}

function openOrderOf({ body, ...of }: OpenOrderRow): OpenOrder {
  const order = JSON.parse(body) as PurchaseOrder
  const { supplier_name, desired_ex_factory_date, desired_delivery_date } = order
  return {
    ...of,
    state: isAssigned(order) ? 'partly_assigned' : 'open',
    lines: order.purchase_order_lines.flatMap(({ reference: line, product: { sku, name }, ...rest }) => {
      const open_quantity = openQuantityOf(rest)
      const { ordered_quantity } = rest
      return open_quantity > 0
        ? [{ line, sku, ...(name !== undefined && { name }), ordered_quantity, open_quantity }]
        : []
    }),
    ...(supplier_name !== undefined && { supplier_name }),
    ...(desired_ex_factory_date !== undefined && { desired_ex_factory_date }),
    ...(desired_delivery_date !== undefined && { desired_delivery_date }),
  }
}
