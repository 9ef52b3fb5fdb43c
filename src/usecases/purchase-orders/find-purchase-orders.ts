import { findOrderArrivals } from '../../store/order-arrivals.js'
import { searchPurchaseOrders } from '../../store/search/purchase-order-search.js'
import { type PortalHandler, SerializedJson } from '../portal-context.js'
import { serializedPage } from '../search/serialized-page.js'

export const findPurchaseOrders: PortalHandler<'findPurchaseOrders'> = async ({ db, account, today }, { query }) => {
  const page = await searchPurchaseOrders(db, account, query, today)
  const arrivals = await findOrderArrivals(db, account, page.ids, today)
  const { json } = serializedPage('purchase_orders', page)
  return new SerializedJson(`{"arrivals":${JSON.stringify(arrivals)},${json.slice(1)}`)
}
