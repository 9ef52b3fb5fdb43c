import { normalReference } from '../../domain/messages/references.js'
import { findInvoicesByNumber, findOrdersByReference } from '../../store/numbers-of-all-accounts.js'
import { findReferencedShipments } from '../../store/shipment-references.js'
import type { OperatorHandler } from '../operator-context.js'

const most = 100

export const lookUpReference: OperatorHandler<'lookUpReference'> = async ({ db, operator }, { query }) => {
  const reference = normalReference(query.reference)
  const written = query.reference.trim()
  const found = await findReferencedShipments(db, operator.accounts, [reference], most)
  const invoices = await findInvoicesByNumber(db, operator.accounts, written, most)
  return {
    reference,
    shipments: found.map(({ account, svc_shipment_id, kind, status }) => ({
      account,
      svc_shipment_id,
      kind,
      ...(status !== null && { status }),
    })),
    orders: await findOrdersByReference(db, operator.accounts, written, most),
    invoices: invoices.map(({ number, status, ...invoice }) => ({
      ...invoice,
      ...(number !== null && { number }),
      ...(status !== null && { status }),
    })),
  }
}
