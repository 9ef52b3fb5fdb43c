import type { InvoiceRecord } from '../contract/invoice.js'
import { Refusal } from '../contract/refusals.js'
import { plainFileName } from '../domain/file-name.js'
import { totalsOf } from '../domain/invoice-totals.js'
import type { InvoicePaper } from '../paper/invoice-pdf.js'
import { startPrinter } from '../paper/printer.js'
import type { Reader } from '../storage/database.js'
import { findInvoiceReference } from '../storage/invoices.js'
import type { AccountId } from '../storage/transaction.js'
import type { OperatorHandlers } from './handlers.js'
import { findInvoiceRecord } from './invoice-record.js'
import { findStanding } from './invoice-standing.js'

const print = startPrinter()

export const invoicePaperHandlers: OperatorHandlers<'getInvoicePdf'> = {
  async getInvoicePdf({ db, account, accountRow, forwarderName }, { params }) {
    const reference = await findInvoiceReference(db, account, params.reference)
    const record = reference === undefined ? undefined : await findInvoiceRecord(db, account, reference)
    if (!record) throw new Refusal('invoice_not_found')
    const names = { account_name: accountRow.name, forwarder_name: forwarderName }
    const paper = await readInvoicePaper(db, account, record, names)
    return () => printPaper(paper)
  },
}

/** All that stands on the paper of an invoice. */
export async function readInvoicePaper(
  db: Reader,
  account: AccountId,
  record: InvoiceRecord,
  names: Pick<InvoicePaper, 'account_name' | 'forwarder_name'>,
): Promise<InvoicePaper> {
  const { totals, payments, credit_notes, paid_back } = await findStanding(db, account, record)
  const { credited_invoice } = record
  const credited = credited_invoice === undefined ? undefined : await findInvoiceRecord(db, account, credited_invoice)
  return {
    invoice: record,
    totals,
    payments: [...payments, ...paid_back.map((payment) => ({ ...payment, amount: -payment.amount }))],
    credit_notes: credit_notes
      .filter(({ draft }) => !draft)
      .map(({ number, lines = [] }) => ({ number, totals: totalsOf(lines) })),
    credited_number: credited?.number ?? credited_invoice,
    ...names,
    isDraft: record.draft ?? false,
  }
}

/** Takes a while: to be called when nothing of the database waits for it. */
export async function printPaper(paper: InvoicePaper) {
  const { number, reference } = paper.invoice
  const content = await print(paper)
  // References of ERP systems contain slashes, which no file name may.
  const name = `${plainFileName(number ?? reference)}.pdf`
  return { name, mediaType: 'application/pdf', size: content.length, content }
}
