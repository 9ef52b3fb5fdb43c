import type { SentMail } from '../../contract/operator/mails.js'
import { listMails as listMailRows, type MailRow } from '../../store/mails.js'
import type { OperatorHandler } from '../operator-context.js'

export const listMails: OperatorHandler<'listMails'> = async ({ db }, { query: { state, before, take = 50 } }) => {
  const rows = await listMailRows(db, { state, before, take: take + 1 })
  const mails = rows.slice(0, take).map(mailOf)
  const next = rows.length > take ? mails.at(-1)?.mail_id : undefined
  return { mails, ...(next !== undefined && { next }) }
}

function mailOf({
  mail_id,
  recipient,
  subject,
  created_at,
  attempts,
  next_attempt_at,
  sent_at,
  failure,
}: MailRow): SentMail {
  return {
    mail_id,
    to: recipient,
    subject,
    state: sent_at ? 'sent' : next_attempt_at ? 'waiting' : 'failed',
    created_at: created_at.toISOString(),
    attempts,
    ...(next_attempt_at && { next_attempt_at: next_attempt_at.toISOString() }),
    ...(sent_at && { sent_at: sent_at.toISOString() }),
    ...(failure !== null && { failure }),
  }
}
