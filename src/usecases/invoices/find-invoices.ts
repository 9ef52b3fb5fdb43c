import { searchInvoices } from '../../store/search/invoice-search.js'
import { type PortalHandler, SerializedJson } from '../portal-context.js'
import { serializedPage } from '../search/serialized-page.js'
import { findOwed } from './owed-invoices.js'

export const findInvoices: PortalHandler<'findInvoices'> = async ({ db, account, today }, { query }) => {
  const page = await searchInvoices(db, account, query, today)
  const owed = await findOwed(db, account, page.ids)
  const outstanding = owed.flatMap(({ reference, outstanding: left }) => {
    const amounts = left.filter(({ amount }) => amount > 0)
    return amounts.length > 0 ? [{ reference, amounts }] : []
  })
  const { json } = serializedPage('invoices', page)
  return new SerializedJson(`{"outstanding":${JSON.stringify(outstanding)},${json.slice(1)}`)
}
