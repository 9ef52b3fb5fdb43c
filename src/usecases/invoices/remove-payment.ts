import { Refusal } from '../../contract/refusals.js'
import { reopenedStatus } from '../../domain/invoices/invoice-status.js'
import { findPayment } from '../../store/payments.js'
import { forwarderToday } from '../billing/find-all-invoices.js'
import type { OperatorHandler } from '../operator-context.js'
import { findInvoiceBalance, settledStatus } from './invoice-balance.js'
import { getInvoiceRecord, presentInvoice, saveInvoice } from './invoice-record.js'

/** Reverses a payment: it is removed, and the status of its invoice follows from what is still paid. */
export const removePayment: OperatorHandler<'removePayment'> = async (
  { tx, account },
  { params: { reference: given, payment_id }, query: { reason } },
) => {
  const invoice = await getInvoiceRecord(tx, account, given)
  const { reference } = invoice
  const payment = await findPayment(tx.sql, account, payment_id)
  if (payment?.reference !== reference) throw new Refusal('payment_not_found')
  if (payment.refunds) throw new Refusal('payment_refunded')
  tx.remove('payment', payment, reason)
  const open = reopenedStatus(invoice, await forwarderToday(tx.sql))
  if (open) {
    const balance = await findInvoiceBalance(tx.sql, account, { ...invoice, status: open })
    const status = settledStatus(open, invoice, balance)
    if (status !== invoice.status) await saveInvoice(tx, account, { ...invoice, status }, { reason, what: 'corrected' })
  }
  return presentInvoice(tx, account, reference)
}
