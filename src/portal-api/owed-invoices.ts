import type { InvoiceRecord } from '../contract/invoice.js'
import type { OwedInvoice } from '../domain/invoice-ageing.js'
import { findStandings } from '../operator/invoice-standing.js'
import type { Reader } from '../storage/database.js'
import { findRecords } from '../storage/records.js'
import { findOpenInvoices } from '../storage/search/invoice-pages.js'
import type { AccountId } from '../storage/transaction.js'

// Nobody keeps so many unpaid; who does is told of those that were due first.
const mostOpen = 2000
// Records are parsed a few at a time: somebody else has a turn in between.
const batchLength = 100

/** What is left of the invoices that are open, those first that are due first; `exact`: of all of them. */
export async function findOwedInvoices(
  db: Reader,
  account: AccountId,
): Promise<{ invoices: OwedInvoice[]; exact: boolean }> {
  const references = await findOpenInvoices(db, account, mostOpen + 1)
  const invoices: OwedInvoice[] = []
  for (let start = 0; start < Math.min(references.length, mostOpen); start += batchLength) {
    const batch = references.slice(start, Math.min(start + batchLength, mostOpen))
    invoices.push(...(await findOwed(db, account, batch)))
  }
  return { invoices, exact: references.length <= mostOpen }
}

// A credit note is set off against its invoice, and lessens what is left of that.
async function findOwed(db: Reader, account: AccountId, references: string[]): Promise<OwedInvoice[]> {
  const found = await findRecords(db, account, 'invoice', references)
  const records = [...found.values()].map((record) => JSON.parse(record) as InvoiceRecord)
  const invoices = records.filter(({ type, draft }) => type !== 'credit_note' && !draft)
  const standings = await findStandings(db, account, invoices)
  return invoices.map(({ reference, due_date }) => ({
    due_date,
    outstanding: standings.get(reference)?.outstanding ?? [],
  }))
}
