import { type Static, Type } from 'typebox'
import { closed, described, explained, Identifier, named } from '../schema.js'
import { RequiredDocumentType } from './checklist.js'
import { EventCode } from './event-code.js'
import { ContainerNumber, dayOf, Price, ShipmentId, timeOf } from './shared-types.js'

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
export const ExceptionKind = explained(exceptionKinds, 'Which rule raised it.', {
  late: 'The goods come, or would come, after the desired date.',
  eta_slip: 'An expected date moved by more than the threshold of its mode.',
  milestone_overdue: 'An expected date has passed, and nothing reports that it happened.',
  rolled: 'A container was left behind or moved to a later sailing.',
  missed_connection: 'A container misses the next vessel, or will hardly reach it.',
  hold: 'Customs or the carrier hold the goods.',
  dwell: 'Nothing has happened for long at one place.',
  free_time: 'The free time of a container ends soon, or is over and costs money.',
  free_time_disagreement: 'A last free day that was given differs from the computed one.',
  missing_document: 'A document that is needed by now is not there.',
  order_at_risk: 'Goods of an order come late, are not assigned, or were packed short.',
  no_news: 'Nothing was reported for long while the shipment is under way.',
  conflict: 'Two sources say that the same thing happened at different times.',
  invoice_overdue: 'An invoice is unpaid after its due date.',
  unbilled: 'A delivered shipment has not been invoiced.',
})

export const severities = ['info', 'warning', 'critical'] as const
export type Severity = (typeof severities)[number]
export const Severity = explained(severities, 'How urgent it is.', {
  info: 'Good to know.',
  warning: 'Somebody should look at it.',
  critical: 'Somebody has to act.',
})

export const exceptionStates = ['open', 'acknowledged', 'snoozed', 'closed'] as const
export const ExceptionState = explained(exceptionStates, 'Where it stands.', {
  open: 'The condition holds, and nobody has acknowledged it.',
  acknowledged: 'The condition holds, and somebody has acknowledged it.',
  snoozed: 'Put aside by an operator until a time. Customers see it as open.',
  closed: 'It is over, or somebody has closed it.',
})

/** How one ended: its condition did, or somebody closed, waived or accepted it. */
export const closings = ['cleared', 'acknowledged', 'accepted', 'closed', 'waived'] as const
export type Closing = (typeof closings)[number]
const How = explained(closings, 'How it ended.', {
  cleared: 'Its condition ended by itself.',
  acknowledged: 'Somebody acknowledged it: further slips are measured from the dates acknowledged.',
  accepted: 'The customer accepted the risk for the order.',
  closed: 'Somebody closed it, with a reason.',
  waived: 'The forwarder does without the missing document.',
})

const milestones = ['pickup_date', 'departure_date', 'arrival_date', 'delivery_date'] as const

export const Milestone = explained(milestones, 'Which of the four main dates of a shipment.', {
  pickup_date: 'When the goods are collected.',
  departure_date: 'When they leave the first port.',
  arrival_date: 'When they reach the last port.',
  delivery_date: 'When they are delivered.',
})

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
const ReasonKey = explained(
  reasonKeys,
  'Which sentence the reason is, with its values in `details`: for programs that write it in another language.',
  {
    late_by_dates: 'It is expected after the desired date.',
    late_today: 'The desired date has passed, and it is not delivered.',
    date_moved: 'An expected date moved.',
    milestone_overdue: 'It was expected, and nothing reports that it happened.',
    rolled: 'The carrier moved the container to a later sailing, or took it off.',
    not_loaded: 'The vessel left without the container.',
    later_sailing: 'The container is planned for another vessel, which leaves later.',
    connection_departed: 'The next vessel left without the container.',
    connection_short: 'The next vessel leaves too soon after the arrival.',
    held: 'Customs or the carrier hold it.',
    inspected: 'Customs examine it.',
    dwelling: 'Nothing has happened at the place since.',
    free_time_ending: 'The last free day is near.',
    free_time_passed: 'The last free day has passed.',
    free_time_disagrees: 'The last free day that was given is not the computed one.',
    document_missing: 'A document is missing.',
    order_late: 'Goods of the order come after its desired date.',
    order_unassigned: 'Lines of the order are not assigned to a shipment.',
    order_short: 'Less was packed than assigned.',
    no_news: 'Nothing was reported.',
    conflicting_dates: 'Two sources disagree.',
    invoice_overdue: 'The due date has passed, and something is to be paid.',
    unbilled: 'Delivered, and not invoiced.',
  },
)

