import type { billingOperations } from '../../contract/operator/billing-operations.js'
import { getAccountStatement } from '../invoices/get-statement.js'
import { applyPayment, refundPayment } from '../invoices/record-payment.js'
import type { OperatorHandlers } from '../operator-context.js'
import { getAccountBilling, getBillingSettings, setAccountBilling, setBillingSettings } from './billing-settings.js'
import { draftFromTemplate, listChargeTemplates, removeChargeTemplate, setChargeTemplate } from './charge-templates.js'
import { findAllInvoices, listUnbilled } from './find-all-invoices.js'
import { checkInvoiceOf } from './invoice-checks.js'
import { matchPayments } from './match-payments.js'
import { listReceivables } from './receivables.js'

/** The use cases of billing, by their operations. */
export const billingHandlers: Pick<OperatorHandlers, keyof typeof billingOperations> = {
  getBillingSettings,
  setBillingSettings,
  getAccountBilling,
  setAccountBilling,
  listChargeTemplates,
  setChargeTemplate,
  removeChargeTemplate,
  draftFromTemplate,
  checkInvoice: checkInvoiceOf,
  applyPayment,
  refundPayment,
  getAccountStatement,
  findInvoices: findAllInvoices,
  listUnbilled,
  listReceivables,
  matchPayments,
}
