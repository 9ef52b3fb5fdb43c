import type { InvoiceStatus } from '../../contract/public/invoice.js'

/** Decision: which status may follow which. Steps can be skipped forwards; paid and written off are final. */
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

export function takesPayments(status: InvoiceStatus | undefined): boolean {
  return status === undefined || invoiceMoves(status).includes('paid')
}
