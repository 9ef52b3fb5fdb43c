import { findOrderPage } from '../storage/search/purchase-order-pages.js'
import type { PortalHandlers } from './handlers.js'
import { writtenPage } from './written-page.js'

export const purchaseOrderHandlers: PortalHandlers<'findPurchaseOrders'> = {
  async findPurchaseOrders({ db, account }, { query }) {
    return writtenPage('purchase_orders', await findOrderPage(db, account, query))
  },
}
