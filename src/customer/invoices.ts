import { Refusal } from '../contract/refusals.js'
import { findInvoice, listInvoices } from '../storage/invoices.js'
import { bodiesOf, type Handlers } from './handlers.js'

export const invoiceHandlers: Handlers<'listInvoices' | 'getInvoice'> = {
  async listInvoices({ db, account }, { query }) {
    return bodiesOf(listInvoices(db, account, { skip: query.skip ?? 0, take: query.take }))
  },

  async getInvoice({ db, account }, { params }) {
    const invoice = await findInvoice(db, account, params.reference)
    if (!invoice) throw new Refusal('invoice_not_found')
    return invoice
  },
}
