import { type Delivery, deliveries } from '../../contract/portal/notification-kinds.js'
import { type Notification } from '../../contract/portal/notifications.js'
import type { EventType } from '../../contract/public/event.js'
import { type AccountId, forwarderAccount } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { readServiceSecrets } from '../../database/service-secrets.js'
import { localDate } from '../../domain/dates/local-time.js'
import { mailTime } from '../../domain/notifications/mail-time.js'
import { readOrdersSearch } from '../../domain/purchase-orders/order-view.js'
import { filterOf, readShipmentsSearch } from '../../domain/shipments/shipment-view.js'
import { afterRevision } from '../../ledger/changes.js'
import {
  advancePosition,
  findNotificationPosition,
  insertNotifications,
  type NewNotification,
} from '../../store/notifications.js'
import { ordersWithin } from '../../store/search/purchase-order-search.js'
import { shipmentsWithin } from '../../store/search/shipment-search.js'
import { listSubscribers, type Subscriber } from '../../store/subscriptions.js'
import { readEvents } from '../events/read-events.js'
import { messageRows } from './message-recipients.js'
import { type Occurrence, occurrencesOf } from './occurrences.js'

/**
 * Reads the change log on from where it was read, and stores the notifications of people. The position moves in the same transaction:
 * whenever a process ends, nothing is missed and nothing is reported twice.
 */

// Events of one step. That many changes of a type in one write become one notification, such as those of an import.
const mostEvents = 200
const mostOfOneWrite = 10

/** Whether there is more to read. */
export async function collectStep(
  db: Database,
  account: AccountId,
  { now, sendsMail }: { now: number; sendsMail: boolean },
): Promise<boolean> {
  const state = await findNotificationPosition(db, account)
  if (!state) return false
  const subscribers = await listSubscribers(db, account)
  const { epoch } = await readServiceSecrets(db)
  const filter = { types: typesOf(subscribers), limit: mostEvents, upTo: state.newest }
  const page = await readEvents(db, { account, epoch }, state.position, filter)
  const occurrences = await occurrencesOf(db, account, page.events)
  const [own, staff] = await messageRows(db, account, { occurrences, now, sendsMail })
  const notified = new Set(own.map(({ person_id, key }) => `${person_id} ${key}`))
  const subscribed = await rowsFor(db, account, { subscribers, occurrences, now, sendsMail })
  const rows = [...own, ...subscribed.filter(({ person_id, key }) => !notified.has(`${person_id} ${key}`))]
  const position = page.hasMore ? page.position : afterRevision(state.newest)
  await db.begin(async (sql) => {
    // Another process was faster.
    if (!(await advancePosition(sql, account, state.position, position))) return
    if (rows.length > 0) await insertNotifications(sql, account, rows)
    if (staff.length > 0) await insertNotifications(sql, forwarderAccount, staff)
  })
  return page.hasMore
}

function typesOf(subscribers: Subscriber[]): ReadonlySet<EventType> {
  // Participants of a conversation are notified without a subscription.
  const types = new Set<EventType>(['message.created', ...subscribers.flatMap(({ changes }) => changes)])
  if (subscribers.some(({ exceptions }) => exceptions.length > 0))
    for (const type of ['exception.raised', 'exception.updated', 'exception.cleared'] as const) types.add(type)
  return types
}

type Given = { subscribers: Subscriber[]; occurrences: Occurrence[]; now: number; sendsMail: boolean }

