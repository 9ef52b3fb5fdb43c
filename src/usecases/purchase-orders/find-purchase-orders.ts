import { searchPurchaseOrders } from '../../store/search/purchase-order-search.js'
import type { PortalHandler } from '../portal-context.js'
import { serializedPage } from '../search/serialized-page.js'

export const findPurchaseOrders: PortalHandler<'findPurchaseOrders'> = async ({ db, account }, { query }) =>
  serializedPage('purchase_orders', await searchPurchaseOrders(db, account, query))
