import { Refusal } from '../../contract/refusals.js'
import { findRevisionAt } from '../../ledger/history.js'
import type { OperatorHandler } from '../operator-context.js'
import { isTracked } from './tracking-record.js'
import { findTrackingState } from './tracking-state.js'

/** The tracking with the origin of every event, at present or at a time. */
export const getTrackingState: OperatorHandler<'getTracking'> = async (
  { db, account },
  { params: { svc_shipment_id: shipment }, query: { as_of } },
) => {
  const revision = as_of === undefined ? undefined : await findRevisionAt(db, account, as_of)
  const state = await findTrackingState(db, account, shipment, revision)
  if (state) return state
  throw new Refusal((await isTracked(db, account, shipment)) ? 'version_not_found' : 'tracking_not_found')
}
