import { searchInvoices } from '../../store/search/invoice-search.js'
import type { PortalHandler } from '../portal-context.js'
import { serializedPage } from '../search/serialized-page.js'

export const findInvoices: PortalHandler<'findInvoices'> = async ({ db, account, today }, { query }) =>
  serializedPage('invoices', await searchInvoices(db, account, query, today))