async function rowsFor(
  db: Database,
  account: AccountId,
  { subscribers, occurrences, now, sendsMail }: Given,
): Promise<NewNotification[]> {
  // By person and key: if several subscriptions cover it, the one that notifies soonest.
  const pending = new Map<string, { subscriber: Subscriber; occurrence: Occurrence }>()
  for (const subscriber of subscribers) {
    const matching = occurrences.filter((occurrence) => isWanted(subscriber, occurrence))
    for (const occurrence of await withinScope(db, account, subscriber, matching, now)) {
      const key = JSON.stringify([subscriber.person_id, occurrence.key])
      const other = pending.get(key)
      if (!other || rank(subscriber.delivery) < rank(other.subscriber.delivery))
        pending.set(key, { subscriber, occurrence })
    }
  }
  const place = new Map(occurrences.map((occurrence, index) => [occurrence, index]))
  const placeOf = ({ occurrence }: { occurrence: Occurrence }) => place.get(occurrence) ?? 0
  const inOrder = [...pending.values()].toSorted((one, other) => placeOf(one) - placeOf(other))
  return merged(inOrder).map(({ subscriber, key, content, type, at, exception_id }) => {
    const delivery = deliveryOf(subscriber, type)
    return {
      person_id: subscriber.person_id,
      key,
      subscription_id: subscriber.subscription_id,
      delivery,
      type,
      exception_id,
      content,
      at,
      mail_at: sendsMail ? mailTime(delivery, now, subscriber) : undefined,
    }
  })
}

/** Who ended mails of messages gets none by a subscription either; digests have them like other changes. */
function deliveryOf({ delivery, settings }: Subscriber, type: Notification['type']): Delivery {
  return type === 'message.created' && delivery === 'at_once' ? (settings.messages ?? 'at_once') : delivery
}

function rank(delivery: Delivery): number {
  return deliveries.indexOf(delivery)
}

function isWanted(subscriber: Subscriber, { revision, author, exception, type }: Occurrence): boolean {
  if (revision <= subscriber.after_revision || author === `person:${subscriber.person_id}`) return false
  return exception ? subscriber.exceptions.includes(exception.kind) : (subscriber.changes as string[]).includes(type)
}

async function withinScope(
  db: Database,
  account: AccountId,
  { scope, scope_id, view, time_zone }: Subscriber,
  occurrences: Occurrence[],
  now: number,
): Promise<Occurrence[]> {
  if (scope === 'all' || occurrences.length === 0) return occurrences
  const id = scope_id ?? ''
  if (scope === 'shipment') return occurrences.filter(({ shipments }) => shipments.includes(id))
  if (scope === 'purchase_order') return occurrences.filter(({ orders }) => orders.includes(id))
  if (!view) return []
  const raw = Object.fromEntries(new URLSearchParams(view.query))
  const today = localDate(now, time_zone)
  if (view.page === 'shipments') {
    const ids = [...new Set(occurrences.flatMap(({ shipments }) => shipments))]
    const found = await shipmentsWithin(db, account, filterOf(readShipmentsSearch(raw)), { today, ids })
    return occurrences.filter(({ shipments }) => shipments.some((each) => found.has(each)))
  }
  const ids = [...new Set(occurrences.flatMap(({ orders }) => orders))]
  const found = await ordersWithin(db, account, readOrdersSearch(raw), { ids, today })
  return occurrences.filter(({ orders }) => orders.some((each) => found.has(each)))
}

type PendingNotification = Pick<NewNotification, 'key' | 'content' | 'at' | 'exception_id'> & {
  subscriber: Subscriber
  type: Notification['type']
}

/** Many changes of a type by one write become one, which counts them. */
function merged(pending: { subscriber: Subscriber; occurrence: Occurrence }[]): PendingNotification[] {
  const groups = new Map<string, typeof pending>()
  for (const one of pending) {
    const { revision, type, exception, key } = one.occurrence
    const name = JSON.stringify([one.subscriber.person_id, exception ? key : `${revision} ${type}`])
    groups.set(name, [...(groups.get(name) ?? []), one])
  }
  return [...groups.values()].flatMap((group): PendingNotification[] => {
    const [first] = group
    if (!first || group.length <= mostOfOneWrite) return group.map(notificationOf)
    const { subscriber, occurrence } = first
    const { revision, type, at } = occurrence
    const content = { title: '', count: group.length }
    return [{ subscriber, key: `${revision} ${type}`, type, at, exception_id: undefined, content }]
  })
}

function notificationOf({
  subscriber,
  occurrence,
}: {
  subscriber: Subscriber
  occurrence: Occurrence
}): PendingNotification {
  const { key, type, at, exception, content } = occurrence
  return { subscriber, key, type, at, exception_id: exception?.id, content }
}
