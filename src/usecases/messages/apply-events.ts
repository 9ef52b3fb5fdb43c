import type { EventOutcome } from '../../contract/operator/messages.js'
import type { EventCode } from '../../contract/public/event-codes.js'
import type { ShipmentRecord } from '../../contract/public/shipment.js'
import { mostSteps, type Party, type TrackingEventRecord, type TrackingRecord } from '../../contract/public/tracking.js'
import type { AccountId } from '../../database/account-id.js'
import { withCall, withCallsOf } from '../../domain/messages/call-order.js'
import { placeEvent, stepsOfRoute } from '../../domain/messages/event-step.js'
import type { IncomingEvent } from '../../domain/messages/incoming-event.js'
import { normalReference } from '../../domain/messages/references.js'
import { numbersOf } from '../../domain/shipments/shipment-cargo.js'
import { isQuarantined } from '../../domain/tracking/coded-events.js'
import { namedSteps } from '../../domain/tracking/tracking.js'
import { hasMoved } from '../../domain/tracking/tracking-status.js'
import * as gazetteer from '../../geography/place-names.js'
import { mapInSlices } from '../../jobs/in-slices.js'
import { findVersions } from '../../ledger/history.js'
import type { Transaction } from '../../ledger/transaction.js'
import type { PendingMessage } from '../../store/messages.js'
import { withQuarantine } from '../tracking/event-rules.js'
import { writeEvents } from '../tracking/event-writes.js'
import { findKnownTracking, movedReason } from '../tracking/tracking-record.js'
import { KnownEvents, nameOf } from './known-events.js'

/** A message, and what kind of party its sender is. */
export type SentMessage = PendingMessage & { party: Party | undefined }

/** What a message says about an event of a shipment. */
export type EventChange = {
  /** Our identifier; one for each container follows from it. */
  event_id: string
  /** Undefined if it is retracted, or of another shipment by now. */
  event: IncomingEvent | undefined
  issued_at: string
}

export type AppliedChange = {
  outcome: EventOutcome
  reason?: string
  code?: EventCode
  /** Whether the version is stored, so that it need not come again. */
  isStored: boolean
}

/** Applies the changes of a message to the tracking of a shipment. */
export async function applyToShipment(
  tx: Transaction,
  account: AccountId,
  svc_shipment_id: string,
  changes: EventChange[],
  message: SentMessage,
): Promise<AppliedChange[]> {
  const known = await findKnownTracking(tx.sql, account, svc_shipment_id)
  const { shipment } = known
  if (!shipment) return changes.map(() => refused('the shipment does not exist'))
  const before = new Map(known.entries.events.map((event) => [event.event_id, event]))
  const stored = known.record ?? { svc_shipment_id, tracking_steps: stepsOfRoute(shipment) }
  const state: AppliedState = {
    shipment,
    record: stored,
    numbers: containersByReference(shipment, stored),
    events: new KnownEvents(before),
    restated: new Set(),
  }
  const results = await mapInSlices(changes, (change) => applyChange(state, change, message))
  const { all: events } = state.events
  const put = [...events.values()]
    .filter((event) => event !== before.get(event.event_id))
    .map((record) => ({ record, before: before.get(record.event_id) }))
  const remove = [...before.values()]
    .filter(({ event_id }) => !events.has(event_id))
    .map((record) => ({
      record,
      reason: `${state.restated.has(record.event_id) ? 'Restated' : 'Retracted'} by message ${message.message_id}.`,
    }))
  if (put.length === 0 && remove.length === 0) return results
  const record = withCallsOf(state.record, [...events.values()])
  const { whole, units } = await writeEvents(tx, known, record, { put, remove })
  if (!hasMoved(units)) await undoMovement(tx, account, shipment)
  const impossible = new Map(
    (whole.tracking_steps ?? [])
      .flatMap((step) => step.events?.filter(isQuarantined) ?? [])
      .map(({ id = '', quarantine }) => [nameOf({ event_id: id }), quarantine]),
  )
  return changes.map(({ event_id }, index): AppliedChange => {
    const result = results[index] as AppliedChange
    if (result.outcome !== 'applied') return result
    // It cannot be true beside the others that are known.
    const reason = impossible.get(event_id)
    return reason === undefined ? result : { ...result, outcome: 'quarantined', reason }
  })
}

/** What is known of a shipment while a message is applied to it. */
export type AppliedState = {
  shipment: ShipmentRecord
  record: TrackingRecord
  /** Its containers, and those that were replaced, as references are compared. */
  numbers: Map<string, string>
  events: KnownEvents
  restated: Set<string>
}

