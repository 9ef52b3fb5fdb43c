import { documentHandlers } from './documents.js'
import type { Handlers, PromptHandlers } from './handlers.js'
import { invoiceHandlers } from './invoices.js'
import { locationHandlers } from './locations.js'
import { promptPurchaseOrderHandlers, purchaseOrderHandlers } from './purchase-orders.js'
import { shipmentHandlers } from './shipments.js'
import { trackingHandlers } from './tracking.js'

/** All that an account can do. */
export const customerHandlers: Handlers = {
  ...shipmentHandlers,
  ...purchaseOrderHandlers,
  ...locationHandlers,
  ...invoiceHandlers,
  ...trackingHandlers,
  ...documentHandlers,
}

/** What of it can be done at once. */
export const promptHandlers: Partial<PromptHandlers> = promptPurchaseOrderHandlers
