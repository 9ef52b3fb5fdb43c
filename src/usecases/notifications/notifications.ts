import { mostUnread } from '../../contract/portal/notification-kinds.js'
import { type Notification } from '../../contract/portal/notifications.js'
import {
  type Content,
  countUnread,
  listNotificationRows,
  markRead,
  type NotificationRow,
} from '../../store/notifications.js'
import type { PortalHandler } from '../portal-context.js'

/** The notifications of the signed-in person. */

export const listNotifications: PortalHandler<'listNotifications'> = async ({ db, account, person }, { query }) => {
  const { unread, before, take = 20 } = query
  const [rows, count] = await Promise.all([
    listNotificationRows(db, account, person.person_id, { isUnread: unread === 'true', before, take: take + 1 }),
    countUnread(db, account, person.person_id, mostUnread),
  ])
  const shown = rows.slice(0, take)
  const last = rows.length > take ? shown.at(-1) : undefined
  return { notifications: shown.map(notificationOf), unread: count, ...(last && { next: last.notification_id }) }
}

export const markNotificationsRead: PortalHandler<'markNotificationsRead'> = async (
  { db, account, person },
  { body: { notification_ids = [], up_to = 0 } },
) => {
  await markRead(db, account, person.person_id, { ids: notification_ids, upTo: up_to })
  return { unread: await countUnread(db, account, person.person_id, mostUnread) }
}

export function notificationOf({ notification_id, type, created_at, content, isRead }: NotificationRow): Notification {
  const { title, ...rest } = JSON.parse(content) as Content
  return { notification_id, type, at: created_at.toISOString(), read: isRead, title, ...rest }
}
