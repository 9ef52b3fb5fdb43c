import type { Delivery } from '../contract/portal/notification-kinds.js'
import type { Notification } from '../contract/portal/notifications.js'
import type { AccountId } from '../database/account-id.js'
import { businessNow } from '../database/business-now.js'
import { asJson, type Fragment, type Reader, type TransactionSql } from '../database/database.js'

import type { RowWrite } from './write.js'

/** The notifications of people, and how far the change log was read for that. */

/** A place in the change log of an account: after this change. */
export type NotificationPosition = { revision: number; kind: string; id: string }

/** Accounts with changes that were not read yet. */
export async function listAccountsToNotify(db: Reader): Promise<AccountId[]> {
  const rows = await db<{ account_id: AccountId }[]>`
    select account_id from notification_state state join accounts account using (account_id)
    where state.revision < account.revision order by account_id`
  return rows.map(({ account_id }) => account_id)
}

/** How far the log was read, and how far it goes. */
export async function findNotificationPosition(
  db: Reader,
  account: AccountId,
): Promise<{ position: NotificationPosition; newest: number } | undefined> {
  const [row] = await db<(NotificationPosition & { newest: number })[]>`
    select state.revision, kind, id, account.revision as newest
    from notification_state state join accounts account using (account_id)
    where account_id = ${account}`
  if (!row) return undefined
  const { newest, ...position } = row
  return { position, newest }
}

/** False if another process has read on meanwhile. */
export async function advancePosition(
  sql: TransactionSql,
  account: AccountId,
  from: NotificationPosition,
  to: NotificationPosition,
): Promise<boolean> {
  const rows = await sql`
    update notification_state set revision = ${to.revision}, kind = ${to.kind}, id = ${to.id}
    where account_id = ${account} and revision = ${from.revision} and kind = ${from.kind} and id = ${from.id}
    returning 1`
  return rows.length > 0
}

/** Accounts have a position once there is something that people may be notified of. */
export function ensureNotificationState({ sql, revision }: RowWrite, account: AccountId): void {
  sql.send(sql`
    insert into notification_state (account_id, revision, kind, id) values (${account}, ${revision - 1}, '~', '')
    on conflict do nothing`)
}

export type Content = Omit<Notification, 'notification_id' | 'type' | 'at' | 'read'>

export type NewNotification = {
  person_id: string
  key: string
  subscription_id: string | undefined
  delivery: Delivery
  type: Notification['type']
  exception_id: string | undefined
  content: Content
  at: string
  /** Undefined if it is not mailed. */
  mail_at: number | undefined
}

/** Nobody gets the same twice. One that stands for several changes counts further ones. */
export function insertNotifications(sql: TransactionSql, account: AccountId, rows: NewNotification[]): Fragment {
  const given = asJson(rows, ({ content, mail_at, ...row }) => ({
    ...row,
    content: JSON.stringify(content),
    mail_at: mail_at === undefined ? null : new Date(mail_at).toISOString(),
  }))
  return sql`
    insert into notifications (
      account_id, person_id, key, subscription_id, delivery, type, exception_id, content, created_at, mail_at)
    select ${account}, person_id, key, subscription_id, delivery, type, exception_id, content, at, mail_at
    from jsonb_to_recordset(${given}::text::jsonb) as given (
      person_id text, key text, subscription_id text, delivery text, type text, exception_id text, content text,
      at timestamptz, mail_at timestamptz)
    where exists (select from people where people.account_id = ${account} and people.person_id = given.person_id)
    on conflict (account_id, person_id, key) do update
    set content = jsonb_set(notifications.content::jsonb, '{count}',
      to_jsonb((notifications.content::jsonb -> 'count')::integer + (excluded.content::jsonb -> 'count')::integer))::text
    where notifications.content::jsonb ? 'count'`
}

export type NotificationRow = {
  notification_id: number
  type: Notification['type']
  created_at: Date
  content: string
  isRead: boolean
}

