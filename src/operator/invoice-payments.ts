import { Big } from 'big.js'
import { type InvoiceRecord, PaymentRecord } from '../contract/invoice.js'
import { invalid, Refusal } from '../contract/refusals.js'
import { chosenMoves, takesPayments } from '../domain/invoice-status.js'
import { paymentExcess } from '../domain/invoice-totals.js'
import { currencyDigits, fitsCurrency, formatMoney } from '../domain/money.js'
import { inInterfaceOrder } from '../domain/rendering.js'
import { findPayment, removePayment, savePayment } from '../storage/payments.js'
import type { AccountId, Transaction } from '../storage/transaction.js'
import type { OperatorHandlers } from './handlers.js'
import { getInvoiceRecord, presentInvoice, randomIdentifier, settle } from './invoice-record.js'
import { findStanding } from './invoice-standing.js'

export const paymentHandlers: OperatorHandlers<'recordPayment' | 'removePayment'> = {
  async recordPayment({ tx, account }, { params, body }) {
    const invoice = await getInvoiceRecord(tx, account, params.reference)
    const { reference } = invoice
    const { payment_id = await freePaymentId(tx, account), ...given } = body
    const payment = inInterfaceOrder(PaymentRecord, { payment_id, reference, ...given })
    const recorded = await findPayment(tx.sql, account, payment_id)
    if (recorded && JSON.stringify(recorded) !== JSON.stringify(payment)) throw new Refusal('payment_exists')
    // A bank's message that comes twice is one payment.
    if (recorded) return presentInvoice(tx, account, reference)
    refuseUnpayable(invoice)
    refuseFractions(payment)
    const { outstanding } = await findStanding(tx.sql, account, invoice)
    const excess = paymentExcess(outstanding, payment)
    if (excess) {
      throw new Refusal(
        'payment_exceeds_outstanding',
        `The payment exceeds what is outstanding by ${formatMoney(excess)}.`,
      )
    }
    await savePayment(tx, account, payment)
    await settle(tx, account, reference)
    return presentInvoice(tx, account, reference)
  },

  async removePayment({ tx, account }, { params: { reference: given, payment_id }, query: { reason } }) {
    const { reference, status } = await getInvoiceRecord(tx, account, given)
    const payment = await findPayment(tx.sql, account, payment_id)
    if (payment?.reference !== reference) throw new Refusal('payment_not_found')
    if (status !== 'in_modification') {
      throw new Refusal(
        'transition_not_allowed',
        `Payments are taken back while an invoice is in_modification; this one is ${status}, and ${allowedOf(status)}.`,
      )
    }
    await removePayment(tx, account, payment_id, reason)
    return presentInvoice(tx, account, reference)
  },
}

export function allowedOf(status: InvoiceRecord['status']): string {
  const moves = chosenMoves(status)
  return moves.length > 0 ? `allowed now: ${moves.join(', ')}` : 'this status is final'
}

function refuseUnpayable({ draft, status }: InvoiceRecord): void {
  if (draft) throw new Refusal('invoice_is_draft')
  if (takesPayments(status)) return
  throw new Refusal(
    'transition_not_allowed',
    `No payment is taken while an invoice is ${status}; ${allowedOf(status)}.`,
  )
}

function refuseFractions({ amount, currency }: PaymentRecord): void {
  if (fitsCurrency(new Big(amount), currency)) return
  const detail = `must have no more than the ${currencyDigits(currency)} decimals of ${currency}`
  throw invalid([{ pointer: '/amount', detail }])
}

async function freePaymentId({ sql }: Transaction, account: AccountId): Promise<string> {
  const id = randomIdentifier('PAY')
  return (await findPayment(sql, account, id)) ? freePaymentId({ sql } as Transaction, account) : id
}
