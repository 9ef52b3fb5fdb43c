import type { ShipmentRecord } from '../../contract/public/shipment.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import { chargeLine, quantitiesOf } from '../../domain/invoices/charge-quantities.js'
import { findRecord } from '../../ledger/records.js'
import { forwarderLog, recordAudit } from '../../store/audit.js'
import { deleteTemplate, findTemplate, listTemplates, saveTemplate } from '../../store/billing.js'
import { checkedLines, newReference, presentInvoice, refuseReference, saveInvoice } from '../invoices/invoice-record.js'
import type { OperatorHandler } from '../operator-context.js'

export const listChargeTemplates: OperatorHandler<'listChargeTemplates'> = async ({ db }) => listTemplates(db)

export const setChargeTemplate: OperatorHandler<'setChargeTemplate'> = async (
  { sql, actor, author },
  { params: { name }, body },
) => {
  const template = { name, ...body }
  await saveTemplate(sql, template, author)
  await recordAudit(sql, forwarderLog, actor, {
    kind: 'setting',
    action: 'setting_changed',
    details: { setting: 'charge_template', name, charges: body.charges.length },
  })
  return template
}

export const removeChargeTemplate: OperatorHandler<'removeChargeTemplate'> = async ({ sql, actor }, { params }) => {
  if (!(await deleteTemplate(sql, params.name))) throw new Refusal('template_not_found')
  await recordAudit(sql, forwarderLog, actor, {
    kind: 'setting',
    action: 'setting_changed',
    details: { setting: 'charge_template', name: params.name, removed: true },
  })
  return { removed: params.name }
}

/** A draft with the charges of a template, each with the quantity of the shipment. */
export const draftFromTemplate: OperatorHandler<'draftFromTemplate'> = async ({ tx, account }, { params, body }) => {
  const { svc_shipment_id } = params
  const shipment: ShipmentRecord | undefined = await findRecord(tx.sql, account, 'shipment', svc_shipment_id)
  if (!shipment) throw new Refusal('shipment_not_found')
  const template = await findTemplate(tx.sql, body.template)
  if (!template) throw new Refusal('template_not_found')
  const { reference = await newReference(tx, account, 'INV'), due_date } = body
  if (body.reference !== undefined) await refuseReference(tx, account, reference)
  const quantities = quantitiesOf(shipment)
  const charged = template.charges.flatMap((charge) => chargeLine(charge, quantities) ?? [])
  if (charged.length === 0) {
    throw invalid([{ pointer: '/template', detail: 'charges nothing: the shipment has none of what it counts' }])
  }
  const lines = await checkedLines(tx, account, { lines: charged, svc_shipment_id }, 'invoice')
  await saveInvoice(tx, account, {
    reference,
    svc_shipment_id,
    type: 'invoice',
    status: 'new',
    due_date,
    lines,
    draft: true,
  })
  return presentInvoice(tx, account, reference)
}
