import { Big } from 'big.js'
import { type InvoiceRecord, PaymentRecord } from '../../contract/public/invoice.js'
import type { Price } from '../../contract/public/shared-types.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import { payable } from '../../domain/invoices/dispute.js'
import { takesPayments } from '../../domain/invoices/invoice-status.js'
import { paymentExcess } from '../../domain/invoices/invoice-totals.js'
import { currencyDigits, fitsCurrency, formatMoney, jsonAmount } from '../../domain/invoices/money.js'
import { inInterfaceOrder } from '../../domain/records/rendering.js'
import { Transaction } from '../../ledger/transaction.js'
import { findPayment } from '../../store/payments.js'
import type { OperatorHandler } from '../operator-context.js'
import { findInvoiceBalance } from './invoice-balance.js'
import { allowedMoves, getInvoiceRecord, presentInvoice, randomIdentifier, settle } from './invoice-record.js'

export const recordPayment: OperatorHandler<'recordPayment'> = async ({ tx, account }, { params, body }) => {
  const invoice = await getInvoiceRecord(tx, account, params.reference)
  const { reference } = invoice
  const { payment_id = await newPaymentId(tx, account), excess: onExcess, ...given } = body
  const payment = inInterfaceOrder(PaymentRecord, { payment_id, reference, ...given })
  const recorded = await findPayment(tx.sql, account, payment_id)
  if (recorded && !isSamePayment(recorded, payment)) throw new Refusal('payment_exists')
  // Idempotent: the same bank message may arrive twice.
  if (recorded) return presentInvoice(tx, account, reference)
  refuseUnpayable(invoice)
  refuseFractions(payment)
  const excess = paymentExcess(await findPayable(tx, account, invoice), payment)
  if (excess && onExcess !== 'keep_unapplied') throw tooMuch(excess)
  const kept = excess ? { ...payment, unapplied: excess.amount } : payment
  tx.put('payment', [{ record: kept, before: undefined }])
  await settle(tx, account, reference)
  return presentInvoice(tx, account, reference)
}

/** Moves the unapplied part of a payment to an invoice, or some of it: the payment is split, its sum stays. */
export const applyPayment: OperatorHandler<'applyPayment'> = async ({ tx, account }, { params, body }) => {
  const payment = await findPayment(tx.sql, account, params.payment_id)
  if (!payment) throw new Refusal('payment_not_found')
  const invoice = await getInvoiceRecord(tx, account, body.reference)
  refuseUnpayable(invoice)
  const { unapplied = 0, currency } = payment
  const owed = await findPayable(tx, account, invoice)
  const left = Math.max(0, owed.find((price) => price.currency === currency)?.amount ?? 0)
  const amount = body.amount ?? Math.min(unapplied, left)
  refuseFractions({ amount, currency })
  if (amount > unapplied || amount <= 0) {
    const rest = formatMoney({ amount: unapplied, currency })
    throw invalid([{ pointer: '/amount', detail: `must be more than 0 and at most what is unapplied, ${rest}` }])
  }
  const excess = paymentExcess(owed, { amount, currency })
  if (excess) throw tooMuch(excess)
  const rest = jsonAmount(new Big(unapplied).minus(amount))
  const { unapplied: _unapplied, ...whole } = payment
  const split = {
    ...whole,
    amount: jsonAmount(new Big(payment.amount).minus(amount)),
    ...(rest > 0 && { unapplied: rest }),
  }
  const applied = { ...whole, payment_id: await newPaymentId(tx, account), reference: invoice.reference, amount }
  // A payment of which nothing was applied may be moved as a whole.
  if (split.amount > 0) tx.put('payment', [{ record: inInterfaceOrder(PaymentRecord, split), before: payment }])
  else tx.remove('payment', payment, `Applied to ${invoice.number ?? invoice.reference}`)
  const record = inInterfaceOrder(PaymentRecord, { ...applied, split_from: payment.payment_id })
  tx.put('payment', [{ record, before: undefined }])
  await settle(tx, account, invoice.reference)
  return presentInvoice(tx, account, invoice.reference)
}

/** While part of an invoice is in dispute, the rest can be paid. */
async function findPayable(tx: Transaction, account: AccountId, invoice: InvoiceRecord): Promise<Price[]> {
  const { outstanding } = await findInvoiceBalance(tx.sql, account, invoice)
  return payable(invoice, outstanding)
}

// A part that was unapplied may have been applied since.
function isSamePayment(recorded: PaymentRecord, given: PaymentRecord): boolean {
  const { unapplied: _unapplied, ...rest } = recorded
  return JSON.stringify(rest) === JSON.stringify(given)
}

function tooMuch(excess: Price): Refusal {
  return new Refusal(
    'payment_exceeds_outstanding',
    `The payment exceeds what is outstanding by ${formatMoney(excess)}.`,
  )
}

function refuseUnpayable(invoice: InvoiceRecord): void {
  const { draft, status, dispute } = invoice
  if (draft) throw new Refusal('invoice_is_draft')
  const isPartlyDisputed = status === 'litigious' && (dispute?.lines.length ?? 0) > 0
  if (takesPayments(status) || isPartlyDisputed) return
  throw new Refusal(
    'transition_not_allowed',
    `No payment can be recorded while an invoice is ${status}; ${allowedMoves(status)}.`,
  )
}

function refuseFractions({ amount, currency }: Pick<PaymentRecord, 'amount' | 'currency'>): void {
  if (fitsCurrency(new Big(amount), currency)) return
  const detail = `must have no more than the ${currencyDigits(currency)} decimals of ${currency}`
  throw invalid([{ pointer: '/amount', detail }])
}

async function newPaymentId(tx: Transaction, account: AccountId): Promise<string> {
  const id = randomIdentifier('PAY')
  return (await findPayment(tx.sql, account, id)) ? newPaymentId(tx, account) : id
}
