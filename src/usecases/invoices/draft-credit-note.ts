import type { InvoiceRecord } from '../../contract/public/invoice.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { OperatorHandler } from '../operator-context.js'
import { withinInvoice } from './credit-notes.js'
import {
  checkedLines,
  getInvoiceRecord,
  newReference,
  presentInvoice,
  refuseReference,
  saveInvoice,
} from './invoice-record.js'

export const draftCreditNote: OperatorHandler<'draftCreditNote'> = async ({ tx, account }, { params, body }) => {
  const invoice = await getInvoiceRecord(tx, account, params.reference)
  if (invoice.type === 'credit_note') {
    throw invalid([{ pointer: '/reference', detail: 'is a credit note: only an invoice can be credited' }])
  }
  if (invoice.draft) throw new Refusal('invoice_is_draft')
  const { reference = await newReference(tx, account, 'CRN'), due_date, usd_to_eur_rate } = body
  if (body.reference !== undefined) await refuseReference(tx, account, reference)
  const lines = await checkedLines(tx, account, { ...body, credited_invoice: invoice.reference }, 'credit_note')
  const note: InvoiceRecord = {
    reference,
    svc_shipment_id: invoice.svc_shipment_id,
    type: 'credit_note',
    status: 'new',
    due_date,
    lines,
    usd_to_eur_rate,
    draft: true,
    credited_invoice: invoice.reference,
  }
  await saveInvoice(tx, account, await withinInvoice(tx, account, note))
  return presentInvoice(tx, account, reference)
}
