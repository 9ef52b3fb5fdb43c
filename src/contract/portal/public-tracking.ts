import { named, patterned } from '../schema.js'
import type { PortalOperation } from './operation.js'
import { SharedShipment } from './shared-shipment.js'

/** Tracking by anybody who knows a number of a shipment and one more fact about it. */

const hasCharacters = '[A-Za-z0-9].*[A-Za-z0-9]'

const TrackedNumber = named('TrackedNumber', {
  number: patterned(hasCharacters, 'must contain at least two letters or digits', {
    maxLength: 100,
    description: 'A number of the shipment: its own, of a container, a bill, a booking or an order.',
  }),
  fact: patterned(hasCharacters, 'must contain at least two letters or digits', {
    maxLength: 100,
    description:
      'A postcode of pick-up or delivery, the number of an order on the shipment, or a reference of the customer.',
  }),
})

export const publicTrackingOperations = {
  trackShipment: {
    method: 'POST',
    path: '/portal/v1/public-tracking',
    tag: 'Shipments',
    access: 'anyone',
    summary: 'Track a shipment without an account, by a number and one more fact. Off unless the forwarder offers it',
    body: TrackedNumber,
    success: { status: 200, body: SharedShipment },
    refusals: ['public_tracking_off', 'number_or_fact_wrong', 'rate_limited'],
  },
} as const satisfies Record<string, PortalOperation>
