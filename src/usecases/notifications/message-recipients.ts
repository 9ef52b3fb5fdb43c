import type { AccountId } from '../../database/account-id.js'
import { forwarderAccount } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { mailTime } from '../../domain/notifications/mail-time.js'
import { getAccountRow } from '../../store/accounts.js'
import { listParticipants, subjectOf } from '../../store/conversations.js'
import type { NewNotification } from '../../store/notifications.js'
import { findRecipients } from '../../store/subscriptions.js'
import type { Occurrence } from './occurrences.js'

type Given = { occurrences: Occurrence[]; now: number; sendsMail: boolean }

/**
 * Who is notified of messages without a subscription: those who are mentioned, and those who have written in the conversation before. Of the
 * account, and of the forwarder.
 */
export async function messageRows(
  db: Reader,
  account: AccountId,
  { occurrences, now, sendsMail }: Given,
): Promise<[own: NewNotification[], staff: NewNotification[]]> {
  const own: NewNotification[] = []
  const staff: NewNotification[] = []
  for (const { message, key, at, type, author, content } of occurrences) {
    if (!message) continue
    const participants = await listParticipants(db, account, subjectOf(message))
    const ids = [...participants, ...message.mentions.map(({ person_id }) => person_id)].filter(
      (id) => author === undefined || id !== author.slice(author.indexOf(':') + 1),
    )
    for (const person of await findRecipients(db, account, [...new Set(ids)])) {
      const delivery = person.settings.messages ?? 'at_once'
      const isStaff = person.account_id === forwarderAccount
      const slug = isStaff ? (await getAccountRow(db, account)).slug : undefined
      const row: NewNotification = {
        person_id: person.person_id,
        key,
        subscription_id: undefined,
        delivery,
        type,
        exception_id: undefined,
        content: { ...content, ...(slug !== undefined && { account: slug }) },
        at,
        mail_at: sendsMail ? mailTime(delivery, now, person) : undefined,
      }
      ;(isStaff ? staff : own).push(row)
    }
  }
  return [own, staff]
}
