import { Refusal } from '../../contract/refusals.js'
import type { OperatorHandler } from '../operator-context.js'
import { getKnownTracking, putTracking } from './tracking-record.js'
import { refuseOtherTracking } from './tracking-revision.js'
import { trackingAfterWrite } from './tracking-state.js'

/** Sets the expected date of a milestone, whatever the sources say, until it happens. */
export const pinDate: OperatorHandler<'pinDate'> = async (
  { tx, account },
  { params: { svc_shipment_id: shipment, milestone }, query: { revision }, body: { date, reason } },
) => {
  await refuseOtherTracking(tx.sql, account, shipment, revision)
  const known = await getKnownTracking(tx.sql, account, shipment)
  const { record } = known
  const pins = { ...record.pins, [milestone]: { date, reason, pinned_at: new Date(tx.at).toISOString() } }
  await putTracking(tx, known, { ...record, pins }, { reason })
  return trackingAfterWrite(tx, account, shipment)
}

export const unpinDate: OperatorHandler<'unpinDate'> = async (
  { tx, account },
  { params: { svc_shipment_id: shipment, milestone }, query: { reason } },
) => {
  const known = await getKnownTracking(tx.sql, account, shipment)
  const { pins = {}, ...record } = known.record
  const { [milestone]: pin, ...others } = pins
  if (!pin) throw new Refusal('pin_not_found')
  const kept = Object.keys(others).length > 0 ? { pins: others } : {}
  await putTracking(tx, known, { ...record, ...kept }, { reason })
  return trackingAfterWrite(tx, account, shipment)
}