/** Exceptions that are no longer shown to the account are left out. */
function isShown(db: Reader, account: AccountId): Fragment {
  return db`(exception_id is null or exists (
    select from exceptions exception
    where exception.account_id = ${account} and exception.exception_id = notification.exception_id and visible))`
}

export async function listNotificationRows(
  db: Reader,
  account: AccountId,
  person_id: string,
  { isUnread, before, take }: { isUnread: boolean; before: number | undefined; take: number },
): Promise<NotificationRow[]> {
  const unread = isUnread ? db`and read_at is null` : db``
  return db<NotificationRow[]>`
    select notification_id, type, created_at, content, read_at is not null as "isRead"
    from notifications notification
    where account_id = ${account} and person_id = ${person_id}
      and notification_id < ${before ?? Number.MAX_SAFE_INTEGER} ${unread} and ${isShown(db, account)}
    order by notification_id desc limit ${take}`
}

export async function countUnread(db: Reader, account: AccountId, person_id: string, most: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from (
      select from notifications notification
      where account_id = ${account} and person_id = ${person_id} and read_at is null and ${isShown(db, account)}
      limit ${most}
    ) unread`
  return row?.count ?? 0
}

export async function markRead(
  db: Reader,
  account: AccountId,
  person_id: string,
  { ids, upTo }: { ids: number[]; upTo: number },
): Promise<void> {
  await db`
    update notifications set read_at = ${businessNow(db)}
    where account_id = ${account} and person_id = ${person_id} and read_at is null
      and (notification_id <= ${upTo} or notification_id = any(${ids}::bigint[]))`
}

/** Whose mail is due, the longest overdue first. */
export async function listDuePeople(
  db: Reader,
  now: number,
  most: number,
): Promise<{ account_id: AccountId; person_id: string }[]> {
  return db<{ account_id: AccountId; person_id: string }[]>`
    select account_id, person_id from (
      select account_id, person_id, mail_at from notifications
      where mail_at <= ${new Date(now)} order by mail_at limit ${most}
    ) due
    group by account_id, person_id order by min(mail_at)`
}

export type DueRow = NotificationRow & { subscription_id: string | null; delivery: Delivery; isShown: boolean }

/** What is due to a person, the oldest first. The person is locked. */
export async function listDueNotifications(
  sql: TransactionSql,
  account: AccountId,
  person_id: string,
  { now, most }: { now: number; most: number },
): Promise<DueRow[]> {
  return sql<DueRow[]>`
    select notification_id, type, created_at, content, read_at is not null as "isRead", subscription_id, delivery,
      ${isShown(sql, account)} as "isShown"
    from notifications notification
    where account_id = ${account} and person_id = ${person_id} and mail_at <= ${new Date(now)}
    order by notification_id limit ${most}`
}

/** When they are mailed instead; undefined: they were, or will not be. */
export async function setMailTime(
  sql: TransactionSql,
  account: AccountId,
  ids: number[],
  mailAt: number | undefined,
): Promise<void> {
  await sql`
    update notifications set mail_at = ${mailAt === undefined ? null : new Date(mailAt)}
    where account_id = ${account} and notification_id = any(${ids}::bigint[])`
}

/** Removes those of long ago. */
export async function removeOldNotifications(db: Reader, days: number, most: number): Promise<number> {
  const rows = await db`
    delete from notifications where ctid = any(array(
      select ctid from notifications where created_at < ${businessNow(db)} - ${days} * interval '1 day'
      order by created_at limit ${most}))
    returning account_id`
  return rows.length
}

/** Who made the changes of these revisions. */
export async function findAuthors(db: Reader, account: AccountId, revisions: number[]): Promise<Map<number, string>> {
  const rows = await db<{ revision: number; author: string }[]>`
    select wanted.revision, author
    from unnest(${revisions}::bigint[]) as wanted (revision)
    cross join lateral (
      select author from changes where account_id = ${account} and changes.revision = wanted.revision limit 1
    ) change`
  return new Map(rows.map(({ revision, author }) => [revision, author]))
}
