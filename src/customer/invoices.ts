import { Refusal } from '../contract/refusals.js'
import { findInvoice, listInvoices } from '../storage/invoices.js'
import { bodiesOf, type Handlers } from './handlers.js'

export const invoiceHandlers: Handlers<'listInvoices' | 'getInvoice'> = {
  async listInvoices({ ask, account }, { query }) {
    return bodiesOf(listInvoices(ask, account, { skip: query.skip ?? 0, take: query.take }))
  },

  async getInvoice({ ask, account }, { params }) {
    const invoice = await ask((db) => findInvoice(db, account, params.reference))
    if (!invoice) throw new Refusal('invoice_not_found')
    return invoice
  },
}
