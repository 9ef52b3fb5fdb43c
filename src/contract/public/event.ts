import { type Static, Type } from 'typebox'
import { take } from '../operation.js'
import { closed, named, oneOf } from '../schema.js'

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
] as const
export type EventType = (typeof eventTypes)[number]

export const eventChanges = ['created', 'updated', 'removed'] as const

export const ChangeEvent = named(
  'ChangeEvent',
  {
    id: Type.String({ description: 'Identifies the event: one that is delivered twice has the same.' }),
    type: oneOf(eventTypes),
    at: Type.String({ format: 'date-time', description: 'When it was recorded, in UTC.' }),
    revision: Type.Integer({ description: 'The revision of the account. Changes of one write have the same.' }),
    object: closed({
      kind: oneOf(eventKinds),
      id: Type.String({
        description: 'As in the path of the resource: `svc_shipment_id`, `reference`, `id` or `exception_id`.',
      }),
    }),
    what: oneOf(eventChanges, {
      description: '`removed`: it is no longer in the list of its kind.',
    }),
  },
  {
    state: Type.Unknown({
      description:
        'With `include=object`: the resource as it is now, as its own operation returns it. Absent if there is none any more.',
    }),
  },
)
export type ChangeEvent = Static<typeof ChangeEvent>

export const Events = named('Events', {
  events: Type.Array(ChangeEvent),
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
}

export const EventQuery = closed(
  {},
  { ...eventQuery, include: oneOf(['object'], { description: 'Adds the resource as it is now, as `state`.' }) },
)
