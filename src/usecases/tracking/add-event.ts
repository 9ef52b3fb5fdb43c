import { Refusal } from '../../contract/refusals.js'
import { stepOfEvent } from '../../domain/tracking/inline-events.js'
import { hadEntry } from '../../ledger/tracking-history.js'
import type { OperatorHandler } from '../operator-context.js'
import { newEntryId, nextSequence, refuseUnknownContainer, refuseUnknownStep, withQuarantine } from './event-rules.js'
import { withWarnings } from './event-warnings.js'
import { writeEvents } from './event-writes.js'
import { getKnownTracking } from './tracking-record.js'
import { trackingAfterWrite } from './tracking-state.js'

export const addEvent: OperatorHandler<'addEvent'> = async (
  { tx, account },
  { params: { svc_shipment_id: shipment }, body },
) => {
  const { event_id = newEntryId('evt'), ...given } = body
  const event = withQuarantine(given, tx.at)
  const [known, wasUsed] = await Promise.all([
    getKnownTracking(tx.sql, account, shipment),
    hadEntry(tx.sql, account, 'tracking_event', shipment, event_id),
  ])
  const { record, entries } = known
  refuseUnknownStep(record, event.step)
  refuseUnknownContainer(known, event.container_number)
  if (wasUsed || stepOfEvent(record, event_id) !== undefined) throw new Refusal('event_exists')
  const added = { svc_shipment_id: shipment, event_id, sequence: nextSequence(entries.events), ...event }
  await writeEvents(tx, known, record, { put: [{ record: added, before: undefined }] })
  return withWarnings(await trackingAfterWrite(tx, account, shipment), event_id, known.shipment?.freight_mode)
}
