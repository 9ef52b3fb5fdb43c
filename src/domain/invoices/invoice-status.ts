import type { InvoiceRecord, InvoiceStatus } from '../../contract/public/invoice.js'

/**
 * Decision: which status may follow which. Steps can be skipped forwards; paid and written off are final. The reversal of
 * a payment is a correction, which is recorded as one: it may reopen an invoice.
 */
export const nextInvoiceStatuses = {
  new: ['available', 'due', 'write_off'],
  available: ['due', 'partially_paid', 'paid', 'in_modification', 'litigious', 'write_off'],
  due: ['partially_paid', 'paid', 'in_modification', 'litigious', 'write_off'],
  partially_paid: ['paid', 'in_modification', 'litigious', 'write_off'],
  in_modification: ['available', 'due', 'write_off'],
  litigious: ['available', 'due', 'write_off'],
  paid: [],
  write_off: [],
} satisfies Record<InvoiceStatus, InvoiceStatus[]>

/** The statuses of an invoice on which nothing is owed any more. */
export const settledInvoiceStatuses: InvoiceStatus[] = ['paid', 'write_off']

export function invoiceMoves(from: InvoiceStatus): InvoiceStatus[] {
  return nextInvoiceStatuses[from]
}

/** The moves that an operator can choose: paid statuses follow from payments, and no invoice becomes new again. */
export function chosenMoves(from: InvoiceStatus | undefined): InvoiceStatus[] {
  // An imported invoice may have no status: any may follow.
  const moves = from === undefined ? (Object.keys(nextInvoiceStatuses) as InvoiceStatus[]) : invoiceMoves(from)
  return moves.filter((status) => !['new', 'partially_paid', 'paid'].includes(status))
}

/** The status without any payment of an invoice that is paid, in part or in full; undefined if payments do not decide it. */
export function reopenedStatus(
  { status, due_date }: Pick<InvoiceRecord, 'status' | 'due_date'>,
  today: string,
): 'available' | 'due' | undefined {
  if (status !== 'paid' && status !== 'partially_paid') return undefined
  return openStatus(due_date, today)
}

/** The status of an invoice on which nothing was paid, by its due date. */
export function openStatus(due_date: string | undefined, today: string): 'available' | 'due' {
  return due_date !== undefined && due_date > today ? 'available' : 'due'
}

/** Whether a payment can be kept for other invoices although nothing of it can be applied here: it was paid twice, or in dispute. */
export function keepsPayments({ type, draft, status }: Pick<InvoiceRecord, 'type' | 'draft' | 'status'>): boolean {
  if (draft || type === 'credit_note') return false
  return status === 'paid' || status === 'write_off' || status === 'litigious'
}

export function takesPayments(status: InvoiceStatus | undefined): boolean {
  return status === undefined || invoiceMoves(status).includes('paid')
}
