import { Big } from 'big.js'
import type { TrackingPositionRecord } from '../../contract/public/tracking.js'
import { Refusal } from '../../contract/refusals.js'
import type { OperatorHandler } from '../operator-context.js'
import { newEntryId, nextSequence } from './event-rules.js'
import { findKnownTracking, putTracking } from './tracking-record.js'
import { trackingAfterWrite } from './tracking-state.js'

export const addPosition: OperatorHandler<'addPosition'> = async (
  { tx, account },
  { params: { svc_shipment_id: shipment }, body },
) => {
  const known = await findKnownTracking(tx.sql, account, shipment)
  if (!known.shipment) throw new Refusal('shipment_not_found')
  const { positions } = known.entries
  const added: TrackingPositionRecord = {
    svc_shipment_id: shipment,
    position_id: newEntryId('pos'),
    sequence: nextSequence(positions),
    ...body,
    // Interface 2.6: coordinates are strings.
    latitude: new Big(body.latitude).toFixed(),
    longitude: new Big(body.longitude).toFixed(),
  }
  tx.put('tracking_position', [{ record: added, before: undefined }])
  const entries = { ...known.entries, positions: [...positions, added] }
  await putTracking(tx, { ...known, entries }, known.record ?? { svc_shipment_id: shipment })
  return trackingAfterWrite(tx, account, shipment)
}