export function containersByReference(shipment: ShipmentRecord, { replaced_units = [] }: TrackingRecord) {
  // Events of a container that was replaced count for the other.
  const former = replaced_units.map(({ container_number }) => container_number)
  return new Map([...numbersOf(shipment), ...former].map((number) => [normalReference(number), number]))
}

export function applyChange(
  state: AppliedState,
  { event_id, event, issued_at }: EventChange,
  message: Pick<SentMessage, 'message_id' | 'sender' | 'received_at' | 'party'>,
): AppliedChange {
  const { events, shipment, numbers } = state
  const known = events.of(event_id)
  if (!event) {
    for (const each of known) events.remove(each)
    return { outcome: known.length > 0 ? 'applied' : 'unchanged', isStored: true }
  }
  // An import may have brought the event without what is known of its versions.
  if (known.some((each) => Date.parse(each.issued_at ?? '') > Date.parse(issued_at)))
    return { outcome: 'unchanged', isStored: true }
  const units = event.containers.flatMap((container) => numbers.get(container) ?? [])
  const isOfAll = event.isOfTransport && numbers.size === 0
  if (event.containers.length > 0 && units.length === 0 && !isOfAll)
    return refused(`the shipment has no container ${event.containers.join(', ')}`)
  const count = numbersOf(shipment).length
  if (event.isOfUnnamedUnit && count > 1) return refused(`it does not say which of the ${count} containers it is about`)
  const placed = placeEvent(event, state.record, shipment.freight_mode, gazetteer)
  if (typeof placed === 'string') return refused(placed)
  if (placed.proposed && (state.record.tracking_steps ?? []).length >= mostSteps)
    return refused(`its tracking has ${mostSteps} steps already`)
  if (placed.proposed)
    state.record = { ...state.record, tracking_steps: withCall(namedSteps(state.record), placed.proposed) }
  const { step, code } = placed
  for (const each of known) events.remove(each)
  let quarantine: string | undefined
  for (const container_number of units.length > 0 ? units : [undefined]) {
    const id = units.length > 1 ? `${event_id}.${container_number}` : event_id
    const { description, date, zone, precision, status, sourceId, sourceCode } = event
    const stated = {
      svc_shipment_id: shipment.svc_shipment_id,
      event_id: id,
      sequence: known.find((each) => each.event_id === id)?.sequence ?? events.takeSequence(),
      step,
      description,
      date,
      ...(zone !== undefined && { zone }),
      ...(precision !== undefined && { precision }),
      status,
      ...(container_number !== undefined && { container_number }),
      code,
      issued_at,
      source: message.sender,
      ...(sourceId !== undefined && { source_event_id: sourceId }),
      ...(sourceCode !== '' && { source_code: sourceCode }),
      message_id: message.message_id,
      ...(message.party !== undefined && { party: message.party }),
      ...event.details,
    }
    const record: TrackingEventRecord = withQuarantine(stated, message.received_at)
    const restated = events.restated(record)
    // The newer statement counts, whichever comes first.
    if (restated && isKnownLater(restated, record))
      return { outcome: 'unchanged', reason: 'it was restated by some hours since', code, isStored: true }
    if (restated) {
      events.remove(restated)
      state.restated.add(restated.event_id)
    }
    quarantine = record.quarantine
    events.put(record)
  }
  if (quarantine !== undefined) return { outcome: 'quarantined', reason: quarantine, code, isStored: true }
  return { outcome: 'applied', code, isStored: true }
}

/** Whether the one counts, of two statements of the same. Issued together, one of them wins, whichever comes first. */
function isKnownLater(one: TrackingEventRecord, other: TrackingEventRecord): boolean {
  const issued = Date.parse(one.issued_at ?? '') - Date.parse(other.issued_at ?? '')
  const later = issued || Date.parse(one.date ?? '') - Date.parse(other.date ?? '')
  return later === 0 ? one.event_id > other.event_id : later > 0
}

function refused(reason: string): AppliedChange {
  return { outcome: 'quarantined', reason, isStored: false }
}

/** A shipment that only a retracted event had put in progress is booked again. */
async function undoMovement(tx: Transaction, account: AccountId, shipment: ShipmentRecord): Promise<void> {
  const { svc_shipment_id, status } = shipment
  if (status !== 'in_progress') return
  const version = (await findVersions(tx.sql, account, 'shipment', [svc_shipment_id])).get(svc_shipment_id)
  if (version?.reason !== movedReason) return
  const reason = 'What had moved it was retracted.'
  tx.put('shipment', [{ record: { ...shipment, status: 'booked' }, before: shipment, reason }])
}
