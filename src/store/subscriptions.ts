import type { ChangeType, Delivery, Scope } from '../contract/portal/notification-kinds.js'
import type { NotificationSettings } from '../contract/portal/notifications.js'
import type { Language } from '../contract/portal/people.js'
import type { View } from '../contract/portal/views.js'
import type { ExceptionKind } from '../contract/public/exception.js'
import { type AccountId, forwarderAccount } from '../database/account-id.js'
import type { Database, Reader, TransactionSql } from '../database/database.js'

/** What people are notified of. */

export type SubscriptionRow = {
  subscription_id: string
  scope: Scope
  scope_id: string | null
  exceptions: ExceptionKind[]
  changes: ChangeType[]
  delivery: Delivery
}

/** With the names of views and shipments; the oldest first. */
export async function listSubscriptionRows(
  db: Reader,
  account: AccountId,
  person_id: string,
): Promise<(SubscriptionRow & { name: string | null })[]> {
  return db<(SubscriptionRow & { name: string | null })[]>`
    select subscription_id, scope, scope_id, exceptions, changes, delivery,
      case scope
        when 'view' then (select name from saved_views where account_id = ${account} and view_id = scope_id)
        when 'shipment' then (
          select body::jsonb ->> 'name' from shipments where account_id = ${account} and svc_shipment_id = scope_id)
      end as name
    from subscriptions
    where account_id = ${account} and person_id = ${person_id}
    order by created_at, subscription_id`
}

/** False if the person has as many as allowed. What changed before is not reported. */
export async function insertSubscription(
  db: Database,
  account: AccountId,
  person_id: string,
  row: SubscriptionRow,
  most: number,
): Promise<boolean> {
  const { subscription_id, scope, scope_id, exceptions, changes, delivery } = row
  return db.begin(async (sql) => {
    // Concurrent requests of a person are counted one after another.
    await sql`select from people where account_id = ${account} and person_id = ${person_id} for no key update`
    const rows = await sql`
      insert into subscriptions (
        account_id, subscription_id, person_id, scope, scope_id, exceptions, changes, delivery, after_revision)
      select ${account}, ${subscription_id}, ${person_id}, ${scope}, ${scope_id}, ${exceptions}::text[], ${changes}::text[],
        ${delivery}, revision
      from accounts
      where account_id = ${account}
        and (select count(*) from subscriptions where account_id = ${account} and person_id = ${person_id}) < ${most}
      returning 1`
    // Before the first subscription there was nothing to read.
    await sql`
      insert into notification_state (account_id, revision, kind, id)
      select account_id, revision, '~', '' from accounts where account_id = ${account}
      on conflict do nothing`
    return rows.length > 0
  })
}

/** False if there is no such subscription. */
export async function updateSubscriptionRow(
  db: Database,
  account: AccountId,
  person_id: string,
  { subscription_id, exceptions, changes, delivery }: SubscriptionRow,
): Promise<boolean> {
  const rows = await db`
    update subscriptions
    set exceptions = ${exceptions}::text[], changes = ${changes}::text[], delivery = ${delivery}
    where account_id = ${account} and person_id = ${person_id} and subscription_id = ${subscription_id}
    returning 1`
  return rows.length > 0
}

/** Also drops its mails that wait. False if there is no such subscription. */
export async function deleteSubscription(
  db: Database,
  account: AccountId,
  person_id: string,
  subscription_id: string,
): Promise<boolean> {
  return db.begin(async (sql) => {
    const rows = await sql`
      delete from subscriptions
      where account_id = ${account} and person_id = ${person_id} and subscription_id = ${subscription_id}
      returning 1`
    await sql`
      update notifications set mail_at = null
      where account_id = ${account} and person_id = ${person_id} and subscription_id = ${subscription_id}
        and mail_at is not null`
    return rows.length > 0
  })
}

/** Leaves their notifications to the portal: one subscription, or all that are delivered in a way. False if there is none. */
export async function stopMails(
  db: Database,
  account: AccountId,
  person_id: string,
  which: { subscription_id: string } | { delivery: Delivery },
): Promise<boolean> {
  const [id, delivery] = 'delivery' in which ? [null, which.delivery] : [which.subscription_id, null]
  return db.begin(async (sql) => {
    const rows = await sql`
      update subscriptions set delivery = 'portal'
      where account_id = ${account} and person_id = ${person_id}
        and (subscription_id = ${id}::text or delivery = ${delivery}::text)
      returning 1`
    await sql`
      update notifications set mail_at = null
      where account_id = ${account} and person_id = ${person_id} and mail_at is not null
        and (subscription_id = ${id}::text or delivery = ${delivery}::text)`
    return rows.length > 0
  })
}

export async function deleteSubscriptionsOfView(
  sql: TransactionSql,
  account: AccountId,
  person_id: string,
  view_id: string,
): Promise<void> {
  await sql`
    delete from subscriptions
    where account_id = ${account} and person_id = ${person_id} and scope = 'view' and scope_id = ${view_id}`
}

type SettingsRow = {
  quiet_from: string | null
  quiet_to: string | null
  digest_time: string | null
  digest_weekday: number | null
  messages: 'at_once' | 'portal' | null
}

/** Of who has not set any. */
const usualSettings = { digest_time: '07:00', digest_weekday: 1 }

function settingsOf({
  quiet_from,
  quiet_to,
  digest_time,
  digest_weekday,
  messages,
}: SettingsRow): NotificationSettings {
  return {
    digest_time: digest_time ?? usualSettings.digest_time,
    digest_weekday: digest_weekday ?? usualSettings.digest_weekday,
    ...(quiet_from !== null && quiet_to !== null && { quiet_hours: { from: quiet_from, to: quiet_to } }),
    ...(messages !== null && { messages }),
  }
}

