import { type Static, Type } from 'typebox'
import { eventCodes } from '../public/event-codes.js'
import { InvoiceStatus } from '../public/invoice.js'
import { DateWithTime, trackingDateStatuses } from '../public/shared-types.js'
import { ShipmentStatus } from '../public/shipment.js'
import { EventVessel, eventMode, statedFields, storedFields, timeFields } from '../public/tracking.js'
import { closed, described, Identifier, named, oneOf, patterned } from '../schema.js'

/** Messages of carriers and others about shipments, as they came in, and what became of them. */

export const messageFormats = ['dcsa', 'iftsta', 'x12', 'events', 'table'] as const
export type MessageFormat = (typeof messageFormats)[number]

export const messageOutcomes = [
  'received',
  'applied',
  'duplicate',
  'unmatched',
  'quarantined',
  'unreadable',
  'dropped',
] as const
export type MessageOutcome = (typeof messageOutcomes)[number]

export const eventOutcomes = ['applied', 'unchanged', 'kept', 'unmatched', 'quarantined', 'invalid'] as const
export type EventOutcome = (typeof eventOutcomes)[number]

export const Sender = patterned(
  '^[A-Za-z0-9][A-Za-z0-9 ._-]{0,99}$',
  'must be 1 to 100 letters, digits, spaces, dots, hyphens or underscores',
  {
    description:
      'Who sent it, such as the code of a carrier. Messages of one sender are processed in the order received.',
  },
)

export const SenderSettings = named(
  'SenderSettings',
  { party: statedFields.party },
  { name: Type.String({ minLength: 1, maxLength: 255, description: 'As people call it.' }) },
)
export type SenderSettings = Static<typeof SenderSettings>

export const SenderRecord = named('SenderRecord', { sender: Sender, ...SenderSettings.properties })

export const referenceKinds = [
  'shipment',
  'booking',
  'master_bill',
  'house_bill',
  'container',
  'purchase_order',
] as const
export type ReferenceKind = (typeof referenceKinds)[number]

const ShipmentByReference = named(
  'ShipmentByReference',
  { account: Identifier, svc_shipment_id: Identifier, kind: oneOf(referenceKinds) },
  { status: ShipmentStatus },
)

const OrderByReference = named('OrderByReference', { account: Identifier, reference: Identifier })
const InvoiceByNumber = named(
  'InvoiceByNumber',
  { account: Identifier, reference: Identifier },
  { number: Type.String(), status: InvoiceStatus },
)

export const Lookup = named('Lookup', {
  reference: Type.String({ description: 'As it is compared: in capitals, without separators.' }),
  shipments: Type.Array(ShipmentByReference, { description: 'At most 100.' }),
  orders: Type.Array(OrderByReference, { description: 'At most 100, assigned or not: as written, in any case.' }),
  invoices: Type.Array(InvoiceByNumber, {
    description: 'At most 100, by number or reference: as written, in any case.',
  }),
})

const count = Type.Integer({ minimum: 0 })
export const MessageCounts = closed(
  { events: count },
  Object.fromEntries(eventOutcomes.map((outcome) => [outcome, count])) as Record<EventOutcome, typeof count>,
)
export type MessageCounts = Static<typeof MessageCounts>

const messageFields = {
  message_id: Type.Integer(),
  sender: Type.String(),
  channel: Type.String({ description: 'How it came in.', examples: ['http'] }),
  format: oneOf(messageFormats),
  received_at: DateWithTime,
  hash: Type.String({ description: 'SHA-256 of the bytes, hexadecimal.' }),
  size: Type.Integer({ description: 'Bytes.' }),
  outcome: oneOf(messageOutcomes, {
    description:
      '`received`: stored, and to be processed; `applied`: it changed something; `duplicate`: all of it was known; `unmatched`: no single shipment fits, at least for one event; `quarantined`: at least one event is wrong or kept back; `unreadable`; `dropped` by an operator.',
  }),
  counts: MessageCounts,
}
const messageOptional = {
  reason: Type.String({ description: 'Why, where not all of it was applied.' }),
  processed_at: DateWithTime,
}

export const Message = named('Message', messageFields, messageOptional)
export type Message = Static<typeof Message>

export const MessageEvent = named(
  'MessageEvent',
  { outcome: oneOf(eventOutcomes) },
  {
    row: Type.Integer({ minimum: 1, description: 'Of a table.' }),
    reason: Type.String(),
    source_event_id: Type.String(),
    source_code: Type.String(),
    code: oneOf(eventCodes),
    status: oneOf(trackingDateStatuses),
    date: DateWithTime,
    references: Type.Array(Type.String()),
    account: Identifier,
    svc_shipment_id: Identifier,
    event_id: Type.String(),
    suggestions: Type.Array(
      closed({
        account: Identifier,
        svc_shipment_id: Identifier,
        kind: oneOf(referenceKinds),
        reference: Type.String(),
      }),
    ),
  },
)
export type MessageEvent = Static<typeof MessageEvent>

export const MessageDetails = named(
  'MessageDetails',
  { ...messageFields, events: Type.Array(MessageEvent, { description: 'In the order of the message.' }) },
  {
    ...messageOptional,
    warnings: Type.Array(Type.String(), {
      description: 'What is odd about it, with its place in the bytes. It is no reason to refuse anything.',
    }),
  },
)
export type MessageDetails = Static<typeof MessageDetails>

export const Messages = named(
  'Messages',
  { messages: Type.Array(Message) },
  { next: Type.String({ description: 'Cursor of the next page: send it as `after`.' }) },
)

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })

/**
 * An event of `format=events`: any reference in place of our identifiers. A `date` without an offset is of the clock at its
 * place, one without a time is of a day.
 */
export const EventMessageItem = named(
  'EventMessageItem',
  { description: text(1000), status: oneOf(trackingDateStatuses), date: text(40) },
  {
    reference: text(255),
    references: Type.Array(text(255), { maxItems: 20 }),
    container_number: text(64),
    code: oneOf(eventCodes),
    mode: eventMode(
      'The means of transport that it concerns. What moves by rail, truck or barge at a port does not leave or reach it by sea or air.',
    ),
    unlocode: patterned('^[A-Za-z]{2}[ /-]?[A-Za-z0-9]{3}$', 'must be a UN/LOCODE'),
    place: text(255),
    step: Identifier,
    event_id: text(255),
    ...timeFields,
    issued_at: DateWithTime,
    retracted: Type.Boolean(),
    vessel: described(EventVessel, 'On which it happened: without a container it counts for the containers on board.'),
    laden: storedFields.laden,
    facility: Type.String({ minLength: 1, maxLength: 100, description: 'Code of the terminal or depot.' }),
    delay_reason: Type.String({ minLength: 1, maxLength: 100, description: 'Code of the reason of a delay.' }),
    remark: text(1000),
  },
)
export type EventMessageItem = Static<typeof EventMessageItem>
