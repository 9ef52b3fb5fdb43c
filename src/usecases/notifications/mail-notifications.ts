import type { Notification } from '../../contract/portal/notifications.js'
import type { Severity } from '../../contract/public/exception.js'
import { type AccountId, forwarderAccount } from '../../database/account-id.js'
import type { Database, TransactionSql } from '../../database/database.js'
import { readServiceSecrets } from '../../database/service-secrets.js'
import { afterQuietHours } from '../../domain/notifications/mail-time.js'
import { notificationPath } from '../../domain/notifications/notification-path.js'
import { notificationText } from '../../domain/notifications/notification-texts.js'
import { groupedBy } from '../../domain/records/grouping.js'
import { type Tone, usualColor } from '../../mail/layout.js'
import { settingsLink } from '../../mail/messages.js'
import { type MailItem, notificationMail } from '../../mail/notification-mail.js'
import { findAccountRow } from '../../store/accounts.js'
import { findBranding } from '../../store/branding.js'
import { type SubjectKey, subjectOf } from '../../store/conversations.js'
import { insertMail } from '../../store/mails.js'
import {
  type Content,
  type DueRow,
  listDueNotifications,
  listDuePeople,
  setMailTime,
} from '../../store/notifications.js'
import { saveReplyAddress } from '../../store/reply-addresses.js'
import { type Addressee, lockAddressee } from '../../store/subscriptions.js'
import { addressWith, hashOfToken, replyToken } from '../conversations/reply-address.js'
import { notificationOf } from './notifications.js'
import { type Unsubscription, unsubscribeLink } from './unsubscribe.js'

/**
 * Writes mails about what is due. A mail is stored in the outbox in the transaction that marks what it reports: whenever a process
 * ends, everything is mailed once.
 */

export type MailOptions = {
  base: string
  /** The base URL of the office; that of the portal if it is absent. */
  officeBase?: string | undefined
  forwarderName: string
  /** The address that replies are sent to, if they can be received. */
  replyAddress?: string | undefined
}

const mostRows = 1000
// Of one person, in one step; a mail lists fewer.
const mostDue = 5000
const mostItems = 50
// More that are due together go into one mail.
const mostSingleMails = 3

export async function mailStep(db: Database, now: number, options: MailOptions): Promise<void> {
  let failure: unknown
  for (const { account_id, person_id } of await listDuePeople(db, now, mostRows)) {
    try {
      await db.begin((sql) => mailPerson(sql, account_id, person_id, { ...options, now }))
    } catch (error) {
      // One person whose mail fails does not hold up the others.
      failure = error
    }
  }
  if (failure !== undefined) throw failure
}

async function mailPerson(
  sql: TransactionSql,
  account: AccountId,
  person_id: string,
  options: MailOptions & { now: number },
): Promise<void> {
  const { now } = options
  const person = await lockAddressee(sql, account, person_id)
  // Another process writes to the person.
  if (!person) return
  const due = await listDueNotifications(sql, account, person_id, { now, most: mostDue })
  const ids = due.map(({ notification_id }) => notification_id)
  const later = afterQuietHours(now, person)
  if (person.isActive && later > now) return setMailTime(sql, account, ids, later)
  await setMailTime(sql, account, ids, undefined)
  if (!person.isActive) return
  const shown = due.filter(({ isShown }) => isShown)
  const mails = await composer(sql, account, person_id, person, options)
  for (const group of groupsOf(shown)) await insertMail(sql, await mails(group))
}

/** What each mail reports: digests together, others by themselves unless they are many. */
function groupsOf(due: DueRow[]): DueRow[][] {
  // One for each conversation, which can be replied to.
  const conversations = new Map<string, DueRow[]>()
  for (const row of due.filter(isMessage)) {
    const name = JSON.stringify(conversationOf(row))
    conversations.set(name, [...(conversations.get(name) ?? []), row])
  }
  const at = (delivery: DueRow['delivery']) =>
    mergedUpdates(due.filter((row) => row.delivery === delivery && !isMessage(row)))
  const single = at('at_once')
  const digests = [at('daily'), at('weekly')].filter(({ length }) => length > 0)
  return [
    ...conversations.values(),
    ...(single.length > mostSingleMails ? [single] : single.map((row) => [row])),
    ...digests,
  ]
}

