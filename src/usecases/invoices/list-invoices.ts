import { Refusal } from '../../contract/refusals.js'
import { findInvoice, streamInvoiceBodies } from '../../store/invoices.js'
import { bodiesOf, type CustomerHandler } from '../customer-context.js'

export const listInvoices: CustomerHandler<'listInvoices'> = async ({ ask, account }, { query }) =>
  bodiesOf(streamInvoiceBodies(ask, account, { skip: query.skip ?? 0, take: query.take }))

export const getInvoice: CustomerHandler<'getInvoice'> = async ({ ask, account }, { params }) => {
  const invoice = await ask((db) => findInvoice(db, account, params.reference))
  if (!invoice) throw new Refusal('invoice_not_found')
  return invoice
}
