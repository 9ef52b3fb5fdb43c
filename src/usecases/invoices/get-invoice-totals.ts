import { readSnapshot } from '../../database/snapshot.js'
import { ageInvoices } from '../../domain/invoices/invoice-ageing.js'
import { updateSearchIndex } from '../../store/search/search-state.js'
import type { PortalHandler } from '../portal-context.js'
import { findOwedInvoices } from './owed-invoices.js'

/** What is outstanding by currency and age. */
export const getInvoiceTotals: PortalHandler<'getInvoiceTotals'> = async ({ db, account, today }) => {
  await updateSearchIndex(db, account)
  const { invoices, exact } = await readSnapshot(db, (sql) => findOwedInvoices(sql, account))
  return { today, currencies: ageInvoices(invoices, today), exact }
}
