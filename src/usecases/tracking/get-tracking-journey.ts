import type { TrackingRecord } from '../../contract/public/tracking.js'
import { Refusal } from '../../contract/refusals.js'
import { numbersOf } from '../../domain/shipments/shipment-cargo.js'
import { legsOf } from '../../domain/tracking/journey-legs.js'
import { isProposedCall } from '../../domain/tracking/proposed-calls.js'
import { namedSteps } from '../../domain/tracking/tracking.js'
import { finishInSlices } from '../../jobs/in-slices.js'
import { findRevisionAt } from '../../ledger/history.js'
import { wholeTrackingInParts } from '../../ledger/whole-tracking.js'
import type { OperatorHandler } from '../operator-context.js'
import { isTracked } from './tracking-record.js'
import { findStoredTracking } from './tracking-state.js'

/** The calls of a shipment and the legs between them. */
export const getTrackingJourney: OperatorHandler<'getTrackingJourney'> = async (
  { db, account },
  { params: { svc_shipment_id }, query: { as_of } },
) => {
  const revision = as_of === undefined ? undefined : await findRevisionAt(db, account, as_of)
  const stored = await findStoredTracking(db, account, svc_shipment_id, revision)
  if (!stored) {
    const isKnown = await isTracked(db, account, svc_shipment_id)
    throw new Refusal(isKnown ? 'version_not_found' : 'tracking_not_found')
  }
  const { version, entries, tracked } = stored
  const record = JSON.parse(version.record) as TrackingRecord
  const tracking = await finishInSlices(wholeTrackingInParts(record, entries, tracked))
  return {
    svc_shipment_id,
    calls: namedSteps(tracking).map(({ events: _events, ...step }) => ({ ...step, proposed: isProposedCall(step.id) })),
    legs: legsOf(tracking, numbersOf(tracked)).map(({ from, to, state, units, vessel, departure, arrival }) => ({
      from,
      to,
      state,
      containers: units,
      ...(vessel && { vessel }),
      ...(departure && { departure }),
      ...(arrival && { arrival }),
    })),
    replaced_units: tracking.replaced_units ?? [],
  }
}
