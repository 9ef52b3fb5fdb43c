/** Refusals of the operations on webhooks. */
export const webhookRefusals = {
  webhook_not_found: {
    status: 404,
    title: 'There is no such endpoint',
    explanation: 'The account has no endpoint for webhooks with this `webhook_id`.',
    remedy: 'Take identifiers from `GET /v1/webhooks`.',
  },
  delivery_not_found: {
    status: 404,
    title: 'There is no such delivery',
    explanation: 'The endpoint has no delivery with this `delivery_id`. Deliveries are kept for 7 days.',
    remedy: 'Take identifiers from the list of deliveries, or replay events from a time on.',
  },
  webhook_disabled: {
    status: 409,
    title: 'The endpoint is disabled',
    explanation:
      'The endpoint is disabled, and `disabled_reason` says why; or it is paused, and was to be tested: resume it before. Nothing was changed.',
    remedy:
      'Resume it with `POST /v1/webhooks/{webhook_id}/resume`; without a secret, rotate the secret first. If the forwarder disabled it, ask your forwarder.',
  },
  too_many_webhooks: {
    status: 409,
    title: 'Too many endpoints',
    explanation: 'The account has 20 endpoints for webhooks. Nothing was created.',
    remedy: 'Remove an endpoint that is not needed.',
  },
  too_many_deliveries: {
    status: 409,
    title: 'Too many deliveries wait',
    explanation: 'The endpoint has 1,000 deliveries that wait to be sent. Nothing was changed.',
    remedy: 'Wait until they were sent, or replay events from a later time on.',
  },
} as const
