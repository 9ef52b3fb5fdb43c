import { type Static, Type } from 'typebox'
import { take } from '../operation.js'
import { ExceptionDetails, ExceptionKind, reasonKeys, Severity } from '../public/exception.js'
import { ContainerNumber, DateWithTime } from '../public/shared-types.js'
import { closed, explained, Identifier, named, oneOf, patterned } from '../schema.js'
import { changeTypes, deliveries, mostUnread, scopes, stages } from './notification-kinds.js'
import type { PortalOperation } from './operation.js'
import { Accepted } from './people.js'

/** What people want to be notified of, by mail and in the portal, and their notifications. */

const notificationId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

const ScopeName = explained(scopes, 'What the subscription covers.', {
  all: 'Everything of the account.',
  view: 'What a saved view of shipments or orders lists at the time.',
  shipment: 'One shipment, with its tracking, documents, invoices and exceptions.',
  purchase_order: 'One order, with its exceptions.',
})

const DeliveryName = explained(deliveries, 'How the user is notified. The portal lists all of them.', {
  at_once: 'By a mail for each, outside of quiet hours.',
  daily: 'By a mail a day with all of them.',
  weekly: 'By a mail a week with all of them.',
  portal: 'In the portal only.',
})

const exceptions = Type.Array(ExceptionKind, {
  uniqueItems: true,
  maxItems: 50,
  description: 'Kinds of exceptions: when one is raised, gets worse, or ends.',
})
const changes = Type.Array(oneOf(changeTypes), {
  uniqueItems: true,
  maxItems: 50,
  description: 'Kinds of changes, as in the change feed. Changes that the user made are left out.',
})
const id = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'The view, the shipment (`svc_shipment_id`) or the order (`reference`). Absent for `all`.',
})

export const Subscription = named(
  'Subscription',
  { subscription_id: Identifier, scope: ScopeName, exceptions, changes, delivery: DeliveryName },
  { id, name: Type.String({ description: 'The name of the view or the shipment.' }) },
)
export type Subscription = Static<typeof Subscription>
const SubscriptionCreate = named(
  'SubscriptionCreate',
  { scope: ScopeName, exceptions, changes, delivery: DeliveryName },
  { id },
)
const SubscriptionUpdate = named('SubscriptionUpdate', {}, { exceptions, changes, delivery: DeliveryName })

const LocalTime = patterned('^(?:[01]\\d|2[0-3]):[0-5]\\d$', 'must be a time of day, such as 22:00', {
  description: "A time of day in the user's time zone.",
})
const settings = {
  digest_time: LocalTime,
  digest_weekday: Type.Integer({ minimum: 1, maximum: 7, description: 'For weekly mails: 1 is Monday.' }),
}
const QuietHours = closed({ from: LocalTime, to: LocalTime })

const Messages = explained(
  ['at_once', 'portal'],
  'How the user is notified of messages to them. `at_once` if it is omitted.',
  {
    at_once: 'By a mail for each conversation, outside of quiet hours, and in the portal.',
    portal: 'In the portal only.',
  },
)

export const NotificationSettings = named(
  'NotificationSettings',
  { ...settings },
  { quiet_hours: QuietHours, messages: Messages },
)
export type NotificationSettings = Static<typeof NotificationSettings>

export const Notification = named(
  'Notification',
  {
    notification_id: Type.Integer({ description: 'Later ones have higher numbers.' }),
    type: oneOf([...changeTypes, 'exception.raised', 'exception.updated', 'exception.cleared']),
    at: DateWithTime,
    read: Type.Boolean(),
    title: Type.String({ description: 'The name of what it is about.' }),
  },
  {
    id: Type.String({ description: 'What it is about, as in its path. Absent if it stands for several changes.' }),
    count: Type.Integer({ description: 'How many changes of one write it stands for.' }),
    changed: Type.Array(Type.String(), { description: 'The fields that an update concerns, as in the change feed.' }),
    svc_shipment_id: Type.String(),
    po_number: Type.String(),
    invoice_reference: Type.String(),
    account: Type.String({ description: 'The account of a message, for staff of the forwarder.' }),
    message: closed({
      author: Type.String({ description: 'Who wrote it.' }),
      text: Type.String({ description: 'How it begins.' }),
    }),
    exception: closed(
      {
        kind: ExceptionKind,
        severity: Severity,
        stage: explained(stages, 'What happened to the exception.', {
          raised: 'It is new.',
          worse: 'Its severity has risen.',
          cleared: 'It has ended.',
        }),
        reason_key: oneOf(reasonKeys),
        details: ExceptionDetails,
      },
      {
        container_number: ContainerNumber,
        place_name: Type.String({ description: 'The name of `details.place`.' }),
        threatens: Type.Array(
          closed(
            { po_number: Identifier },
            { sku: Type.String({ description: "The account's own code of the product." }) },
          ),
          {
            description: 'The first order lines that it puts at risk. Absent if there are none.',
          },
        ),
        more_threatened: Type.Integer({ minimum: 1, description: 'Number of lines that are not listed.' }),
      },
    ),
  },
)
export type Notification = Static<typeof Notification>

