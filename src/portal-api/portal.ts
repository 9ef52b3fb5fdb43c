import { changeHandlers } from './changes.js'
import { documentHandlers } from './documents.js'
import type { PortalHandlers } from './handlers.js'
import { invoiceHandlers } from './invoices.js'
import { journeyHandlers } from './journey.js'
import { keyHandlers } from './keys.js'
import { orderSheetHandlers } from './order-sheet.js'
import { overviewHandlers } from './overview.js'
import { peopleHandlers, personHandlers } from './people.js'
import { placeHandlers } from './places.js'
import { purchaseOrderHandlers } from './purchase-orders.js'
import { searchHandlers } from './search.js'
import { sessionHandlers } from './session.js'
import { shipmentHandlers } from './shipments.js'
import { viewHandlers } from './views.js'

export const portalHandlers: PortalHandlers = {
  ...sessionHandlers,
  ...personHandlers,
  ...peopleHandlers,
  ...keyHandlers,
  ...viewHandlers,
  ...overviewHandlers,
  ...searchHandlers,
  ...shipmentHandlers,
  ...journeyHandlers,
  ...purchaseOrderHandlers,
  ...orderSheetHandlers,
  ...invoiceHandlers,
  ...documentHandlers,
  ...placeHandlers,
  ...changeHandlers,
}
