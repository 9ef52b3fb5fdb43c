import { type Static, Type } from 'typebox'
import { closed, Identifier, named, oneOf } from '../schema.js'
import { RequiredDocumentType } from './checklist.js'
import { eventCodes } from './event-codes.js'
import { DateWithTime, Price, SimpleDate } from './shared-types.js'

/** An extension of the interface: what needs somebody's attention. */

export const exceptionKinds = [
  'late',
  'eta_slip',
  'milestone_overdue',
  'rolled',
  'missed_connection',
  'hold',
  'dwell',
  'free_time',
  'free_time_disagreement',
  'missing_document',
  'order_at_risk',
  'no_news',
  'conflict',
  'invoice_overdue',
  'unbilled',
] as const
export type ExceptionKind = (typeof exceptionKinds)[number]
export const ExceptionKind = oneOf(exceptionKinds)

export const severities = ['info', 'warning', 'critical'] as const
export type Severity = (typeof severities)[number]
export const Severity = oneOf(severities)

export const exceptionStates = ['open', 'acknowledged', 'snoozed', 'closed'] as const

/** How one ended: its condition did, or somebody closed, waived or accepted it. */
export const closings = ['cleared', 'acknowledged', 'accepted', 'closed', 'waived'] as const
export type Closing = (typeof closings)[number]

const milestones = ['pickup_date', 'departure_date', 'arrival_date', 'delivery_date'] as const

/** The sentences that give a reason; each has its values in `details`. */
export const reasonKeys = [
  'late_by_dates',
  'late_today',
  'date_moved',
  'milestone_overdue',
  'rolled',
  'not_loaded',
  'later_sailing',
  'connection_departed',
  'connection_short',
  'held',
  'inspected',
  'dwelling',
  'free_time_ending',
  'free_time_passed',
  'free_time_disagrees',
  'document_missing',
  'order_late',
  'order_unassigned',
  'order_short',
  'no_news',
  'conflicting_dates',
  'invoice_overdue',
  'unbilled',
] as const
export type ReasonKey = (typeof reasonKeys)[number]

export const ExceptionDetails = named(
  'ExceptionDetails',
  {},
  {
    milestone: oneOf(milestones),
    date: DateWithTime,
    previous_date: DateWithTime,
    other_date: DateWithTime,
    desired_date: SimpleDate,
    day: SimpleDate,
    other_day: SimpleDate,
    days: Type.Integer(),
    hours: Type.Integer(),
    code: oneOf(eventCodes),
    place: Type.String(),
    vessel: Type.String(),
    source: Type.String(),
    other_source: Type.String(),
    document: RequiredDocumentType,
    quantity: Type.Number(),
    amounts: Type.Array(Price),
    clock: Type.String({ description: 'The kind of free time: demurrage, detention or combined.' }),
  },
)
export type ExceptionDetails = Static<typeof ExceptionDetails>

export const ExceptionEvidence = named(
  'ExceptionEvidence',
  { code: oneOf(eventCodes) },
  { event_id: Identifier, date: DateWithTime, container_number: Type.String(), place: Type.String() },
)
export type ExceptionEvidence = Static<typeof ExceptionEvidence>

export const ThreatenedLine = named(
  'ThreatenedLine',
  { po_number: Identifier, line: Identifier, quantity: Type.Number() },
  {
    sku: Type.String(),
    desired_date: SimpleDate,
    expected_date: DateWithTime,
    days_late: Type.Integer({
      description: 'Days from the desired date to the expected one; negative if it is early.',
    }),
  },
)
export type ThreatenedLine = Static<typeof ThreatenedLine>

const by = Type.String({
  description: 'A key or a user of the account, `forwarder` or an operator, or `waybill`: the service itself.',
})

const subject = {
  svc_shipment_id: Identifier,
  container_number: Type.String(),
  po_number: Identifier,
  invoice_reference: Identifier,
}

export const ExceptionAcknowledgement = closed({ at: DateWithTime, by }, { note: Type.String() })
export const ExceptionClosing = closed(
  { at: DateWithTime, how: oneOf(closings), by },
  { reason: Type.String(), evidence: Type.Array(ExceptionEvidence) },
)

export const exceptionFields = {
  exception_id: Identifier,
  thread: Type.String({ description: 'What is wrong with what: the same for every episode of it.' }),
  episode: Type.Integer({ minimum: 1, description: 'How often it has been raised, up to this one.' }),
  kind: ExceptionKind,
  severity: Severity,
  state: oneOf(exceptionStates),
  reason: Type.String({ description: 'In one sentence.' }),
  reason_key: oneOf(reasonKeys, { description: 'Which sentence it is, for other languages.' }),
  details: ExceptionDetails,
  since: Object.assign({ ...DateWithTime }, { description: 'Since when it is so, as far as is known.' }),
  raised_at: DateWithTime,
  evidence: Type.Array(ExceptionEvidence, { description: 'The events from which it follows.' }),
  threatens: Type.Array(ThreatenedLine, { description: 'The order lines that it puts at risk.' }),
}
export const exceptionExtras = {
  ...subject,
  from_history: Type.Boolean({ description: 'It was so before this service knew of it: nobody is notified.' }),
  more_threatened: Type.Integer({ minimum: 1, description: 'Number of lines that are not listed.' }),
  acknowledged: ExceptionAcknowledgement,
  closed: ExceptionClosing,
}

/** As customers see it. */
export const Exception = named('Exception', exceptionFields, exceptionExtras)
export type Exception = Static<typeof Exception>

export const ExceptionNote = named('ExceptionNote', {}, { note: Type.String({ minLength: 1, maxLength: 1000 }) })

/** Which exceptions a list returns. */
export const exceptionFilter = {
  kind: ExceptionKind,
  severity: Severity,
  svc_shipment_id: Identifier,
  po_number: Object.assign(
    { ...Identifier },
    { description: 'Of this order, or of a shipment whose delay threatens it.' },
  ),
  state: oneOf(['open', 'closed'] as const, {
    description: '`open`: whatever is not closed, also if it is acknowledged. Both if it is omitted.',
  }),
}
