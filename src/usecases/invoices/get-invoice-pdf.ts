import type { InvoiceRecord } from '../../contract/public/invoice.js'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { readSnapshot } from '../../database/snapshot.js'
import { plainFileName } from '../../domain/documents/file-name.js'
import { accountingTotals } from '../../domain/invoices/accounting-totals.js'
import { totalsOfRecord } from '../../domain/invoices/credit-rounding.js'
import type { InvoiceDocument } from '../../pdf/invoice-pdf.js'
import { startPrinter } from '../../pdf/printer.js'
import { findBilling } from '../../store/billing.js'
import { findBranding } from '../../store/branding.js'
import { findInvoiceReference } from '../../store/invoices.js'
import { billingAtIssue } from '../billing/billing-at-issue.js'
import type { OperatorHandler } from '../operator-context.js'
import type { PortalHandler } from '../portal-context.js'
import { appliedPart, findInvoiceBalance } from './invoice-balance.js'
import { findInvoiceRecord, getIssuedInvoice } from './invoice-record.js'

export const getInvoicePdf: OperatorHandler<'getInvoicePdf'> = async (
  { db, account, accountRow, forwarderName },
  { params },
) => {
  const reference = await findInvoiceReference(db, account, params.reference)
  const record = reference === undefined ? undefined : await findInvoiceRecord(db, account, reference)
  if (!record) throw new Refusal('invoice_not_found')
  const names = { account_name: accountRow.name, forwarder_name: forwarderName }
  const document = await readInvoiceDocument(db, account, record, names)
  return () => printInvoicePdf(account, document)
}

/** The same for customers, who see no drafts. */
export const getIssuedInvoicePdf: PortalHandler<'getInvoicePdf'> = async (
  { db, account, session, forwarderName },
  { params, query },
) => {
  const names = { account_name: session.accountName, forwarder_name: forwarderName }
  const document = await readSnapshot(db, async (sql) =>
    readInvoiceDocument(sql, account, await getIssuedInvoice(sql, account, params.reference), names),
  )
  return { ...(await printInvoicePdf(account, document)), isInline: query.inline !== undefined }
}

async function readInvoiceDocument(
  db: Reader,
  account: AccountId,
  record: InvoiceRecord,
  names: Pick<InvoiceDocument, 'account_name' | 'forwarder_name'>,
): Promise<InvoiceDocument> {
  const { totals, payments, credit_notes, paid_back } = await findInvoiceBalance(db, account, record)
  const { credited_invoice } = record
  const credited = credited_invoice === undefined ? undefined : await findInvoiceRecord(db, account, credited_invoice)
  return {
    invoice: record,
    totals,
    payments: [
      ...payments.map((payment) => ({ ...payment, ...appliedPart(payment) })),
      ...paid_back.map((payment) => ({ ...payment, amount: -payment.amount })),
    ],
    credit_notes: credit_notes
      .filter(({ draft }) => !draft)
      .map((note) => ({ number: note.number, totals: totalsOfRecord(note) })),
    credited_number: credited?.number ?? credited_invoice,
    ...names,
    isDraft: record.draft ?? false,
    billing: await billingOf(db, account, record, names.account_name),
    logo: (await findBranding(db)).logo,
    accounting: accountingTotals(totals, record.billing?.accounting),
  }
}

// A draft shows the settings of today; an invoice of before there were any shows none.
async function billingOf(db: Reader, account: AccountId, record: InvoiceRecord, name: string) {
  if (!record.draft) return record.billing
  const { forwarder, account: own } = await findBilling(db, account)
  return billingAtIssue(forwarder, own, { name, lines: record.lines ?? [], terms: own.terms ?? forwarder.terms })
}

export const print = startPrinter()

// Slow: called outside of transactions and snapshots.
async function printInvoicePdf(account: AccountId, document: InvoiceDocument) {
  const { number, reference } = document.invoice
  const content = await print(account, document)
  // References may contain slashes, which file names cannot.
  const name = `${plainFileName(number ?? reference)}.pdf`
  return { name, mediaType: 'application/pdf', size: content.length, content }
}
