import { createHash } from 'node:crypto'
import type { OperatorRole } from '../../contract/operator/accounts.js'
import { mayDo } from '../../contract/operator/rights.js'
import type { PersonRole } from '../../contract/portal/people.js'
import { mayInPortal } from '../../contract/portal/rights.js'
import { maxMessageFiles, maxMessageText } from '../../contract/public/message-limits.js'
import { Refusal } from '../../contract/refusals.js'
import { forwarderAccount } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import type { Intake } from '../../documents/document-files.js'
import { isAutomatic } from '../../domain/conversations/reply-text.js'
import { cleanFileName } from '../../domain/documents/file-name.js'
import { normalizedEmail } from '../../domain/people/email.js'
import { commit } from '../../ledger/commit.js'
import { type MailAttachment, type ReadMail, readMail } from '../../mail/read-mail.js'
import { recordAudit } from '../../store/audit.js'
import { findMessageByMail } from '../../store/conversations.js'
import { findReplier, type Replier } from '../../store/reply-addresses.js'
import { findFileFault } from '../documents/document-content.js'
import type { OperatorHandler } from '../operator-context.js'
import type { Upload } from '../upload.js'
import { fieldsOf } from './conversation.js'
import { post, putFile } from './post-message.js'
import { hashOfToken, tokensIn } from './reply-address.js'

/** A mail that somebody sent in answer to one about a message becomes a message, once. */
export const receiveMail: OperatorHandler<'receiveMail'> = async (context, { content }) => {
  const { db, files, quotas, actor, replyAddress } = context
  if (replyAddress === undefined) throw new Refusal('replies_not_received')
  const mail = await readMail(content)
  if (!mail) throw new Refusal('mail_not_readable')
  // Also what this service has sent itself.
  if (isAutomatic(mail.headers)) throw new Refusal('mail_automatic')
  const { account, replier } = await getReplier(db, mail, replyAddress)
  const { text } = mail
  const intake = files.createIntake()
  try {
    const { uploads, refused } = await takeFiles(intake, mail.attachments)
    const whole = [text || (uploads.length > 0 ? uploads.map(({ name }) => name).join(', ') : ''), noteOf(refused)]
      .filter((part) => part !== '')
      .join('\n\n')
    if (whole === '') throw new Refusal('mail_without_text')
    await intake.prepareAccepted()
    const isStaff = replier.person_account === forwarderAccount
    const author = `${isStaff ? 'operator' : 'person'}:${replier.person_id}`
    const mail_hash = hashOf(mail, content, replier.person_id)
    return await commit(db, account, author, async (tx) => {
      tx.applyDefaultQuotas(quotas)
      const known = await findMessageByMail(tx.sql, account, mail_hash)
      if (known !== undefined) return { account: replier.account, message_id: known, repeated: true }
      const stored = uploads.map((upload) => putFile(tx, upload))
      const body = { ...fieldsOf(replier), text: clipped(whole), files: stored.map(({ file_id }) => file_id) }
      const side = isStaff ? ('forwarder' as const) : ('account' as const)
      const by = { side, name: replier.name, person_id: replier.person_id }
      const { message_id } = await post(tx, account, body, by, mail_hash)
      await tx.refuseOverQuota()
      await intake.keepAccepted()
      const details = { operation: 'receiveMail', from: author }
      await recordAudit(tx.sql, account, actor, {
        kind: 'operator',
        action: 'operator_acted',
        subject: message_id,
        details,
      })
      return { account: replier.account, message_id, repeated: false }
    })
  } finally {
    await intake.discard()
  }
}

async function getReplier(db: Database, mail: ReadMail, replyAddress: string) {
  for (const { account, token } of tokensIn(mail.to, replyAddress)) {
    const replier = await findReplier(db, account, hashOfToken(token))
    if (!replier) continue
    refuseOthers(mail, replier)
    return { account, replier }
  }
  throw new Refusal('reply_address_not_found')
}

/** Whoever has the address of another person cannot write in their name. */
function refuseOthers({ from }: ReadMail, { email, role, person_account, isDisabled, isSuspended }: Replier): void {
  const [address, ...more] = from
  if (address === undefined || more.length > 0 || normalizedEmail(address) !== email)
    throw new Refusal('mail_from_another')
  if (isSuspended) throw new Refusal('account_suspended')
  const mayWrite =
    person_account === forwarderAccount
      ? mayDo(role as OperatorRole, 'operate')
      : mayInPortal(role as PersonRole, 'write')
  if (isDisabled || !mayWrite) throw new Refusal('mail_from_another', 'The sender may not write messages.')
}

async function takeFiles(intake: Intake, attachments: MailAttachment[]) {
  const uploads: Upload[] = []
  const refused: string[] = []
  for (const { name: given, content } of attachments) {
    const name = cleanFileName(given)
    const isTaken = uploads.length < maxMessageFiles && name !== ''
    const upload = isTaken ? { ...(await intake.add(content)), name, intake } : undefined
    if (!upload || (await findFileFault(upload))) {
      refused.push(name || '?')
      continue
    }
    await intake.accept(upload.hash)
    uploads.push(upload)
  }
  return { uploads, refused }
}

function noteOf(refused: string[]): string {
  return refused.length === 0 ? '' : `(Files not accepted: ${refused.slice(0, 10).join(', ').slice(0, 500)})`
}

function clipped(text: string): string {
  if (text.length <= maxMessageText) return text
  return `${text.slice(0, maxMessageText - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** A mail that is delivered twice is one message. */
function hashOf({ messageId }: ReadMail, content: Buffer, person_id: string): string {
  const id = messageId?.trim() || content
  return createHash('sha256').update(person_id).update('\n').update(id).digest('hex')
}
