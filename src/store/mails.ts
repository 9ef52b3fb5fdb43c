import type { Branding } from '../contract/operator/branding.js'
import type { Language } from '../contract/portal/people.js'
import { businessNow } from '../database/business-now.js'
import type { Reader } from '../database/database.js'
import { decrypt, encrypt } from './encrypted-value.js'

/** Mails that wait to be sent. They belong to no account: staff of the forwarder get some, too. */

export type StoredMail = {
  to: string
  subject: string
  text: string
  link: string
  html?: string | undefined
  unsubscribe?: string | undefined
  replyTo?: string | undefined
  action?: string | undefined
  language?: Language | undefined
  branding?: Branding | undefined
}
type Content = Pick<StoredMail, 'text' | 'link' | 'html' | 'unsubscribe' | 'replyTo' | 'action' | 'language'>

export async function insertMail(db: Reader, mail: StoredMail): Promise<void> {
  const { to, subject, text, link, html, unsubscribe, replyTo, action, language } = mail
  const [service] = await db<{ link_secret: string }[]>`select link_secret from service`
  if (!service) throw new Error('the database is not migrated')
  const content: Content = { text, link, html, unsubscribe, replyTo, action, language }
  await db`
    insert into mails (created_at, recipient, subject, content)
    values (${businessNow(db)}, ${to}, ${subject}, ${encrypt(service.link_secret, 'mail', content)})`
}

export type DueMail = {
  mail_id: number
  recipient: string
  attempts: number
  /** Undefined if the secret of the service was replaced since. */
  mail: StoredMail | undefined
}

/**
 * A mail whose time has come, to anybody but these recipients, which no other process takes within the lease: if this one is
 * killed meanwhile, it is sent again after that.
 */
export async function leaseDueMail(db: Reader, leaseSeconds: number, exceptTo: string[]): Promise<DueMail | undefined> {
  type Row = {
    mail_id: number
    recipient: string
    subject: string
    attempts: number
    content: string
    link_secret: string
    branding: string | null
  }
  const [row] = await db<Row[]>`
    update mails
    set attempts = attempts + 1, next_attempt_at = now() + ${leaseSeconds} * interval '1 second'
    from service
    where mail_id = (
      select mail_id from mails where next_attempt_at <= now() and recipient <> all(${exceptTo}::text[])
      order by next_attempt_at limit 1 for update skip locked)
    returning mail_id, recipient, subject, attempts, content, link_secret, branding`
  if (!row) return undefined
  const content = decrypt(row.link_secret, 'mail', row.content) as Content | undefined
  const { mail_id, recipient, subject, attempts } = row
  const branding = row.branding ? (JSON.parse(row.branding) as Branding) : {}
  return { mail_id, recipient, attempts, mail: content && { to: recipient, subject, ...content, branding } }
}

export async function markSent(db: Reader, mail_id: number): Promise<void> {
  await db`
    update mails set sent_at = ${businessNow(db)}, next_attempt_at = null, content = null, failure = null where mail_id = ${mail_id}`
}

/** `retryAfter`: seconds until the next attempt; undefined: there is none. */
export async function markFailed(
  db: Reader,
  mail_id: number,
  failure: string,
  retryAfter: number | undefined,
): Promise<void> {
  await db`
    update mails
    set failure = ${failure}, next_attempt_at = now() + ${retryAfter ?? null}::double precision * interval '1 second',
      content = case when ${retryAfter !== undefined} then content end
    where mail_id = ${mail_id}`
}

export type MailRow = {
  mail_id: number
  recipient: string
  subject: string
  created_at: Date
  attempts: number
  next_attempt_at: Date | null
  sent_at: Date | null
  failure: string | null
}

export type MailState = 'waiting' | 'sent' | 'failed'

/** The newest first. `before`: the number of the last one of the previous page. */
export async function listMails(
  db: Reader,
  { state, before, take }: { state: MailState | undefined; before: number | undefined; take: number },
): Promise<MailRow[]> {
  const condition =
    state === undefined
      ? db``
      : state === 'sent'
        ? db`and sent_at is not null`
        : state === 'waiting'
          ? db`and next_attempt_at is not null`
          : db`and next_attempt_at is null and sent_at is null`
  return db<MailRow[]>`
    select mail_id, recipient, subject, created_at, attempts, next_attempt_at, sent_at, failure
    from mails
    where mail_id < ${before ?? Number.MAX_SAFE_INTEGER} ${condition}
    order by mail_id desc limit ${take}`
}

/** Removes mails that were sent or given up long ago. */
export async function removeOldMails(db: Reader, days: number, most: number): Promise<number> {
  const rows = await db`
    delete from mails where mail_id = any(array(
      select mail_id from mails
      where next_attempt_at is null and created_at < ${businessNow(db)} - ${days} * interval '1 day'
      order by mail_id limit ${most}))
    returning mail_id`
  return rows.length
}
