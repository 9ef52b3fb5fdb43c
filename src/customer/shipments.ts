import { Refusal } from '../contract/refusals.js'
import { findShipment, findShipmentPage } from '../storage/shipments.js'
import type { Handlers } from './handlers.js'

export const shipmentHandlers: Handlers<'listShipments' | 'getShipment'> = {
  async listShipments({ ask, account }, { query }) {
    const { skip = 0, take = 10 } = query
    const bodies = await ask((db) => findShipmentPage(db, account, { skip, take }))
    // Interface 4.1: no shipments found is a 404, unlike every other list.
    if (!bodies) throw new Refusal('no_shipments_found')
    return { bodies }
  },

  async getShipment({ ask, account }, { params }) {
    const shipment = await ask((db) => findShipment(db, account, params.svc_shipment_id))
    if (!shipment) throw new Refusal('shipment_not_found')
    return shipment
  },
}
