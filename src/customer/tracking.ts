import { Refusal } from '../contract/refusals.js'
import { findTracking } from '../storage/tracking.js'
import type { Handlers } from './handlers.js'

export const trackingHandlers: Handlers<'getTracking'> = {
  async getTracking({ ask, account }, { params }) {
    const tracking = await ask((db) => findTracking(db, account, params.svc_shipment_id))
    if (!tracking) throw new Refusal('tracking_not_found')
    return tracking
  },
}
