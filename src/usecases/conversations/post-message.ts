import { randomBytes, randomUUID } from 'node:crypto'
import type { MessageCreate, MessageFileRecord, MessageRecord } from '../../contract/public/message.js'
import { maxUnsentFiles } from '../../contract/public/message-limits.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import { Transaction } from '../../ledger/transaction.js'
import { countUnsentFiles, findAuthorName, findMessageFiles, listMentionable } from '../../store/conversations.js'
import { ensureNotificationState } from '../../store/notifications.js'
import type { CustomerHandler } from '../customer-context.js'
import { contentOf } from '../documents/document-content.js'
import type { OperatorHandler } from '../operator-context.js'
import type { Upload } from '../upload.js'
import { fieldsOf, getSubject } from './conversation.js'

/** Somebody of the account, or of the forwarder, writes about a shipment or an order. */

export const postOwnMessage: CustomerHandler<'postMessage'> = async ({ tx, account, actor }, { body }) => {
  const name = actor.actor_name ?? (await findAuthorName(tx.sql, account, tx.author)) ?? 'API'
  const { message_id } = await post(tx, account, body, { side: 'account', name, ...personOf(tx.author, 'person:') })
  return { message_id }
}

export const postCustomerMessage: OperatorHandler<'postCustomerMessage'> = async (
  { tx, account, operator },
  { body },
) => {
  const person = await listMentionable(tx.sql, account, [operator.operator_id])
  const isPerson = person.some(({ side }) => side === 'forwarder')
  const { message_id } = await post(tx, account, body, {
    side: 'forwarder',
    name: operator.name,
    ...(isPerson && { person_id: operator.operator_id }),
  })
  return { message_id }
}

function personOf(author: string, prefix: string): { person_id?: string } {
  return author.startsWith(prefix) ? { person_id: author.slice(prefix.length) } : {}
}

/** Stores a message under the lock of its account. */
export async function post(
  tx: Transaction,
  account: AccountId,
  { text, mentions = [], files = [], ...given }: MessageCreate,
  author: MessageRecord['author'],
  mail_hash?: string,
): Promise<MessageRecord> {
  const subject = await getSubject(tx.sql, account, given)
  const message_id = `msg_${randomBytes(10).toString('hex')}`
  const mentioned = mentions.length === 0 ? [] : await listMentionable(tx.sql, account, mentions)
  const faults = mentions.flatMap((id, index) =>
    mentioned.some(({ person_id }) => person_id === id)
      ? []
      : [{ pointer: `/mentions/${index}`, detail: 'must be a user of the account or staff of the forwarder' }],
  )
  const attached = await unsentFiles(tx, account, files)
  if (faults.length > 0) throw invalid(faults)
  const record: MessageRecord = {
    message_id,
    ...fieldsOf(subject),
    text: text.replaceAll(/\r\n?/g, '\n').trimEnd(),
    sent_at: new Date(tx.at).toISOString(),
    author,
    mentions: mentioned,
    files: attached.map(({ file_id, name, size }) => ({ file_id, name, size })),
    ...(mail_hash !== undefined && { mail_hash }),
  }
  tx.put('message', [{ record, before: undefined }])
  if (attached.length > 0)
    tx.put(
      'message_file',
      attached.map((before) => ({ record: { ...before, message_id }, before })),
    )
  // People are notified of messages even if nobody has subscribed to anything.
  ensureNotificationState(tx, account)
  return record
}

async function unsentFiles(tx: Transaction, account: AccountId, ids: string[]): Promise<MessageFileRecord[]> {
  if (ids.length === 0) return []
  const lower = ids.map((id) => id.toLowerCase())
  const found = await findMessageFiles(tx.sql, account, lower)
  const faults = lower.flatMap((id, index) => {
    const file = found.find(({ file_id }) => file_id === id)
    const pointer = `/files/${index}`
    if (!file || file.author !== tx.author) return [{ pointer, detail: 'must be a file that the caller has uploaded' }]
    if (file.message_id !== undefined) return [{ pointer, detail: 'was sent with another message' }]
    return lower.indexOf(id) < index ? [{ pointer, detail: 'occurs twice' }] : []
  })
  if (faults.length > 0) throw invalid(faults)
  return found
}

export const uploadOwnFile: CustomerHandler<'uploadMessageFile'> = async ({ tx, account }, { upload, prepared }) =>
  storeFile(tx, account, upload, prepared)

export const uploadOperatorFile: OperatorHandler<'uploadMessageFile'> = async ({ tx, account }, { upload, prepared }) =>
  storeFile(tx, account, upload, prepared)

/** Stores a file that a message will name. */
export async function storeFile(
  tx: Transaction,
  account: AccountId,
  upload: Upload,
  prepared: Promise<void>,
): Promise<{ file_id: string; name: string; size: number }> {
  if ((await countUnsentFiles(tx.sql, account)) >= maxUnsentFiles) throw new Refusal('too_many_message_files')
  await prepared
  const file = putFile(tx, upload)
  await tx.refuseOverQuota()
  await upload.intake.keepAccepted()
  return file
}

/** The same within a write that sends it: its content is kept at the end. */
export function putFile(tx: Transaction, upload: Upload): { file_id: string; name: string; size: number } {
  const { size, content_hash } = contentOf(upload)
  const file = { file_id: randomUUID(), name: upload.name, size }
  const record = { ...file, content_hash, author: tx.author, uploaded_at: new Date(tx.at).toISOString() }
  tx.put('message_file', [{ record, before: undefined }])
  return file
}
