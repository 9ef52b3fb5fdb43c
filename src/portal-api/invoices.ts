import type { InvoiceRecord } from '../contract/invoice.js'
import type { InvoiceStanding } from '../contract/portal/overview.js'
import { Refusal } from '../contract/refusals.js'
import { ageInvoices } from '../domain/invoice-ageing.js'
import { grossOf, pricesOf, sumPrices, totalsOf } from '../domain/invoice-totals.js'
import { printPaper, readInvoicePaper } from '../operator/invoice-paper.js'
import { findInvoiceRecord } from '../operator/invoice-record.js'
import { findStanding, type Standing } from '../operator/invoice-standing.js'
import type { Reader } from '../storage/database.js'
import { findInvoice } from '../storage/invoices.js'
import { findInvoicePage } from '../storage/search/invoice-pages.js'
import { bringUpToDate } from '../storage/search/search-state.js'
import { readSnapshot } from '../storage/snapshot.js'
import type { AccountId } from '../storage/transaction.js'
import type { PortalHandlers } from './handlers.js'
import { findOwedInvoices } from './owed-invoices.js'
import { writtenPage } from './written-page.js'

export const invoiceHandlers: PortalHandlers<
  'findInvoices' | 'getInvoiceTotals' | 'getInvoiceStanding' | 'getInvoicePdf'
> = {
  async findInvoices({ db, account, today }, { query }) {
    return writtenPage('invoices', await findInvoicePage(db, account, query, today))
  },

  async getInvoiceTotals({ db, account, today }) {
    await bringUpToDate(db, account)
    const { invoices, exact } = await readSnapshot(db, (sql) => findOwedInvoices(sql, account))
    return { today, currencies: ageInvoices(invoices, today), exact }
  },

  async getInvoiceStanding({ db, account }, { params }) {
    return readSnapshot(db, async (sql) => {
      const record = await getIssuedInvoice(sql, account, params.reference)
      const standing = await findStanding(sql, account, record)
      const { credited_invoice } = record
      const credited =
        credited_invoice === undefined ? undefined : await findInvoiceRecord(sql, account, credited_invoice)
      return standingOf(standing, credited)
    })
  },

  async getInvoicePdf({ db, account, session, forwarderName }, { params, query }) {
    const names = { account_name: session.accountName, forwarder_name: forwarderName }
    const paper = await readSnapshot(db, async (sql) =>
      readInvoicePaper(sql, account, await getIssuedInvoice(sql, account, params.reference), names),
    )
    return { ...(await printPaper(paper)), isShown: query.inline !== undefined }
  },
}

/** As the public interface finds it: by its reference, then by its number, and no draft. */
async function getIssuedInvoice(db: Reader, account: AccountId, referenceOrNumber: string): Promise<InvoiceRecord> {
  const found = await findInvoice(db, account, referenceOrNumber)
  const record = found && (await findInvoiceRecord(db, account, found.id))
  if (!record) throw new Refusal('invoice_not_found')
  return record
}

function standingOf(standing: Standing, credited: InvoiceRecord | undefined): InvoiceStanding {
  const issued = standing.credit_notes.filter(({ draft }) => !draft)
  // What was paid back of a credit note was not kept of what was paid.
  const returned = standing.paid_back.map((payment) => ({ ...payment, amount: -payment.amount }))
  const payments = [...standing.payments, ...returned]
  return {
    totals: standing.totals.map(pricesOf),
    paid: sumPrices(payments),
    credited: sumPrices(issued.flatMap(({ lines = [] }) => totalsOf(lines).map(grossOf))),
    balance: standing.outstanding,
    payments: payments.map(({ amount, currency, paid_on, payment_id }) => ({
      amount: { amount, currency },
      paid_on,
      reference: payment_id,
    })),
    credit_notes: issued.map(nameOf),
    ...(credited && { credits: nameOf(credited) }),
  }
}

function nameOf({ reference, number }: InvoiceRecord): { reference: string; number?: string } {
  return { reference, ...(number !== undefined && { number }) }
}
