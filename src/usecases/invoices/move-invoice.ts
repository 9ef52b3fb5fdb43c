import { businessDate } from '../../clock/clock.js'
import type { InvoiceDispute } from '../../contract/billing.js'
import type { InvoiceRecord, InvoiceStatus } from '../../contract/public/invoice.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import { chosenMoves } from '../../domain/invoices/invoice-status.js'
import type { OperatorHandler } from '../operator-context.js'
import { refuseShortfall } from './credit-notes.js'
import { findInvoiceBalance, settledStatus } from './invoice-balance.js'
import { allowedMoves, getInvoiceRecord, presentInvoice, saveInvoice } from './invoice-record.js'

/** Moves an issued invoice to another status. */
export const moveInvoice: OperatorHandler<'moveInvoice'> = async (
  { tx, account },
  { params, body: { status, reason, disputed_lines } },
) => {
  const record = await getInvoiceRecord(tx, account, params.reference)
  if (record.draft) throw new Refusal('invoice_is_draft')
  refuseMove(record.status, status)
  const balance = await findInvoiceBalance(tx.sql, account, record)
  if (record.status === 'in_modification') refuseShortfall(balance)
  const { dispute: _dispute, ...undisputed } = record
  const dispute = disputeOf(record, status, disputed_lines, reason)
  // Payments that were recorded before may make it paid or partially paid right away.
  const settled = settledStatus(status, record, balance)
  await saveInvoice(tx, account, { ...undisputed, status: settled, ...(dispute && { dispute }) }, reason)
  return presentInvoice(tx, account, record.reference)
}

/** Which lines are disputed from now on; the dispute ends with the status. */
function disputeOf(
  { lines: charged = [] }: InvoiceRecord,
  status: InvoiceStatus,
  lines: number[] | undefined,
  reason: string | undefined,
): InvoiceDispute | undefined {
  if (status !== 'litigious') {
    if (lines === undefined) return undefined
    throw invalid([{ pointer: '/disputed_lines', detail: 'is only for the status litigious' }])
  }
  const wrong = lines?.findIndex((line) => line >= charged.length) ?? -1
  if (wrong >= 0) throw invalid([{ pointer: `/disputed_lines/${wrong}`, detail: 'the invoice has no such line' }])
  const distinct = [...new Set(lines)].toSorted((one, other) => one - other)
  return { lines: distinct, since: businessDate(), ...(reason !== undefined && { reason }) }
}

function refuseMove(from: InvoiceStatus | undefined, to: InvoiceStatus): void {
  if (chosenMoves(from).includes(to)) return
  const why = to === 'paid' || to === 'partially_paid' ? ` ${to} follows from payments alone.` : ''
  const present = from === undefined ? '' : ` from ${from}`
  throw new Refusal('transition_not_allowed', `An invoice cannot go${present} to ${to}; ${allowedMoves(from)}.${why}`)
}
