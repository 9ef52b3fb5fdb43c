import { Refusal } from '../../contract/refusals.js'
import { findPayment } from '../../store/payments.js'
import type { OperatorHandler } from '../operator-context.js'
import { allowedMoves, getInvoiceRecord, presentInvoice } from './invoice-record.js'

export const removePayment: OperatorHandler<'removePayment'> = async (
  { tx, account },
  { params: { reference: given, payment_id }, query: { reason } },
) => {
  const { reference, status } = await getInvoiceRecord(tx, account, given)
  const payment = await findPayment(tx.sql, account, payment_id)
  if (payment?.reference !== reference) throw new Refusal('payment_not_found')
  if (status !== 'in_modification') {
    throw new Refusal(
      'transition_not_allowed',
      `A payment can only be removed while its invoice is in_modification; this one is ${status}, and ${allowedMoves(status)}.`,
    )
  }
  tx.remove('payment', payment, reason)
  return presentInvoice(tx, account, reference)
}
