import type { InvoiceRecord } from '../../contract/public/invoice.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import type { OwedInvoice } from '../../domain/invoices/invoice-ageing.js'
import { findRecords } from '../../ledger/records.js'
import { findOpenInvoices } from '../../store/search/invoice-search.js'
import { findInvoiceBalances } from './invoice-balance.js'

// With more open invoices than this, the totals cover those that were due first.
const mostOpen = 2000
// Records are parsed in batches, so that other requests are served in between.
const batchLength = 100

/** What is outstanding on the open invoices, ordered by due date; `exact` if none was left out. */
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

/** What is outstanding on some invoices. Credit notes are left out: each is set off against its invoice. */
export async function findOwed(
  db: Reader,
  account: AccountId,
  references: string[],
): Promise<(OwedInvoice & { reference: string })[]> {
  const found = await findRecords(db, account, 'invoice', references)
  const records = [...found.values()].map((record) => JSON.parse(record) as InvoiceRecord)
  const invoices = records.filter(({ type, draft }) => type !== 'credit_note' && !draft)
  const balances = await findInvoiceBalances(db, account, invoices)
  return invoices.map(({ reference, due_date }) => ({
    reference,
    due_date,
    outstanding: balances.get(reference)?.outstanding ?? [],
  }))
}
