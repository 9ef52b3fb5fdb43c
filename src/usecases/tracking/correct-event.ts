import { Refusal } from '../../contract/refusals.js'
import { inlineEvent, withCorrectedEvent } from '../../domain/tracking/inline-events.js'
import type { OperatorHandler } from '../operator-context.js'
import { expectedDate, refuseUnknownContainer, refuseUnknownStep, withQuarantine } from './event-rules.js'
import { withWarnings } from './event-warnings.js'
import { writeEvents } from './event-writes.js'
import { getKnownTracking, putTracking } from './tracking-record.js'
import { refuseOtherEvent } from './tracking-revision.js'
import { trackingAfterWrite } from './tracking-state.js'

/** Corrects an event, whether it was added alone or came with the whole tracking. */
export const correctEvent: OperatorHandler<'correctEvent'> = async (
  { tx, account },
  { params: { svc_shipment_id: shipment, event_id }, query: { revision }, body: { reason, ...given } },
) => {
  await refuseOtherEvent(tx.sql, account, { svc_shipment_id: shipment, event_id }, revision)
  const event = withQuarantine(given, tx.at)
  const known = await getKnownTracking(tx.sql, account, shipment)
  const { record, entries } = known
  refuseUnknownStep(record, event.step)
  const stored = entries.events.find((each) => each.event_id === event_id)
  const before = stored ?? inlineEvent(record, event_id)
  if (!before) throw new Refusal('event_not_found')
  // An unchanged container is accepted: an import may have stored one that the shipment does not have.
  if (event.container_number !== before.container_number) refuseUnknownContainer(known, event.container_number)
  if (stored) {
    const corrected = { svc_shipment_id: shipment, event_id, sequence: stored.sequence, ...event }
    await writeEvents(tx, known, record, { put: [{ record: corrected, before: stored, what: 'corrected', reason }] })
  } else {
    const { step, ...content } = event
    const corrected = withCorrectedEvent(record, event_id, step, content)
    await putTracking(tx, known, corrected, { what: 'corrected', reason, withdrawn: [expectedDate(before)] })
  }
  return withWarnings(await trackingAfterWrite(tx, account, shipment), event_id, known.shipment?.freight_mode)
}
