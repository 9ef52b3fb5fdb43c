import { businessDate } from '../../clock/clock.js'
import type { InvoiceDispute } from '../../contract/billing.js'
import type { InvoiceRecord, InvoiceStatus } from '../../contract/public/invoice.js'
import type { Price } from '../../contract/public/shared-types.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import { chosenMoves, openStatus } from '../../domain/invoices/invoice-status.js'
import { Transaction } from '../../ledger/transaction.js'
import { forwarderToday } from '../billing/find-all-invoices.js'
import type { OperatorHandler } from '../operator-context.js'
import { refuseShortfall } from './credit-notes.js'
import { findInvoiceBalance, settledStatus } from './invoice-balance.js'
import { allowedMoves, getInvoiceRecord, presentInvoice, saveInvoice } from './invoice-record.js'

/** Moves an issued invoice to another status. */
export const moveInvoice: OperatorHandler<'moveInvoice'> = async (
  { tx, account },
  { params, body: { status: chosen, reason, disputed_lines } },
) => {
  const record = await getInvoiceRecord(tx, account, params.reference)
  if (record.draft) throw new Refusal('invoice_is_draft')
  refuseMove(record.status, chosen)
  const balance = await findInvoiceBalance(tx.sql, account, record)
  if (record.status === 'in_modification') refuseShortfall(balance)
  const { dispute: _dispute, ...undisputed } = record
  const dispute = disputeOf(record, chosen, { lines: disputed_lines, reason, credited: balance.credited })
  const status = await afterDispute(tx, record, chosen)
  // Payments that were recorded before may make it paid or partially paid right away.
  const settled = settledStatus(status, record, balance)
  await saveInvoice(tx, account, { ...undisputed, status: settled, ...(dispute && { dispute }) }, { reason })
  return presentInvoice(tx, account, record.reference)
}

/** After a dispute the due date decides whether an invoice is due; one without a due date has the status that was chosen. */
async function afterDispute(
  { sql }: Transaction,
  { status, due_date }: InvoiceRecord,
  chosen: InvoiceStatus,
): Promise<InvoiceStatus> {
  const isOver = status === 'litigious' && (chosen === 'available' || chosen === 'due')
  return isOver && due_date !== undefined ? openStatus(due_date, await forwarderToday(sql)) : chosen
}

type Given = { lines: number[] | undefined; reason: string | undefined; credited: Price[] }

/** Which lines are disputed from now on; the dispute ends with the status. */
function disputeOf(
  { lines: charged = [] }: InvoiceRecord,
  status: InvoiceStatus,
  { lines, reason, credited }: Given,
): InvoiceDispute | undefined {
  if (status !== 'litigious') {
    if (lines === undefined) return undefined
    throw invalid([{ pointer: '/disputed_lines', detail: 'is only for the status litigious' }])
  }
  const wrong = lines?.findIndex((line) => line >= charged.length) ?? -1
  if (wrong >= 0) throw invalid([{ pointer: `/disputed_lines/${wrong}`, detail: 'the invoice has no such line' }])
  const distinct = [...new Set(lines)].toSorted((one, other) => one - other)
  return {
    lines: distinct,
    since: businessDate(),
    ...(reason !== undefined && { reason }),
    ...(credited.length > 0 && { credited }),
  }
}

function refuseMove(from: InvoiceStatus | undefined, to: InvoiceStatus): void {
  if (chosenMoves(from).includes(to)) return
  const why = to === 'paid' || to === 'partially_paid' ? ` ${to} follows from payments alone.` : ''
  const present = from === undefined ? '' : ` from ${from}`
  throw new Refusal('transition_not_allowed', `An invoice cannot go${present} to ${to}; ${allowedMoves(from)}.${why}`)
}
