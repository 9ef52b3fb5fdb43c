import type { TrackingEventRecord, TrackingRecord } from '../../contract/public/tracking.js'
import { Refusal } from '../../contract/refusals.js'
import { namedSteps } from '../../domain/tracking/tracking.js'
import type { OperatorHandler } from '../operator-context.js'
import { plannedSteps } from './tracking-plan.js'
import { findKnownTracking, putTracking } from './tracking-record.js'
import { refuseOtherTracking } from './tracking-revision.js'
import { trackingAfterWrite } from './tracking-state.js'

/** Replaces the steps of a tracking, or begins one. */
export const planTracking: OperatorHandler<'planTracking'> = async (
  { tx, account },
  { params: { svc_shipment_id: shipment }, query: { revision }, body: { steps } },
) => {
  await refuseOtherTracking(tx.sql, account, shipment, revision)
  const known = await findKnownTracking(tx.sql, account, shipment)
  if (!known.shipment) throw new Refusal('shipment_not_found')
  const before = known.record ?? { svc_shipment_id: shipment }
  const planned = await plannedSteps(tx.sql, account, steps, before)
  refuseLostEvents(before, planned, known.entries.events)
  await putTracking(tx, known, { ...before, tracking_steps: planned })
  return trackingAfterWrite(tx, account, shipment)
}

// Events refer to their step by its name: without the step they would be lost.
function refuseLostEvents(before: TrackingRecord, planned: { id: string }[], events: TrackingEventRecord[]): void {
  const kept = new Set(planned.map(({ id }) => id))
  const withInline = namedSteps(before).filter((step) => step.events?.length)
  const lost = new Set(
    [...withInline.map(({ id }) => id), ...events.map(({ step }) => step)].filter((id) => !kept.has(id)),
  )
  if (lost.size === 0) return
  throw new Refusal('step_has_events', `The plan leaves out steps that have events: ${[...lost].join(', ')}.`)
}
