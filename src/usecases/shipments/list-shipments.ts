import { Refusal } from '../../contract/refusals.js'
import { findShipment, listShipmentPage } from '../../store/shipments.js'
import type { CustomerHandler } from '../customer-context.js'

export const listShipments: CustomerHandler<'listShipments'> = async ({ ask, account }, { query }) => {
  const { skip = 0, take = 10 } = query
  const page = await ask((db) => listShipmentPage(db, account, { skip, take }))
  // Interface 4.1: no shipments found is a 404, unlike every other list.
  if (page.length === 0) throw new Refusal('no_shipments_found')
  return { page }
}

export const getShipment: CustomerHandler<'getShipment'> = async ({ ask, account }, { params }) => {
  const shipment = await ask((db) => findShipment(db, account, params.svc_shipment_id))
  if (!shipment) throw new Refusal('shipment_not_found')
  return shipment
}
