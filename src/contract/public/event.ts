import { type Static, Type } from 'typebox'
import { take } from '../operation.js'
import { closed, described, explained, named } from '../schema.js'

/** The change feed, an extension of the interface: what happened to the resources of an account. */

export const eventKinds = [
  'shipment',
  'purchase_order',
  'location',
  'invoice',
  'tracking',
  'document',
  'document_proposal',
  'exception',
  'webhook',
  'message',
] as const
export type EventKind = (typeof eventKinds)[number]

export const eventTypes = [
  'shipment.created',
  'shipment.updated',
  'purchase_order.created',
  'purchase_order.updated',
  'location.created',
  'location.updated',
  'location.removed',
  'invoice.issued',
  'invoice.updated',
  'invoice.removed',
  'tracking.created',
  'tracking.updated',
  'document.created',
  'document.updated',
  'document.removed',
  'document_proposal.created',
  'document_proposal.updated',
  'exception.raised',
  'exception.updated',
  'exception.cleared',
  'exception.removed',
  'webhook.disabled',
  'message.created',
] as const
export type EventType = (typeof eventTypes)[number]

export const eventChanges = ['created', 'updated', 'removed'] as const

export const EventTypeName = explained(eventTypes, 'What happened, and to which kind of resource.', {
  'shipment.created': 'A shipment is new.',
  'shipment.updated': 'A shipment differs, also by what follows from its tracking, such as its dates.',
  'purchase_order.created': 'An order is new.',
  'purchase_order.updated': 'An order differs, or what of it was assigned to shipments.',
  'location.created': 'A location is new.',
  'location.updated': 'A location differs.',
  'location.removed': 'A location was retired.',
  'invoice.issued': 'The forwarder issued an invoice or a credit note.',
  'invoice.updated': 'An issued invoice differs, such as by a payment.',
  'invoice.removed': 'An issued invoice was withdrawn.',
  'tracking.created': 'The tracking of a shipment began.',
  'tracking.updated': 'The tracking of a shipment differs: an event, a position or a date.',
  'document.created': 'The forwarder added a document.',
  'document.updated': 'A document differs.',
  'document.removed': 'A document was removed.',
  'document_proposal.created': 'A document was proposed to the forwarder.',
  'document_proposal.updated': 'The forwarder accepted or returned a proposed document.',
  'exception.raised': 'Something needs attention.',
  'exception.updated': 'An open exception differs: its severity, reason, owner or state.',
  'exception.cleared': 'An exception has ended, or was closed.',
  'exception.removed': 'An exception is no longer shown to the account.',
  'webhook.disabled': 'An endpoint for webhooks was disabled: nothing is sent to it until it is resumed.',
  'message.created': 'Somebody of the account or of the forwarder sent a message about a shipment or an order.',
})

export const ObjectKind = explained(eventKinds, 'Which kind of resource it is.', {
  shipment: 'A shipment.',
  purchase_order: 'A purchase order.',
  location: 'A location.',
  invoice: 'An invoice or a credit note.',
  tracking: 'The tracking of a shipment.',
  document: 'A document of the forwarder.',
  document_proposal: 'A document that was proposed to the forwarder.',
  exception: 'Something that needs attention.',
  webhook: 'An endpoint for webhooks.',
  message: 'A message about a shipment or an order.',
})

export const ChangeEvent = named(
  'ChangeEvent',
  {
    id: Type.String({ description: 'Identifies the event: one that is delivered twice has the same.' }),
    type: EventTypeName,
    at: Type.String({ format: 'date-time', description: 'When it was recorded, in UTC.' }),
    revision: Type.Integer({ description: 'The revision of the account. Changes of one write have the same.' }),
    object: described(
      closed({
        kind: ObjectKind,
        id: Type.String({
          description:
            'As in the path of the resource: `svc_shipment_id`, `reference`, `id`, `exception_id`, `webhook_id` or `message_id`.',
        }),
      }),
      'What the event is about.',
    ),
    what: explained(eventChanges, 'What happened to it.', {
      created: 'It is new in the list of its kind.',
      updated: 'It differs from before.',
      removed: 'It is no longer in the list of its kind.',
    }),
  },
  {
    changed: Type.Array(Type.String(), {
      description:
        'Of an update: which top-level fields of the resource it concerns. Those that follow from other records, such as `main_tracking_dates` of a shipment, may be as before. Absent: not known.',
    }),
    state: Type.Unknown({
      description:
        'With `include=object`: the resource as it is now, as its own operation returns it. Absent if there is none any more.',
    }),
  },
)
export type ChangeEvent = Static<typeof ChangeEvent>

export const Events = named('Events', {
  events: Type.Array(ChangeEvent, {
    description: 'In the order in which they happened, or the newest first if that was asked for.',
  }),
  cursor: Type.String({ description: 'Where to go on: `after` of the next request.' }),
  has_more: Type.Boolean({ description: 'Whether the next page can be requested without waiting.' }),
  retention_days: Type.Integer({ description: 'A cursor with unread changes that are older is refused.' }),
})
export type Events = Static<typeof Events>

/** Cursors contain the identifier of a change. */
const mostCursor = 4000

export const eventQuery = {
  after: Type.String({
    minLength: 1,
    maxLength: mostCursor,
    description:
      '`cursor` of the previous page; `now`: only what happens from now on. Absent: from the oldest change that is kept.',
  }),
  types: Type.String({
    minLength: 1,
    maxLength: 1000,
    description: `Only these types, separated by commas: ${eventTypes.map((type) => `\`${type}\``).join(', ')}.`,
  }),
  limit: take(1000, { default: 100, description: 'Maximum number of events to return.' }),
  wait: Type.Integer({
    minimum: 0,
    maximum: 30,
    default: 0,
    description: 'How many seconds to wait for an event if there is none yet.',
  }),
  include: explained(['object'], 'What is added to each event.', {
    object: 'The resource as it is now, as `state`.',
  }),
}

export const EventQuery = closed(
  {},
  {
    ...eventQuery,
    order: explained(['oldest_first', 'newest_first'], 'In which direction the changes are read.', {
      oldest_first: 'From the oldest on, or from `after` on to what is newer: as if it were absent.',
      newest_first:
        'From the newest back, or from `after` back to what is older; `has_more` says whether there is anything older. For a look at the last changes; without `wait`.',
    }),
  },
)
