import { Refusal } from '../../contract/refusals.js'
import { findTracking } from '../../store/tracking.js'
import type { CustomerHandler } from '../customer-context.js'

export const getTracking: CustomerHandler<'getTracking'> = async ({ ask, account }, { params }) => {
  const tracking = await ask((db) => findTracking(db, account, params.svc_shipment_id))
  if (!tracking) throw new Refusal('tracking_not_found')
  return tracking
}
