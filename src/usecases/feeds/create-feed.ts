import { randomBytes } from 'node:crypto'
import type { FeedCreate, FeedFormat } from '../../contract/operator/feeds.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { TransactionSql } from '../../database/database.js'
import type { Actor } from '../../store/audit.js'
import { addFeedSecret } from '../../store/feed-secrets.js'
import { countFeeds, insertFeed } from '../../store/feeds.js'
import { hashTextOfKey } from '../../store/key-hash.js'
import type { OperatorHandler } from '../operator-context.js'
import { auditFeed } from './audit-feed.js'
import { getFeedRecord } from './feed-record.js'
import { refuseOtherChannel, refuseSecret, refuseTokens, refuseUrl } from './feed-settings.js'

export const createFeed: OperatorHandler<'createFeed'> = async ({ sql, actor, base }, { body }) => {
  const { feed_id, secret } = await createFeedIn(sql, body, actor)
  return { ...(await getFeedRecord(sql, feed_id, base)), ...(secret !== undefined && { secret }) }
}

const mostFeeds = 1000
const usualInterval = 300

/** Returns the secret of a feed that a carrier sends to: it is shown only now. */
export async function createFeedIn(
  sql: TransactionSql,
  given: FeedCreate,
  actor: Actor,
): Promise<{ feed_id: string; secret: string | undefined }> {
  const { sender, channel, format, url, key } = given
  refuseOtherChannel(channel, given)
  const tokens = {
    token_url: given.token_url ?? null,
    client_id: given.client_id ?? null,
    scope: given.scope ?? null,
  }
  if (channel === 'pull') {
    if (url === undefined) throw invalid([{ pointer: '/url', detail: 'is required' }])
    refuseUrl(url)
    refuseTokens(tokens, key !== undefined)
    if (given.secret !== undefined)
      throw invalid([{ pointer: '/secret', detail: 'is for feeds that a carrier sends to' }])
  }
  if ((await countFeeds(sql)) >= mostFeeds) throw new Refusal('too_many_feeds')
  // Carriers learn it as a part of the address: nobody else can guess it.
  const feed_id = `feed_${randomBytes(16).toString('hex')}`
  await insertFeed(sql, {
    feed_id,
    sender,
    channel,
    format,
    url: url ?? null,
    key_header: given.key_header ?? null,
    ...tokens,
    interval_seconds: channel === 'pull' ? (given.interval_seconds ?? usualInterval) : null,
    since: given.since === undefined ? null : new Date(given.since),
  })
  const secret = channel === 'push' ? newSecret(format, given.secret) : undefined
  const stored = secret === undefined ? key : storedForm(format, secret)
  if (stored !== undefined) await addFeedSecret(sql, feed_id, stored)
  await auditFeed(sql, actor, 'createFeed', feed_id, { sender, channel, format, ...(url !== undefined && { url }) })
  return { feed_id, secret }
}

/** A secret for signatures (2.2) as DCSA requires it, or a key that the carrier sends (3.0). */
export function newSecret(format: FeedFormat, given: string | undefined): string {
  if (given !== undefined) refuseSecret(given)
  return given ?? randomBytes(32).toString(format === 'dcsa-2.2' ? 'base64' : 'base64url')
}

/** Signatures need the secret itself; of a key that the carrier sends, the hash is enough. */
export function storedForm(format: FeedFormat, secret: string): string {
  return format === 'dcsa-2.2' ? secret : hashTextOfKey(secret)
}
