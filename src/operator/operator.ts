import { accountHandlers } from './accounts.js'
import { documentHandlers, documentPreparations } from './documents.js'
import type { OperatorHandlers, OperatorPreparations } from './handlers.js'
import { historyHandlers } from './history.js'
import { importHandlers } from './import-handler.js'
import { creditNoteHandlers } from './invoice-credit.js'
import { issueHandlers } from './invoice-issue.js'
import { invoicePaperHandlers } from './invoice-paper.js'
import { paymentHandlers } from './invoice-payments.js'
import { invoiceHandlers } from './invoices.js'
import { locationHandlers } from './locations.js'
import { purchaseOrderHandlers } from './purchase-orders.js'
import { shipmentHandlers } from './shipments.js'
import { trackingHandlers } from './tracking.js'

/** All that operators can do. */
export const operatorHandlers: OperatorHandlers = {
  ...accountHandlers,
  ...locationHandlers,
  ...shipmentHandlers,
  ...purchaseOrderHandlers,
  ...trackingHandlers,
  ...documentHandlers,
  ...invoiceHandlers,
  ...issueHandlers,
  ...paymentHandlers,
  ...creditNoteHandlers,
  ...invoicePaperHandlers,
  ...historyHandlers,
  ...importHandlers,
}

/** What some of it does before it holds others up. */
export const operatorPreparations: OperatorPreparations = documentPreparations
