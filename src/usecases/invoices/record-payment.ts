import { Big } from 'big.js'
import { type InvoiceRecord, PaymentRecord } from '../../contract/public/invoice.js'
import type { Price } from '../../contract/public/shared-types.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import { payable } from '../../domain/invoices/dispute.js'
import { keepsPayments, takesPayments } from '../../domain/invoices/invoice-status.js'
import { paymentExcess } from '../../domain/invoices/invoice-totals.js'
import { currencyDigits, fitsCurrency, formatMoney, jsonAmount } from '../../domain/invoices/money.js'
import { inInterfaceOrder } from '../../domain/records/rendering.js'
import { Transaction } from '../../ledger/transaction.js'
import { findPayment, findPaymentAsRecorded } from '../../store/payments.js'
import type { OperatorHandler } from '../operator-context.js'
import { findInvoiceBalance } from './invoice-balance.js'
import { allowedMoves, getInvoiceRecord, presentInvoice, randomIdentifier, settleInvoice } from './invoice-record.js'

export const recordPayment: OperatorHandler<'recordPayment'> = async ({ tx, account }, { params, body }) => {
  const invoice = await getInvoiceRecord(tx, account, params.reference)
  const { reference } = invoice
  const { payment_id = await newPaymentId(tx, account), excess: onExcess, ...given } = body
  const payment = inInterfaceOrder(PaymentRecord, { payment_id, reference, ...given })
  const recorded = await findPayment(tx.sql, account, payment_id)
  if (recorded) {
    // Idempotent: the same bank message may arrive twice, also after the payment was split or moved.
    const versions = [recorded, await findPaymentAsRecorded(tx.sql, account, payment_id)]
    if (versions.some((version) => version && isSamePayment(version, payment))) {
      return presentInvoice(tx, account, reference)
    }
    throw new Refusal('payment_exists')
  }
  if (onExcess !== 'keep_unapplied' || !keepsPayments(invoice)) refuseUnpayable(invoice)
  refuseFractions(payment)
  const excess = paymentExcess(await findPayable(tx, account, invoice), payment)
  if (excess && onExcess !== 'keep_unapplied') throw tooMuch(excess)
  const kept = excess ? { ...payment, unapplied: excess.amount } : payment
  tx.put('payment', [{ record: kept, before: undefined }])
  await settleInvoice(tx, account, reference)
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
  refuseMoreThanUnapplied(payment, amount)
  const excess = paymentExcess(owed, { amount, currency })
  if (excess) throw tooMuch(excess)
  const rest = jsonAmount(new Big(unapplied).minus(amount))
  const { unapplied: _unapplied, refunds, ...whole } = payment
  const { reference } = invoice
  const keptPart = jsonAmount(new Big(payment.amount).minus(amount))
  if (keptPart > 0) {
    const kept = { ...whole, ...(refunds && { refunds }), amount: keptPart, ...(rest > 0 && { unapplied: rest }) }
    const part = {
      ...whole,
      payment_id: await newPaymentId(tx, account),
      reference,
      amount,
      split_from: payment.payment_id,
    }
    tx.put('payment', [
      { record: inInterfaceOrder(PaymentRecord, kept), before: payment },
      { record: inInterfaceOrder(PaymentRecord, part), before: undefined },
    ])
  } else {
    // Nothing of it was applied: it is moved as a whole, and its identifier keeps it from being recorded again.
    tx.put('payment', [{ record: { ...whole, reference }, before: payment }])
  }
  await settleInvoice(tx, account, invoice.reference)
  return presentInvoice(tx, account, invoice.reference)
}

/** Records that the unapplied part of a payment, or some of it, was paid back. */
export const refundPayment: OperatorHandler<'refundPayment'> = async ({ tx, account }, { params, body }) => {
  const payment = await findPayment(tx.sql, account, params.payment_id)
  if (!payment) throw new Refusal('payment_not_found')
  const { unapplied = 0, refunds = [], ...whole } = payment
  const { amount = unapplied, ...rest } = body
  refuseMoreThanUnapplied(payment, amount)
  const left = jsonAmount(new Big(unapplied).minus(amount))
  const refunded = { ...whole, ...(left > 0 && { unapplied: left }), refunds: [...refunds, { amount, ...rest }] }
  const record = inInterfaceOrder(PaymentRecord, refunded)
  tx.put('payment', [{ record, before: payment }])
  return record
}

function refuseMoreThanUnapplied({ unapplied = 0, currency }: PaymentRecord, amount: number): void {
  refuseFractions({ amount, currency })
  if (amount <= unapplied && amount > 0) return
  const rest = formatMoney({ amount: unapplied, currency })
  throw invalid([{ pointer: '/amount', detail: `must be more than 0 and at most what is unapplied, ${rest}` }])
}

/** While part of an invoice is in dispute, the rest can be paid. */
async function findPayable(tx: Transaction, account: AccountId, invoice: InvoiceRecord): Promise<Price[]> {
  return payable(await findInvoiceBalance(tx.sql, account, invoice))
}

// A part that was unapplied may have been applied or paid back since.
function isSamePayment(recorded: PaymentRecord, given: PaymentRecord): boolean {
  const { unapplied: _unapplied, refunds: _refunds, ...rest } = recorded
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
