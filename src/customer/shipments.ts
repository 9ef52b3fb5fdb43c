import { Refusal } from '../contract/refusals.js'
import { findShipment, readShipmentPage } from '../storage/shipments.js'
import type { Handlers } from './handlers.js'

export const shipmentHandlers: Handlers<'listShipments' | 'getShipment'> = {
  async listShipments({ db, account }, { query }) {
    const { skip = 0, take = 10 } = query
    const rows = await readShipmentPage(db, account, { skip, take })
    // Interface 4.1: no shipments found is a 404, unlike every other list.
    if (rows.length === 0) throw new Refusal('no_shipments_found')
    const page = rows.map((row) => row[0] as Buffer)
    return { stretches: oneStretch(page) }
  },

  async getShipment({ db, account }, { params }) {
    const shipment = await findShipment(db, account, params.svc_shipment_id)
    if (!shipment) throw new Refusal('shipment_not_found')
    return shipment
  },
}

async function* oneStretch(bodies: Buffer[]): AsyncGenerator<Buffer[]> {
  yield bodies
}
