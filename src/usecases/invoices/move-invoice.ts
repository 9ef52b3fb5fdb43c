import type { InvoiceStatus } from '../../contract/public/invoice.js'
import { Refusal } from '../../contract/refusals.js'
import { chosenMoves } from '../../domain/invoices/invoice-status.js'
import type { OperatorHandler } from '../operator-context.js'
import { refuseShortfall } from './credit-notes.js'
import { findInvoiceBalance, settledStatus } from './invoice-balance.js'
import { allowedMoves, getInvoiceRecord, presentInvoice, saveInvoice } from './invoice-record.js'

/** Moves an issued invoice to another status. */
export const moveInvoice: OperatorHandler<'moveInvoice'> = async (
  { tx, account },
  { params, body: { status, reason } },
) => {
  const record = await getInvoiceRecord(tx, account, params.reference)
  if (record.draft) throw new Refusal('invoice_is_draft')
  refuseMove(record.status, status)
  const balance = await findInvoiceBalance(tx.sql, account, record)
  if (record.status === 'in_modification') refuseShortfall(balance)
  // Payments that were recorded before may make it paid or partially paid right away.
  await saveInvoice(tx, account, { ...record, status: settledStatus(status, record.type, balance) }, reason)
  return presentInvoice(tx, account, record.reference)
}

function refuseMove(from: InvoiceStatus | undefined, to: InvoiceStatus): void {
  if (chosenMoves(from).includes(to)) return
  const why = to === 'paid' || to === 'partially_paid' ? ` ${to} follows from payments alone.` : ''
  const present = from === undefined ? '' : ` from ${from}`
  throw new Refusal('transition_not_allowed', `An invoice cannot go${present} to ${to}; ${allowedMoves(from)}.${why}`)
}
