import type { MessageDetails, MessageFormat } from '../../contract/operator/messages.js'
import type { Quotas } from '../../contract/operator/quotas.js'
import type { Database } from '../../database/database.js'
import { isUnreachable } from '../../database/errors.js'
import { storeMessage } from '../../store/messages.js'
import type { OperatorHandler } from '../operator-context.js'
import { processSender } from './inbox.js'
import { getMessageDetails } from './read-messages.js'

export const receiveMessage: OperatorHandler<'receiveMessage'> = async (
  { db, quotas, reportError },
  { query: { sender, format }, content },
) => takeMessage(db, { sender, format, channel: 'http', content }, { quotas, onError: reportError })

type Given = { sender: string; format: MessageFormat; channel: 'http' | 'folder' | 'file'; content: Buffer }

/** Stores the message first: whatever happens then, it is processed, at the latest after the next start. */
export async function takeMessage(
  db: Database,
  given: Given,
  inbox: { quotas: Quotas; onError(error: unknown): void },
): Promise<MessageDetails> {
  const message_id = await storeMessage(db, given)
  try {
    await processSender(db, given.sender, inbox, message_id)
  } catch (error) {
    // The message is stored, and will be processed later.
    if (!isUnreachable(error)) inbox.onError(error)
  }
  return getMessageDetails(db, 'all', message_id)
}
