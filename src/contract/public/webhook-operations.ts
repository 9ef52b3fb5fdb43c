import { Type } from 'typebox'
import { closed } from '../schema.js'
import {
  DeliveryId,
  deliveryQuery,
  RemovedWebhook,
  SecretRotation,
  Webhook,
  WebhookCreate,
  WebhookDelivery,
  WebhookId,
  WebhookReplay,
  WebhookUpdate,
  WebhookWithSecret,
} from './webhook.js'

const webhook = closed({ webhook_id: WebhookId })
/** Events are about resources of all kinds. */
const ofAll = { kind: 'shipment', concernsAll: true } as const
const read = { ...ofAll, renderedFrom: ['shipment'], validatedByContent: true } as const

/** Events that are sent to the account's own systems: an extension of the interface. */
export const webhookOperations = {
  createWebhook: {
    method: 'POST',
    path: '/v1/webhooks',
    ...ofAll,
    containsSecret: true,
    summary:
      'Add an endpoint that events are sent to, from now on; the secret is shown only once: an extension of the interface',
    checksUrl: true,
    body: WebhookCreate,
    success: { status: 201, body: WebhookWithSecret },
    refusals: ['too_many_webhooks'],
  },
  listWebhooks: {
    method: 'GET',
    path: '/v1/webhooks',
    ...read,
    summary: 'List the endpoints that events are sent to: an extension of the interface',
    success: { status: 200, body: Type.Array(Webhook) },
    refusals: [],
  },
  getWebhook: {
    method: 'GET',
    path: '/v1/webhooks/{webhook_id}',
    ...read,
    summary: 'Get one endpoint, with its progress: an extension of the interface',
    params: webhook,
    success: { status: 200, body: Webhook },
    refusals: ['webhook_not_found'],
  },
  updateWebhook: {
    method: 'PATCH',
    path: '/v1/webhooks/{webhook_id}',
    ...ofAll,
    summary: 'Change the address of an endpoint, or which events it gets: an extension of the interface',
    params: webhook,
    checksUrl: true,
    body: WebhookUpdate,
    success: { status: 200, body: Webhook },
    refusals: ['webhook_not_found'],
  },
  pauseWebhook: {
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/pause',
    ...ofAll,
    summary: 'Send nothing to an endpoint until it is resumed: an extension of the interface',
    params: webhook,
    success: { status: 200, body: Webhook },
    refusals: ['webhook_not_found', 'webhook_disabled'],
  },
  resumeWebhook: {
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/resume',
    ...ofAll,
    summary:
      'Go on with an endpoint that was paused or disabled, from where it was: nothing is lost: an extension of the interface',
    params: webhook,
    success: { status: 200, body: Webhook },
    refusals: ['webhook_not_found', 'webhook_disabled'],
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/secret',
    ...ofAll,
    containsSecret: true,
    summary: 'Replace the secret of an endpoint by a new one, which is shown only once: an extension of the interface',
    params: webhook,
    body: SecretRotation,
    success: { status: 201, body: WebhookWithSecret },
    refusals: ['webhook_not_found'],
  },
  testWebhook: {
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/test',
    ...ofAll,
    summary: 'Send an event of the type `webhook.test`, once: an extension of the interface',
    params: webhook,
    success: { status: 201, body: WebhookDelivery },
    refusals: ['webhook_not_found', 'webhook_disabled', 'too_many_deliveries'],
  },
  replayWebhook: {
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/replay',
    ...ofAll,
    summary: 'Send events again, from a time or an event on: an extension of the interface',
    params: webhook,
    body: WebhookReplay,
    success: { status: 200, body: Webhook },
    refusals: ['webhook_not_found'],
  },
  listWebhookDeliveries: {
    method: 'GET',
    path: '/v1/webhooks/{webhook_id}/deliveries',
    ...read,
    summary:
      'List what was sent to an endpoint within the last 7 days and how it responded, newest first: an extension of the interface',
    params: webhook,
    query: deliveryQuery,
    success: { status: 200, body: Type.Array(WebhookDelivery) },
    refusals: ['webhook_not_found'],
  },
  resendWebhookDelivery: {
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/resend',
    ...ofAll,
    summary: 'Send a delivery again now: an extension of the interface',
    params: closed({ webhook_id: WebhookId, delivery_id: DeliveryId }),
    success: { status: 200, body: WebhookDelivery },
    refusals: ['webhook_not_found', 'delivery_not_found'],
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/v1/webhooks/{webhook_id}',
    ...ofAll,
    summary: 'Remove an endpoint with its deliveries: an extension of the interface',
    params: webhook,
    success: { status: 200, body: RemovedWebhook },
    refusals: ['webhook_not_found'],
  },
} as const