export const ExceptionDetails = named(
  'ExceptionDetails',
  {},
  {
    milestone: Milestone,
    date: timeOf('The date that it is about, such as the expected one.'),
    previous_date: timeOf('The date before it moved.'),
    other_date: timeOf('What the other source says.'),
    desired_date: dayOf('When the account wanted it.'),
    day: dayOf('The day that it is about: a last free day or a due date.'),
    other_day: dayOf('The last free day that differs from it.'),
    days: Type.Integer({ description: 'How many days it is about: late, over, left or without news.' }),
    hours: Type.Integer({ description: 'How many hours it is about, where days are too long.' }),
    code: described(EventCode, 'The event from which it follows.'),
    place: Type.String({ description: 'Where: the UN/LOCODE of a port, or a city.' }),
    vessel: Type.String({ description: 'The name of the vessel that it is about.' }),
    source: Type.String({ description: 'Which source reported it.' }),
    other_source: Type.String({ description: 'Which source reported something else.' }),
    document: described(RequiredDocumentType, 'Which document is missing.'),
    quantity: Type.Number({ description: 'How many pieces of the order are concerned.' }),
    amounts: Type.Array(Price, { description: 'The money that it is about, one amount for each currency.' }),
    clock: Type.String({ description: 'The kind of free time: demurrage, detention or combined.' }),
  },
)
export type ExceptionDetails = Static<typeof ExceptionDetails>

export const ExceptionEvidence = named(
  'ExceptionEvidence',
  { code: EventCode },
  {
    event_id: described(Identifier, 'The identifier of the event. Absent if it came as part of a whole tracking.'),
    date: timeOf('When it happened, in the local time of the place.'),
    container_number: ContainerNumber,
    place: Type.String({ description: 'Where: the UN/LOCODE of a port, or a city.' }),
  },
)
export type ExceptionEvidence = Static<typeof ExceptionEvidence>

export const ThreatenedLine = named(
  'ThreatenedLine',
  {
    po_number: described(Identifier, 'The order.'),
    line: described(Identifier, 'The `reference` of its line.'),
    quantity: Type.Number({ description: 'How many pieces of the line are at risk.' }),
  },
  {
    sku: Type.String({ description: "The account's own code of the product." }),
    desired_date: dayOf('When the account wants to have them.'),
    expected_date: timeOf('When they are expected. Absent while it is unknown.'),
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
  svc_shipment_id: described(
    ShipmentId,
    'The shipment that it is about. Absent if it is about an order or invoice alone.',
  ),
  container_number: described(
    ContainerNumber,
    'The container that it is about. Absent if it is about all of the shipment.',
  ),
  po_number: described(Identifier, 'The purchase order that it is about. Absent if it is about none.'),
  invoice_reference: described(Identifier, 'The invoice that it is about. Absent if it is about none.'),
}

export const ExceptionAcknowledgement = closed(
  { at: timeOf('When somebody acknowledged it.'), by },
  { note: Type.String({ description: 'What they noted about it.' }) },
)
export const ExceptionClosing = closed(
  { at: timeOf('When it ended.'), how: How, by },
  {
    reason: Type.String({ description: 'Why, in the words of who closed it. Absent if it ended by itself.' }),
    evidence: Type.Array(ExceptionEvidence, { description: 'The events by which it ended.' }),
  },
)

export const exceptionFields = {
  exception_id: described(Identifier, 'The identifier of this episode.'),
  thread: Type.String({ description: 'What is wrong with what: the same for every episode of it.' }),
  episode: Type.Integer({ minimum: 1, description: 'How often it has been raised, up to this one.' }),
  kind: ExceptionKind,
  severity: Severity,
  state: ExceptionState,
  reason: Type.String({ description: 'Why it was raised, in one English sentence.' }),
  reason_key: ReasonKey,
  details: described(ExceptionDetails, 'The values of the reason: only those that its sentence has.'),
  since: timeOf('Since when it is so, as far as is known.'),
  raised_at: timeOf('When the service noticed it.'),
  evidence: Type.Array(ExceptionEvidence, { description: 'The events from which it follows.' }),
  threatens: Type.Array(ThreatenedLine, { description: 'The order lines that it puts at risk.' }),
}
export const exceptionExtras = {
  ...subject,
  from_history: Type.Boolean({
    description: 'It was so when an import brought its subject, or before the account was watched: nobody is notified.',
  }),
  more_threatened: Type.Integer({ minimum: 1, description: 'Number of lines that are not listed.' }),
  acknowledged: described(
    ExceptionAcknowledgement,
    'Who acknowledged it last. Absent until somebody does; kept if it got worse since, and is open again.',
  ),
  closed: described(ExceptionClosing, 'How it ended. Absent until it does.'),
}

/** As customers see it. */
export const Exception = named('Exception', exceptionFields, exceptionExtras)
export type Exception = Static<typeof Exception>

export const ExceptionNote = named(
  'ExceptionNote',
  {},
  { note: Type.String({ minLength: 1, maxLength: 1000, description: 'Anything that others should know about it.' }) },
)

/** Which exceptions a list returns. */
export const exceptionFilter = {
  kind: described(ExceptionKind, 'Only those that this rule raised.'),
  severity: described(Severity, 'Only those that are as urgent as this.'),
  svc_shipment_id: described(ShipmentId, 'Only those of this shipment.'),
  po_number: described(Identifier, 'Only those of this order, or of a shipment whose delay threatens it.'),
  state: explained(['open', 'closed'], 'Both if it is omitted.', {
    open: 'Whatever is not closed, also if it is acknowledged.',
    closed: 'What is over.',
  }),
}
