import { type Static, Type } from 'typebox'
import { take } from '../operation.js'
import { closed, described, explained, Identifier, named } from '../schema.js'
import { EventTypeName, eventKinds, eventTypes, ObjectKind } from './event.js'
import { DateWithTime } from './shared-types.js'

/** An extension: endpoints of the account's own systems, to which events are sent. */

export const WebhookId = described(Identifier, 'The identifier of the endpoint.')
export const DeliveryId = described(Identifier, 'The identifier of the delivery.')

const settings = {
  types: Type.Array(EventTypeName, {
    maxItems: eventTypes.length,
    uniqueItems: true,
    description: 'Only events of these types. Empty: all.',
  }),
  kinds: Type.Array(ObjectKind, {
    maxItems: eventKinds.length,
    uniqueItems: true,
    description: 'Only events about these kinds of resources. Empty: all.',
  }),
  ordered: Type.Boolean({
    description:
      'Whether each event is sent only after the one before it was received. Otherwise several are under way at once, and one that fails does not delay the others.',
  }),
}
const url = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'Where events are sent to: starts with `https://`, and leads to a public address.',
})
const description = Type.String({ maxLength: 500, description: 'What the endpoint is for. Empty: no description.' })

export const WebhookCreate = named('WebhookCreate', { url }, { ...settings, description })
export const WebhookUpdate = named('WebhookUpdate', {}, { url, ...settings, description })

const webhookStates = ['active', 'paused', 'disabled'] as const
const State = explained(webhookStates, 'Whether events are sent.', {
  active: 'Events are sent.',
  paused: 'The account paused it. What happens meanwhile is sent when it is resumed.',
  disabled: 'It was disabled: `disabled_reason` says why. Resumed, it goes on where it was.',
})

export const disabledReasons = ['gone', 'failing', 'forwarder', 'no_secret'] as const
export type DisabledReason = (typeof disabledReasons)[number]

export const Webhook = named(
  'Webhook',
  {
    webhook_id: WebhookId,
    url: described(url, 'Where events are sent to.'),
    ...settings,
    state: State,
    created_at: described(DateWithTime, 'When it was created, in UTC.'),
    created_by: Type.String({ description: 'Who created it: `person:` or `key:` and an identifier.' }),
    position: described(
      closed({
        revision: Type.Integer({
          description: 'Events up to this revision of the account were sent, or wait for another attempt.',
        }),
        waiting: Type.Integer({ minimum: 0, description: 'How many deliveries wait for another attempt.' }),
      }),
      'How far it is.',
    ),
  },
  {
    description: Type.String({ description: 'What the endpoint is for.' }),
    created_by_name: Type.String({ description: 'The name of the person who created it.' }),
    disabled_reason: explained(disabledReasons, 'Why it is disabled.', {
      gone: 'The endpoint responded with 410.',
      failing: 'Nothing could be delivered for 5 days.',
      forwarder: 'The forwarder disabled it.',
      no_secret: 'It has no secret, as after a backup was restored: rotate the secret.',
    }),
    failing_since: described(DateWithTime, 'When deliveries began to fail. Absent if the last one succeeded.'),
    last_success_at: described(DateWithTime, 'When the last delivery succeeded, in UTC.'),
    old_secret_until: described(DateWithTime, 'Until when requests are signed with an earlier secret, too.'),
  },
)
export type Webhook = Static<typeof Webhook>

const secret = Type.String({ description: 'Verifies signatures: `whsec_` and base64. It is shown only now.' })

export const WebhookWithSecret = named('WebhookWithSecret', {
  webhook: described(Webhook, 'The endpoint.'),
  secret,
})

export const SecretRotation = named(
  'WebhookSecretRotation',
  {},
  {
    overlap_hours: Type.Integer({
      minimum: 0,
      maximum: 168,
      default: 24,
      description: 'For how many hours requests are signed with the old secret, too.',
    }),
  },
)

export const WebhookReplay = named(
  'WebhookReplay',
  {},
  {
    from: described(DateWithTime, 'Send again what happened since then. Instead of `event_id`.'),
    event_id: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Send again this event and all that happened after it. Instead of `from`.',
    }),
  },
)

export const deliveryStates = ['waiting', 'delivered', 'failed', 'dropped'] as const

const DeliveryState = explained(deliveryStates, 'What became of it.', {
  waiting: 'It will be sent, or sent again.',
  delivered: 'The endpoint responded with a status from 200 to 299.',
  failed: 'All attempts failed.',
  dropped: 'It waited when events were replayed.',
})

export const WebhookDelivery = named(
  'WebhookDelivery',
  {
    delivery_id: DeliveryId,
    event_id: Type.String({ description: 'The event, as in the change feed: the header `webhook-id`.' }),
    type: Type.String({ description: 'The type of the event; `webhook.test` for a test.' }),
    state: DeliveryState,
    created_at: described(DateWithTime, 'When it was first sent, or asked for, in UTC.'),
    attempts: Type.Integer({ minimum: 0, description: 'How often it was sent.' }),
    request: described(
      closed(
        { body: Type.String({ description: 'The body, as it is sent.' }) },
        {
          url: Type.String({ description: 'Where it was last sent to.' }),
          at: described(DateWithTime, 'When it was last sent, in UTC.'),
        },
      ),
      'What is sent.',
    ),
  },
  {
    next_attempt_at: described(DateWithTime, 'When it is sent next, at the earliest.'),
    response: described(
      closed(
        { milliseconds: Type.Integer({ minimum: 0, description: 'How long it took.' }) },
        {
          status: Type.Integer({ description: 'The status of the response. Absent if there was none.' }),
          body: Type.String({ description: 'The first 2 KB of the response.' }),
          error: Type.String({ description: 'Why the attempt failed.' }),
        },
      ),
      'How the endpoint responded to the last attempt.',
    ),
  },
)
export type WebhookDelivery = Static<typeof WebhookDelivery>

export const deliveryQuery = closed(
  {},
  {
    state: DeliveryState,
    before: described(Identifier, 'Only deliveries older than this one: `delivery_id` of the last one of a page.'),
    take: take(100, { default: 20 }),
  },
)

export const RemovedWebhook = named('RemovedWebhook', {
  webhook_id: described(WebhookId, 'The endpoint that was removed.'),
})
