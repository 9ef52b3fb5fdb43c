import { normalReference } from '../../domain/messages/references.js'
import { findReferencedShipments } from '../../store/shipment-references.js'
import type { OperatorHandler } from '../operator-context.js'

const most = 100

export const lookUpReference: OperatorHandler<'lookUpReference'> = async ({ db }, { query }) => {
  const reference = normalReference(query.reference)
  const found = await findReferencedShipments(db, [reference], most)
  return {
    reference,
    shipments: found.map(({ account, svc_shipment_id, kind, status }) => ({
      account,
      svc_shipment_id,
      kind,
      ...(status !== null && { status }),
    })),
  }
}
