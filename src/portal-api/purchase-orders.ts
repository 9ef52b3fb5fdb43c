import { findOrderPage } from '../storage/search/purchase-order-pages.js'
import { bringUpToDate } from '../storage/search/search-state.js'
import { findSuppliers } from '../storage/search/suppliers.js'
import type { PortalHandlers } from './handlers.js'
import { writtenPage } from './written-page.js'

export const purchaseOrderHandlers: PortalHandlers<'findPurchaseOrders' | 'listSuppliers'> = {
  async findPurchaseOrders({ db, account }, { query }) {
    return writtenPage('purchase_orders', await findOrderPage(db, account, query))
  },

  async listSuppliers({ db, account }, { query: { q, take = 50 } }) {
    await bringUpToDate(db, account)
    const found = await findSuppliers(db, account, q, take + 1)
    return { suppliers: found.slice(0, take), more: found.length > take }
  },
}
