import { totalsOfRecord } from '../../domain/invoices/credit-rounding.js'
import { grossOf } from '../../domain/invoices/invoice-totals.js'
import { readRecords } from '../../ledger/records.js'
import { searchInvoices } from '../../store/search/invoice-search.js'
import { type PortalHandler, SerializedJson } from '../portal-context.js'
import { serializedPage } from '../search/serialized-page.js'
import { findOwed } from './owed-invoices.js'

export const findInvoices: PortalHandler<'findInvoices'> = async ({ db, account, today }, { query }) => {
  const page = await searchInvoices(db, account, query, today)
  const [owed, records] = await Promise.all([
    findOwed(db, account, page.ids),
    readRecords(db, account, 'invoice', page.ids),
  ])
  const outstanding = owed.flatMap(({ reference, outstanding: left }) => {
    const amounts = left.filter(({ amount }) => amount > 0)
    return amounts.length > 0 ? [{ reference, amounts }] : []
  })
  const gross = Array.from(records.values(), (record) => ({
    reference: record.reference,
    amounts: totalsOfRecord(record).map(grossOf),
  }))
  const { json } = serializedPage('invoices', page)
  return new SerializedJson(`${JSON.stringify({ outstanding, gross }).slice(0, -1)},${json.slice(1)}`)
}
