import type { OperatorHandler } from '../operator-context.js'
import { checkedLines, newReference, presentInvoice, refuseReference, saveInvoice } from './invoice-record.js'

export const draftInvoice: OperatorHandler<'draftInvoice'> = async ({ tx, account }, { body }) => {
  const {
    reference = await newReference(tx, account, 'INV'),
    svc_shipment_id,
    due_date,
    usd_to_eur_rate,
    quoted,
  } = body
  if (body.reference !== undefined) await refuseReference(tx, account, reference)
  const lines = await checkedLines(tx, account, body, 'invoice')
  await saveInvoice(tx, account, {
    reference,
    svc_shipment_id,
    type: 'invoice',
    status: 'new',
    due_date,
    lines,
    usd_to_eur_rate,
    draft: true,
    quoted,
  })
  return presentInvoice(tx, account, reference)
}
