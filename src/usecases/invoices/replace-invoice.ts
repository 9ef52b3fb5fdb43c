import type { InvoiceRecord } from '../../contract/public/invoice.js'
import { Refusal } from '../../contract/refusals.js'
import type { OperatorHandler } from '../operator-context.js'
import { refuseCreditExcess, refuseReopening } from './credit-notes.js'
import { checkedLines, getInvoiceRecord, presentInvoice, saveInvoice, settle } from './invoice-record.js'

/** Replaces the content of a draft, or of an invoice in modification. */
export const replaceInvoice: OperatorHandler<'replaceInvoice'> = async ({ tx, account }, { params, body }) => {
  const record = await getInvoiceRecord(tx, account, params.reference)
  if (!record.draft && record.status !== 'in_modification') throw new Refusal('invoice_issued')
  const isNote = record.type === 'credit_note'
  const { due_date, usd_to_eur_rate } = body
  // A credit note keeps the shipment of its invoice, unless the request names another.
  const svc_shipment_id = body.svc_shipment_id ?? (isNote ? record.svc_shipment_id : undefined)
  const lines = await checkedLines(tx, account, body, record.type)
  const revised: InvoiceRecord = { ...record, svc_shipment_id, due_date, usd_to_eur_rate, lines }
  if (isNote) await refuseCreditExcess(tx, account, revised)
  if (isNote && !record.draft) await refuseReopening(tx, account, record, revised)
  await saveInvoice(tx, account, revised)
  if (!record.draft && record.credited_invoice !== undefined) await settle(tx, account, record.credited_invoice)
  return presentInvoice(tx, account, record.reference)
}