/** Updates of one resource that are due together are one, with the fields of all of them. */
function mergedUpdates(due: DueRow[]): DueRow[] {
  const groups = groupedBy(due, (row) => {
    const { id, changed } = JSON.parse(row.content) as Content
    return JSON.stringify(changed === undefined ? ['', row.notification_id] : [row.type, id])
  })
  return [...groups.values()].map((rows) => {
    const [first] = rows as [DueRow, ...DueRow[]]
    if (rows.length === 1) return first
    const contents = rows.map(({ content }) => JSON.parse(content) as Content)
    const changed = [...new Set(contents.flatMap((content) => content.changed ?? []))].toSorted()
    return { ...first, content: JSON.stringify({ ...contents[0], changed }) }
  })
}

async function composer(
  sql: TransactionSql,
  account: AccountId,
  person_id: string,
  person: Addressee,
  { base, officeBase, forwarderName, replyAddress }: MailOptions,
) {
  const { link_secret } = await readServiceSecrets(sql)
  const { color = usualColor, logo } = await findBranding(sql)
  return async (group: DueRow[]) => {
    const [first] = group
    const isStaff = account === forwarderAccount
    const replyTo =
      first && isMessage(first) && replyAddress !== undefined
        ? await replyToFor(sql, link_secret, replyAddress, { ...conversationOf(first), account, person_id })
        : undefined
    const unsubscription: Unsubscription =
      first && isMessage(first)
        ? { account, person_id, messages: true }
        : group.length === 1 && first?.subscription_id && first.delivery === 'at_once'
          ? { account, person_id, subscription_id: first.subscription_id }
          : { account, person_id, delivery: first?.delivery ?? 'at_once' }
    return notificationMail(person, {
      accountName: person.account_name,
      forwarderName,
      color,
      hasLogo: logo !== undefined,
      items: group.slice(0, mostItems).map((row) => itemOf(row, person, isStaff ? (officeBase ?? base) : base)),
      more: Math.max(0, group.length - mostItems),
      isDigest: first?.delivery !== 'at_once',
      replyTo,
      settingsLink: settingsLink(isStaff ? (officeBase ?? base) : base, isStaff ? 'office' : 'portal'),
      listLink: isStaff ? settingsLink(officeBase ?? base, 'office') : `${base}/notifications`,
      unsubscribeLink: unsubscribeLink(base, link_secret, unsubscription),
    })
  }
}

/** Digests of messages that somebody subscribed to are reported like other changes. */
function isMessage({ type, delivery }: DueRow): boolean {
  return type === 'message.created' && delivery === 'at_once'
}

type Conversation = { slug: string | undefined; subject: SubjectKey }

function conversationOf({ content }: DueRow): Conversation {
  const { account: slug, svc_shipment_id, po_number } = JSON.parse(content) as Content
  return { slug, subject: subjectOf({ svc_shipment_id, po_number }) }
}

/** Undefined if the account is not there any more. */
async function replyToFor(
  sql: TransactionSql,
  secret: string,
  replyAddress: string,
  { slug, subject, account: person_account, person_id }: Conversation & { account: AccountId; person_id: string },
): Promise<string | undefined> {
  // Staff are people of another account than the conversation.
  const account = slug === undefined ? person_account : (await findAccountRow(sql, slug))?.account_id
  if (account === undefined) return undefined
  const address = { account, subject, person_account, person_id }
  const token = replyToken(secret, address)
  await saveReplyAddress(sql, hashOfToken(token), address)
  return addressWith(replyAddress, token)
}

function itemOf(row: DueRow, { language }: Addressee, base: string): MailItem {
  const notification = notificationOf(row)
  return {
    ...notificationText(notification, language),
    link: `${base}${notificationPath(notification)}`,
    about: aboutOf(notification),
    tone: toneOf(notification),
    quote: notification.message,
    isMessage: isMessage(row),
  }
}

function aboutOf({ title, svc_shipment_id, po_number }: Notification): string | undefined {
  const id = svc_shipment_id ?? po_number
  return id === title ? undefined : id
}

const tones: Record<Severity, Tone> = { critical: 'problem', warning: 'late', info: 'plain' }

function toneOf({ exception }: Notification): Tone {
  if (!exception) return 'plain'
  return exception.stage === 'cleared' ? 'done' : tones[exception.severity]
}
