import { Big } from 'big.js'
import { type InvoiceRecord, PaymentRecord } from '../../contract/public/invoice.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import { takesPayments } from '../../domain/invoices/invoice-status.js'
import { paymentExcess } from '../../domain/invoices/invoice-totals.js'
import { currencyDigits, fitsCurrency, formatMoney } from '../../domain/invoices/money.js'
import { inInterfaceOrder } from '../../domain/records/rendering.js'
import { Transaction } from '../../ledger/transaction.js'
import { findPayment } from '../../store/payments.js'
import type { OperatorHandler } from '../operator-context.js'
import { findInvoiceBalance } from './invoice-balance.js'
import { allowedMoves, getInvoiceRecord, presentInvoice, randomIdentifier, settle } from './invoice-record.js'

export const recordPayment: OperatorHandler<'recordPayment'> = async ({ tx, account }, { params, body }) => {
  const invoice = await getInvoiceRecord(tx, account, params.reference)
  const { reference } = invoice
  const { payment_id = await newPaymentId(tx, account), ...given } = body
  const payment = inInterfaceOrder(PaymentRecord, { payment_id, reference, ...given })
  const recorded = await findPayment(tx.sql, account, payment_id)
  if (recorded && JSON.stringify(recorded) !== JSON.stringify(payment)) throw new Refusal('payment_exists')
  // Idempotent: the same bank message may arrive twice.
  if (recorded) return presentInvoice(tx, account, reference)
  refuseUnpayable(invoice)
  refuseFractions(payment)
  const { outstanding } = await findInvoiceBalance(tx.sql, account, invoice)
  const excess = paymentExcess(outstanding, payment)
  if (excess) {
    throw new Refusal(
      'payment_exceeds_outstanding',
      `The payment exceeds what is outstanding by ${formatMoney(excess)}.`,
    )
  }
  tx.put('payment', [{ record: payment, before: undefined }])
  await settle(tx, account, reference)
  return presentInvoice(tx, account, reference)
}

function refuseUnpayable({ draft, status }: InvoiceRecord): void {
  if (draft) throw new Refusal('invoice_is_draft')
  if (takesPayments(status)) return
  throw new Refusal(
    'transition_not_allowed',
    `No payment can be recorded while an invoice is ${status}; ${allowedMoves(status)}.`,
  )
}

function refuseFractions({ amount, currency }: PaymentRecord): void {
  if (fitsCurrency(new Big(amount), currency)) return
  const detail = `must have no more than the ${currencyDigits(currency)} decimals of ${currency}`
  throw invalid([{ pointer: '/amount', detail }])
}

async function newPaymentId(tx: Transaction, account: AccountId): Promise<string> {
  const id = randomIdentifier('PAY')
  return (await findPayment(tx.sql, account, id)) ? newPaymentId(tx, account) : id
}
