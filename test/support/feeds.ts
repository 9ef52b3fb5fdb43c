import { createHmac } from 'node:crypto'
import type { FeedCreate, FeedWithSecret } from '../../src/contract/operator/feeds.js'
import { newOperator } from './operator.js'
import type { RunningService } from './service.js'

/** An admin who adds feeds, and reads what became of them. */
export async function feedAdmin(service: RunningService) {
  const { ops } = await newOperator(service)
  const add = async (body: FeedCreate) => (await ops('createFeed', undefined, { body })).body
  const read = async (feed_id: string) => (await ops('getFeed', undefined, { params: { feed_id } })).body
  const messages = async (sender: string) => (await ops('listMessages', undefined, { query: { sender } })).body.messages
  return { ops, add, read, messages }
}

/** As DCSA 2.2 signs: HMAC-SHA256 of the body with the secret, which is base64. */
export function signatureOf(content: string | Buffer, secret: string): string {
  return `sha256=${createHmac('sha256', Buffer.from(secret, 'base64')).update(content).digest('hex')}`
}

/** Sends a notification to the callback of a feed, signed unless headers are given. */
export async function notify(
  { push, secret = '' }: FeedWithSecret,
  content: string | Buffer,
  headers: Record<string, string> = { 'notification-signature': signatureOf(content, secret) },
): Promise<Response> {
  return fetch(push?.callback_url ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(content),
  })
}
