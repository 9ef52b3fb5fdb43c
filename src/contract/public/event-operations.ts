import { EventQuery, Events } from './event.js'

/** What changed: an extension of the interface. */
export const eventOperations = {
  listEvents: {
    method: 'GET',
    path: '/v1/events',
    kind: 'shipment',
    renderedFrom: ['shipment', 'purchase_order', 'location', 'invoice', 'tracking', 'document', 'exception'],
    validatedByContent: true,
    isFeed: true,
    summary: 'Read what changed in the account, each change once and in order: an extension of the interface',
    query: EventQuery,
    success: { status: 200, body: Events },
    refusals: ['cursor_expired'],
  },
} as const
