import { Refusal } from '../../contract/refusals.js'
import { inlineEvent, stepOfEvent, withoutEvent } from '../../domain/tracking/inline-events.js'
import type { OperatorHandler } from '../operator-context.js'
import { expectedDate } from './event-rules.js'
import { writeEvents } from './event-writes.js'
import { getKnownTracking, putTracking } from './tracking-record.js'
import { refuseOtherEvent } from './tracking-revision.js'
import { trackingAfterWrite } from './tracking-state.js'

/** Removes an event, whether it was added alone or came with the whole tracking. */
export const retractEvent: OperatorHandler<'retractEvent'> = async (
  { tx, account },
  { params: { svc_shipment_id: shipment, event_id }, query: { reason, revision } },
) => {
  await refuseOtherEvent(tx.sql, account, { svc_shipment_id: shipment, event_id }, revision)
  const known = await getKnownTracking(tx.sql, account, shipment)
  const { record, entries } = known
  const stored = entries.events.find((each) => each.event_id === event_id)
  if (stored) {
    await writeEvents(tx, known, record, { remove: [{ record: stored, reason }] })
  } else {
    if (stepOfEvent(record, event_id) === undefined) throw new Refusal('event_not_found')
    const withdrawn = [expectedDate(inlineEvent(record, event_id))]
    await putTracking(tx, known, withoutEvent(record, event_id), { what: 'corrected', reason, withdrawn })
  }
  return trackingAfterWrite(tx, account, shipment)
}
