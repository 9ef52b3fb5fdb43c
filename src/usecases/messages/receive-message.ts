import { isUnreachable } from '../../database/errors.js'
import { storeMessage } from '../../store/messages.js'
import type { OperatorHandler } from '../operator-context.js'
import { processSender } from './inbox.js'
import { getMessageDetails } from './read-messages.js'

/** Stores the message first: whatever happens then, it is processed, at the latest after the next start. */
export const receiveMessage: OperatorHandler<'receiveMessage'> = async (
  { db, quotas, reportError },
  { query, content },
) => {
  const { sender, format } = query
  const message_id = await storeMessage(db, { sender, format, channel: 'http', content })
  try {
    await processSender(db, sender, { quotas, onError: reportError }, message_id)
  } catch (error) {
    // The message is stored, and will be processed later.
    if (!isUnreachable(error)) reportError(error)
  }
  return getMessageDetails(db, message_id)
}
