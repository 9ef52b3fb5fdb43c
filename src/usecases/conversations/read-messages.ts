import { isDateWithTime } from '../../contract/formats.js'
import { invalid } from '../../contract/refusals.js'
import { isStorable } from '../../contract/stored-text.js'
import {
  countUnreadMessages,
  findUnansweredSince,
  listConversationRows,
  listMentionable,
  listMessageRecords,
  markAnswered,
  saveRead,
} from '../../store/conversations.js'
import { accountScopeOf } from '../accounts/account-scope.js'
import type { CustomerHandler } from '../customer-context.js'
import type { OperatorHandler } from '../operator-context.js'
import type { PortalHandler } from '../portal-context.js'
import { fieldsOf, getSubject, messageOf, subjectIn } from './conversation.js'

/** What was written, and what nobody has read or answered yet. */

export const listOwnMessages: CustomerHandler<'listMessages'> = async ({ ask, account, signLink }, { query }) => {
  const { skip = 0, take = 20, ...given } = query
  const subject = subjectIn(given)
  const records = await ask((db) => listMessageRecords(db, account, { subject, skip, take }))
  return { page: records.map((record) => JSON.stringify(messageOf(record, account, signLink))) }
}

export const getConversation: PortalHandler<'getConversation'> = async (
  { db, account, person, signLink },
  { query: { skip = 0, take = 50, ...given } },
) => {
  const subject = await getSubject(db, account, given)
  const [records, people, unread] = await Promise.all([
    listMessageRecords(db, account, { subject, skip, take: take + 1 }),
    listMentionable(db, account),
    countUnreadMessages(db, account, subject, person.person_id),
  ])
  return {
    messages: records.slice(0, take).map((record) => messageOf(record, account, signLink)),
    has_more: records.length > take,
    people,
    unread,
  }
}

export const markConversationRead: PortalHandler<'markConversationRead'> = async (
  { db, account, person },
  { body: { message_id, ...given } },
) => {
  const subject = await getSubject(db, account, given)
  await saveRead(db, account, subject, person.person_id, message_id)
  return { unread: await countUnreadMessages(db, account, subject, person.person_id) }
}

export const listConversations: OperatorHandler<'listConversations'> = async ({ db, operator }, { query }) => {
  const { unanswered, account, after, take = 50, ...handled } = query
  const rows = await listConversationRows(db, await accountScopeOf(db, operator, account), {
    ...handled,
    isUnanswered: unanswered === 'true',
    after: after === undefined ? undefined : readCursor(after),
    take: take + 1,
  })
  const page = rows.slice(0, take)
  const last = rows.length > take ? page.at(-1) : undefined
  return {
    conversations: page.map(
      ({ kind, id, last_at: _at, unanswered_since, last: { files, mail_hash: _hash, ...record }, ...row }) => ({
        ...row,
        ...fieldsOf({ kind, id }),
        last_message: { ...record, files: files.length },
        ...(unanswered_since && { unanswered_since: unanswered_since.toISOString() }),
      }),
    ),
    ...(last && {
      next: Buffer.from(JSON.stringify([last.last_at, last.account, last.kind, last.id])).toString('base64url'),
    }),
  }
}

function readCursor(text: string) {
  try {
    const [at, account, kind, id, ...more] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]
    const parts = [at, account, kind, id]
    if (more.length === 0 && parts.every((part) => typeof part === 'string') && isStorable(parts)) {
      const [time, slug, subject, subjectId] = parts as [string, string, string, string]
      // As PostgreSQL writes it.
      const [day, clock] = time.split(' ')
      if (time.endsWith('+00') && isDateWithTime(`${day}T${clock}:00`))
        return { at: time, account: slug, kind: subject, id: subjectId }
    }
  } catch {
    // As below.
  }
  throw invalid([{ pointer: '/after', detail: 'must be `next` of the previous page' }])
}

export const listCustomerMessages: OperatorHandler<'listCustomerMessages'> = async (
  { db, account, signLink },
  { query: { skip = 0, take = 50, ...given } },
) => {
  const subject = await getSubject(db, account, given)
  const records = await listMessageRecords(db, account, { subject, skip, take: take + 1 })
  const people = await listMentionable(db, account)
  const unanswered_since = await findUnansweredSince(db, account, subject)
  return {
    messages: records.slice(0, take).map((record) => messageOf(record, account, signLink)),
    has_more: records.length > take,
    people,
    ...(unanswered_since && { unanswered_since: unanswered_since.toISOString() }),
  }
}

export const settleConversation: OperatorHandler<'settleConversation'> = async ({ tx, account }, { body }) => {
  const subject = await getSubject(tx.sql, account, body)
  return { settled: await markAnswered(tx.sql, account, subject) }
}