export async function findNotificationSettings(
  db: Reader,
  account: AccountId,
  person_id: string,
): Promise<NotificationSettings> {
  const [row] = await db<SettingsRow[]>`
    select quiet_from, quiet_to, digest_time, digest_weekday, messages from notification_settings
    where account_id = ${account} and person_id = ${person_id}`
  return row ? settingsOf(row) : usualSettings
}

export async function saveNotificationSettingsRow(
  db: Database,
  account: AccountId,
  person_id: string,
  { quiet_hours, digest_time, digest_weekday, messages }: NotificationSettings,
): Promise<void> {
  await db`
    insert into notification_settings (
      account_id, person_id, quiet_from, quiet_to, digest_time, digest_weekday, messages)
    values (${account}, ${person_id}, ${quiet_hours?.from ?? null}, ${quiet_hours?.to ?? null}, ${digest_time},
      ${digest_weekday}, ${messages ?? null})
    on conflict (account_id, person_id) do update
    set quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, digest_time = excluded.digest_time,
      digest_weekday = excluded.digest_weekday, messages = excluded.messages`
}

/** Leaves messages to the portal. */
export async function stopMessageMails(db: Database, account: AccountId, person_id: string): Promise<void> {
  const { digest_time, digest_weekday } = usualSettings
  await db.begin(async (sql) => {
    await sql`
      insert into notification_settings (account_id, person_id, digest_time, digest_weekday, messages)
      values (${account}, ${person_id}, ${digest_time}, ${digest_weekday}, 'portal')
      on conflict (account_id, person_id) do update set messages = excluded.messages`
    await sql`
      update notifications set mail_at = null
      where account_id = ${account} and person_id = ${person_id} and mail_at is not null and delivery = 'at_once'
        and type = 'message.created'`
  })
}

export type Recipient = { account_id: AccountId; person_id: string; time_zone: string; settings: NotificationSettings }

/** Those of the account or of the forwarder who can sign in. */
export async function findRecipients(db: Reader, account: AccountId, ids: string[]): Promise<Recipient[]> {
  const rows = await db<(Omit<Recipient, 'settings'> & SettingsRow)[]>`
    select person.account_id, person.person_id, time_zone, quiet_from, quiet_to, digest_time, digest_weekday, messages
    from people person
    left join notification_settings setting
      on setting.account_id = person.account_id and setting.person_id = person.person_id
    where person.account_id in (${account}, ${forwarderAccount}) and person.person_id = any(${ids}::text[])
      and disabled_at is null
    order by person.person_id`
  return rows.map(({ account_id, person_id, time_zone, ...row }) => ({
    account_id,
    person_id,
    time_zone,
    settings: settingsOf(row),
  }))
}

export type Subscriber = SubscriptionRow & {
  person_id: string
  time_zone: string
  settings: NotificationSettings
  after_revision: number
  /** Of the view. */
  view: Pick<View, 'page' | 'query'> | undefined
}

/** All subscriptions of an account, of people who can sign in. */
export async function listSubscribers(db: Reader, account: AccountId): Promise<Subscriber[]> {
  type Row = Omit<Subscriber, 'settings' | 'view'> & SettingsRow & { page: View['page'] | null; query: string | null }
  const rows = await db<Row[]>`
    select subscription.subscription_id, subscription.scope, subscription.scope_id, subscription.exceptions,
      subscription.changes, subscription.delivery, subscription.after_revision, person.person_id, person.time_zone,
      setting.quiet_from, setting.quiet_to, setting.digest_time, setting.digest_weekday, setting.messages, view.page, view.query
    from subscriptions subscription
    join people person on person.account_id = ${account} and person.person_id = subscription.person_id
    left join notification_settings setting on setting.account_id = ${account} and setting.person_id = person.person_id
    left join saved_views view on view.account_id = ${account} and subscription.scope = 'view'
      and view.view_id = subscription.scope_id
    where subscription.account_id = ${account} and disabled_at is null
    order by subscription.created_at, subscription.subscription_id`
  return rows.map(({ page, query, quiet_from, quiet_to, digest_time, digest_weekday, messages, ...row }) => ({
    ...row,
    settings: settingsOf({ quiet_from, quiet_to, digest_time, digest_weekday, messages }),
    view: page === null || query === null ? undefined : { page, query },
  }))
}

export type Addressee = {
  email: string
  name: string
  language: Language
  time_zone: string
  account_name: string
  settings: NotificationSettings
  /** Whether the person can sign in. */
  isActive: boolean
}

/** Who gets a mail; locked, so that one process at a time writes to a person. Undefined while another one does. */
export async function lockAddressee(
  sql: TransactionSql,
  account: AccountId,
  person_id: string,
): Promise<Addressee | undefined> {
  const [row] = await sql<(Omit<Addressee, 'settings'> & SettingsRow)[]>`
    select email, person.name, language, time_zone, account.name as account_name, quiet_from, quiet_to, digest_time,
      digest_weekday, messages, disabled_at is null and suspended_at is null as "isActive"
    from people person
    join accounts account on account.account_id = person.account_id
    left join notification_settings setting
      on setting.account_id = person.account_id and setting.person_id = person.person_id
    where person.account_id = ${account} and person.person_id = ${person_id}
    for no key update of person skip locked`
  if (!row) return undefined
  const { quiet_from, quiet_to, digest_time, digest_weekday, messages, ...person } = row
  return { ...person, settings: settingsOf({ quiet_from, quiet_to, digest_time, digest_weekday, messages }) }
}
