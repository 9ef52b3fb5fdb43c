import type { InvoiceRecord } from '../contract/invoice.js'
import { Refusal } from '../contract/refusals.js'
import { totalsOf } from '../domain/invoice-totals.js'
import type { InvoicePaper } from '../paper/invoice-pdf.js'
import { startPrinter } from '../paper/printer.js'
import { findInvoiceReference } from '../storage/invoices.js'
import type { OperatorHandlers } from './handlers.js'
import { findInvoiceRecord } from './invoice-record.js'
import { findStanding } from './invoice-standing.js'

const print = startPrinter()

export const invoicePaperHandlers: OperatorHandlers<'getInvoicePdf'> = {
  async getInvoicePdf({ db, account, accountRow, forwarderName }, { params }) {
    const reference = await findInvoiceReference(db, account, params.reference)
    const record = reference === undefined ? undefined : await findInvoiceRecord(db, account, reference)
    if (!record) throw new Refusal('invoice_not_found')
    const { totals, payments, credit_notes, paid_back } = await findStanding(db, account, record)
    const { credited_invoice } = record
    const credited = credited_invoice === undefined ? undefined : await findInvoiceRecord(db, account, credited_invoice)
    const paper: InvoicePaper = {
      invoice: record,
      totals,
      payments: [...payments, ...paid_back.map((payment) => ({ ...payment, amount: -payment.amount }))],
      credit_notes: credit_notes
        .filter(({ draft }) => !draft)
        .map(({ number, lines = [] }) => ({ number, totals: totalsOf(lines) })),
      credited_number: credited?.number ?? credited_invoice,
      account_name: accountRow.name,
      forwarder_name: forwarderName,
      isDraft: record.draft ?? false,
    }
    return async () => {
      const content = await print(paper)
      return { name: fileNameOf(record), mediaType: 'application/pdf', size: content.length, content }
    }
  },
}

// References of ERP systems contain slashes, which no file name may.
function fileNameOf({ number, reference }: InvoiceRecord): string {
  return `${(number ?? reference).replaceAll(/[/\\:*?"<>|\p{Cc}]/gu, '-')}.pdf`
}
