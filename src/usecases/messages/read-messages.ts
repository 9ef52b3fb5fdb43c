import type { Message, MessageDetails, MessageEvent, MessageFormat } from '../../contract/operator/messages.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { AccountScope } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { isWorkbook } from '../../domain/messages/message-format.js'
import { normalReference } from '../../domain/messages/references.js'
import { findContent, findMessage, listMessageRows, type MessageRow } from '../../store/messages.js'
import type { OperatorHandler } from '../operator-context.js'

export const listMessages: OperatorHandler<'listMessages'> = async ({ db, operator }, { query }) => {
  const { after, take = 50, reference, ...filter } = query
  if (after !== undefined && !/^[1-9]\d{0,14}$/.test(after))
    throw invalid([{ pointer: '/after', detail: 'must be `next` of the page before' }])
  const rows = await listMessageRows(db, operator.accounts, {
    ...filter,
    reference: reference === undefined ? undefined : normalReference(reference),
    before: after === undefined ? Number.MAX_SAFE_INTEGER : Number(after),
    // One row more than requested shows whether there is a next page.
    take: take + 1,
  })
  const messages = rows.slice(0, take).map(messageOf)
  const last = messages.at(-1)
  return { messages, ...(rows.length > take && last && { next: String(last.message_id) }) }
}

export const getMessage: OperatorHandler<'getMessage'> = async ({ db, operator }, { params }) =>
  getMessageDetails(db, operator.accounts, Number(params.message_id))

export const getMessageContent: OperatorHandler<'getMessageContent'> = async (
  { db, operator },
  { params: { message_id } },
) => {
  const found = await findContent(db, operator.accounts, Number(message_id))
  if (!found) throw new Refusal('message_not_found')
  const { content, format } = found
  return async () => ({
    name: `message-${message_id}.${isWorkbook(content) ? 'xlsx' : extensions[format]}`,
    // Never shown by a browser: anybody may have written it.
    mediaType: 'application/octet-stream',
    size: content.length,
    content,
  })
}

const extensions: Record<MessageFormat, string> = {
  dcsa: 'json',
  events: 'json',
  iftsta: 'edi',
  x12: 'x12',
  table: 'csv',
}

export async function getMessageDetails(db: Reader, scope: AccountScope, message_id: number): Promise<MessageDetails> {
  const found = await findMessage(db, scope, message_id)
  if (!found) throw new Refusal('message_not_found')
  const { events, warnings, ...row } = found
  const odd = JSON.parse(warnings) as string[]
  return { ...messageOf(row), events: JSON.parse(events) as MessageEvent[], ...(odd.length > 0 && { warnings: odd }) }
}

function messageOf({ reason, processed_at, counts, ...row }: MessageRow): Message {
  return {
    ...row,
    counts: { events: 0, ...(JSON.parse(counts) as Partial<Message['counts']>) },
    ...(reason !== null && { reason }),
    ...(processed_at !== null && { processed_at }),
  }
}
