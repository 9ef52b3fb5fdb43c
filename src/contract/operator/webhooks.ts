import { type Static, Type } from 'typebox'
import { skip, take } from '../operation.js'
import { deliveryQuery, Webhook, WebhookDelivery } from '../public/webhook.js'
import { closed, Identifier, named } from '../schema.js'
import type { OperatorOperation } from './operation.js'

/** Endpoints of customers that events are sent to, as the forwarder sees them. */

const { description, created_by_name, disabled_reason, failing_since, last_success_at, old_secret_until, ...always } =
  Webhook.properties

export const AccountWebhook = named(
  'AccountWebhook',
  { account: Identifier, ...always },
  { description, created_by_name, disabled_reason, failing_since, last_success_at, old_secret_until },
)
export type AccountWebhook = Static<typeof AccountWebhook>

const webhook = closed({ account: Identifier, webhook_id: Identifier })

export const webhookOperations = {
  listWebhooks: {
    method: 'GET',
    path: '/ops/v1/webhooks',
    covers: 'own_accounts',
    tag: 'Events',
    right: 'read',
    summary: 'List the endpoints of all accounts that events are sent to, with their progress',
    query: closed(
      {},
      { account: Identifier, state: Webhook.properties.state, skip, take: take(1000, { default: 100 }) },
    ),
    success: { status: 200, body: Type.Array(AccountWebhook) },
    refusals: ['account_not_found'],
  },
  listWebhookDeliveries: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/webhooks/{webhook_id}/deliveries',
    tag: 'Events',
    right: 'read',
    summary: 'List what was sent to an endpoint within the last 7 days and how it responded, newest first',
    params: webhook,
    query: deliveryQuery,
    success: { status: 200, body: Type.Array(WebhookDelivery) },
    refusals: ['webhook_not_found'],
  },
  disableWebhook: {
    method: 'POST',
    path: '/ops/v1/accounts/{account}/webhooks/{webhook_id}/disable',
    tag: 'Events',
    right: 'operate',
    summary: 'Send nothing to an endpoint until the forwarder enables it',
    params: webhook,
    recordsAudit: true,
    success: { status: 200, body: AccountWebhook },
    refusals: ['webhook_not_found'],
  },
  enableWebhook: {
    method: 'POST',
    path: '/ops/v1/accounts/{account}/webhooks/{webhook_id}/enable',
    tag: 'Events',
    right: 'operate',
    summary: 'Go on with an endpoint that was paused or disabled, from where it was: nothing is lost',
    params: webhook,
    recordsAudit: true,
    success: { status: 200, body: AccountWebhook },
    refusals: ['webhook_not_found', 'webhook_disabled'],
  },
} as const satisfies Record<string, OperatorOperation>