const unread = Type.Integer({ description: `How many are unread; ${mostUnread} if there are as many or more.` })

export const notificationOperations = {
  listNotifications: {
    method: 'GET',
    path: '/portal/v1/notifications',
    tag: 'Notifications',
    access: 'read',
    summary: 'List the notifications of the signed-in user, the newest first',
    query: closed(
      {},
      {
        unread: Type.Enum(['true'], { type: 'string', description: 'Only unread ones.' }),
        before: Type.Integer({ minimum: 1, description: 'Only lower numbers: `next` of the previous page.' }),
        take: take(100, { default: 20 }),
      },
    ),
    success: {
      status: 200,
      body: named(
        'Notifications',
        { notifications: Type.Array(Notification), unread },
        { next: Type.Integer({ description: 'Send it as `before` to get the next page.' }) },
      ),
    },
    refusals: [],
  },
  markNotificationsRead: {
    method: 'POST',
    path: '/portal/v1/notifications/read',
    tag: 'Notifications',
    access: 'read',
    summary: 'Mark notifications as read: some, or all up to a number',
    body: named(
      'NotificationsRead',
      {},
      {
        notification_ids: Type.Array(notificationId, { maxItems: 100 }),
        up_to: notificationId,
      },
    ),
    success: { status: 200, body: named('UnreadNotifications', { unread }) },
    refusals: [],
  },
  listSubscriptions: {
    method: 'GET',
    path: '/portal/v1/subscriptions',
    tag: 'Notifications',
    access: 'read',
    summary: 'List what the signed-in user is notified of, the oldest first',
    success: { status: 200, body: Type.Array(Subscription) },
    refusals: [],
  },
  createSubscription: {
    method: 'POST',
    path: '/portal/v1/subscriptions',
    tag: 'Notifications',
    access: 'read',
    summary: 'Subscribe to exceptions and changes',
    body: SubscriptionCreate,
    success: { status: 201, body: Subscription },
    refusals: ['view_not_found', 'shipment_not_found', 'purchase_order_not_found', 'too_many_subscriptions'],
  },
  updateSubscription: {
    method: 'PATCH',
    path: '/portal/v1/subscriptions/{subscription_id}',
    tag: 'Notifications',
    access: 'read',
    summary: 'Change a subscription',
    params: closed({ subscription_id: Identifier }),
    body: SubscriptionUpdate,
    success: { status: 200, body: Subscription },
    refusals: ['subscription_not_found'],
  },
  removeSubscription: {
    method: 'DELETE',
    path: '/portal/v1/subscriptions/{subscription_id}',
    tag: 'Notifications',
    access: 'read',
    summary: 'End a subscription; mails that wait for it are not sent',
    params: closed({ subscription_id: Identifier }),
    success: { status: 200, body: Accepted },
    refusals: ['subscription_not_found'],
  },
  getNotificationSettings: {
    method: 'GET',
    path: '/portal/v1/notifications/settings',
    tag: 'Notifications',
    access: 'read',
    summary: 'Read when mails are sent to the signed-in user',
    success: { status: 200, body: NotificationSettings },
    refusals: [],
  },
  saveNotificationSettings: {
    method: 'PUT',
    path: '/portal/v1/notifications/settings',
    tag: 'Notifications',
    access: 'read',
    summary: 'Set when mails are sent to the signed-in user',
    body: NotificationSettings,
    success: { status: 200, body: NotificationSettings },
    refusals: [],
  },
} as const satisfies Record<string, PortalOperation>
