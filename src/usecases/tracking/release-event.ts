import { Refusal } from '../../contract/refusals.js'
import { inlineEvent, stepOfEvent, withCorrectedEvent } from '../../domain/tracking/inline-events.js'
import type { OperatorHandler } from '../operator-context.js'
import { writeEvents } from './event-writes.js'
import { getKnownTracking, putTracking } from './tracking-record.js'
import { trackingAfterWrite } from './tracking-state.js'

/** An operator knows that an event is true although it seems impossible. A newer version of it is checked again. */
export const releaseEvent: OperatorHandler<'releaseEvent'> = async (
  { tx, account },
  { params: { svc_shipment_id: shipment, event_id }, body: { reason } },
) => {
  const known = await getKnownTracking(tx.sql, account, shipment)
  const { record, entries } = known
  const stored = entries.events.find((each) => each.event_id === event_id)
  const step = stepOfEvent(record, event_id)
  if (stored) {
    const put = [{ record: { ...stored, released: true }, before: stored, what: 'corrected' as const, reason }]
    await writeEvents(tx, known, record, { put })
  } else {
    const inline = inlineEvent(record, event_id)
    if (!inline || step === undefined) throw new Refusal('event_not_found')
    const { id: _id, ...content } = inline
    const released = withCorrectedEvent(record, event_id, step, { ...content, released: true })
    await putTracking(tx, known, released, { what: 'corrected', reason })
  }
  return trackingAfterWrite(tx, account, shipment)
}
