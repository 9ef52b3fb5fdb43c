import { Refusal } from '../../contract/refusals.js'
import {
  contrlFor,
  functionalAcknowledgementFor,
  type X12AcknowledgementType,
} from '../../domain/messages/edi/acknowledgement.js'
import { finishInSlices } from '../../jobs/in-slices.js'
import { findContent, type PendingMessage } from '../../store/messages.js'
import type { OperatorHandler } from '../operator-context.js'

export const getAcknowledgement: OperatorHandler<'getAcknowledgement'> = async (
  { db, operator },
  { params, query },
) => {
  const message_id = Number(params.message_id)
  const message = await findContent(db, operator.accounts, message_id)
  if (!message) throw new Refusal('message_not_found')
  const text = await acknowledgementOf({ ...message, message_id }, query.type)
  if (text === undefined) throw new Refusal('message_not_acknowledged')
  return async () => {
    const content = Buffer.from(text)
    const name = `acknowledgement-${message_id}.${message.format === 'x12' ? 'x12' : 'edi'}`
    return { name, mediaType: 'application/octet-stream', size: content.length, content }
  }
}

type Stored = Pick<PendingMessage, 'message_id' | 'format' | 'received_at' | 'content'>

/** The same whenever it is asked for. Undefined for formats without one, and for what cannot be answered. */
export async function acknowledgementOf(
  { message_id, format, received_at, content }: Stored,
  type?: X12AcknowledgementType,
): Promise<string | undefined> {
  const ours = { number: message_id, at: new Date(received_at) }
  if (format === 'iftsta') return finishInSlices(contrlFor(content, ours))
  return format === 'x12' ? finishInSlices(functionalAcknowledgementFor(content, ours, type)) : undefined
}
