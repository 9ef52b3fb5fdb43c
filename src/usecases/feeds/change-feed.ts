import { systemTime } from '../../clock/clock.js'
import type { FeedRotation, FeedUpdate } from '../../contract/operator/feeds.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { TransactionSql } from '../../database/database.js'
import { day } from '../../domain/dates/local-time.js'
import type { Actor } from '../../store/audit.js'
import { addFeedSecret, hasFeedSecret, limitFeedSecrets } from '../../store/feed-secrets.js'
import { deleteFeed, lockFeed, saveFeedSettings } from '../../store/feeds.js'
import type { OperatorHandler } from '../operator-context.js'
import { auditFeed } from './audit-feed.js'
import { newSecret, storedForm } from './create-feed.js'
import { getFeedRecord } from './feed-record.js'
import { refuseOtherChannel, refuseTokens, refuseUrl } from './feed-settings.js'

export const updateFeed: OperatorHandler<'updateFeed'> = async (
  { sql, actor, base },
  { params: { feed_id }, body },
) => {
  await updateFeedIn(sql, feed_id, body, actor)
  return getFeedRecord(sql, feed_id, base)
}

export async function updateFeedIn(
  sql: TransactionSql,
  feed_id: string,
  { key, ...given }: FeedUpdate,
  actor: Actor,
): Promise<void> {
  const feed = await lockFeed(sql, feed_id)
  if (!feed) throw new Refusal('feed_not_found')
  refuseOtherChannel(feed.channel, { ...given, ...(key !== undefined && { key }) })
  if (given.url !== undefined) refuseUrl(given.url)
  const tokens = {
    token_url: given.token_url ?? feed.token_url,
    client_id: given.client_id ?? feed.client_id,
    scope: given.scope ?? feed.scope,
  }
  refuseTokens(tokens, key !== undefined || (await hasFeedSecret(sql, feed_id)))
  await saveFeedSettings(sql, feed_id, {
    paused: given.paused ?? feed.paused,
    url: given.url ?? feed.url,
    key_header: given.key_header ?? feed.key_header,
    ...tokens,
    interval_seconds: given.interval_seconds ?? feed.interval_seconds,
    since: given.since === undefined ? feed.since : new Date(given.since),
    startsOver: given.url !== undefined || given.since !== undefined,
  })
  if (key !== undefined) await addFeedSecret(sql, feed_id, key, { isOnly: true })
  const details = { sender: feed.sender, ...given, ...(key !== undefined && { key: 'changed' }) }
  await auditFeed(sql, actor, 'updateFeed', feed_id, details)
}

export const rotateFeedSecret: OperatorHandler<'rotateFeedSecret'> = async (
  { sql, actor, base },
  { params: { feed_id }, body },
) => {
  const secret = await rotateFeedSecretIn(sql, feed_id, body, actor)
  return { ...(await getFeedRecord(sql, feed_id, base)), secret }
}

const overlap = { usual: day, longest: 30 * day }

/** Returns the new secret, which works at once. */
export async function rotateFeedSecretIn(
  sql: TransactionSql,
  feed_id: string,
  { old_until, secret: given }: FeedRotation,
  actor: Actor,
): Promise<string> {
  const feed = await lockFeed(sql, feed_id)
  if (!feed) throw new Refusal('feed_not_found')
  if (feed.channel !== 'push') throw new Refusal('feed_not_push')
  const until = old_until === undefined ? systemTime() + overlap.usual : Date.parse(old_until)
  if (until > systemTime() + overlap.longest)
    throw invalid([{ pointer: '/old_until', detail: 'must be within 30 days' }])
  const secret = newSecret(feed.format, given)
  await limitFeedSecrets(sql, feed_id, new Date(until))
  await addFeedSecret(sql, feed_id, storedForm(feed.format, secret))
  const details = { sender: feed.sender, old_until: new Date(until).toISOString() }
  await auditFeed(sql, actor, 'rotateFeedSecret', feed_id, details)
  return secret
}

export const removeFeed: OperatorHandler<'removeFeed'> = async ({ sql, actor }, { params: { feed_id } }) => {
  await removeFeedIn(sql, feed_id, actor)
  return { removed: feed_id }
}

export async function removeFeedIn(sql: TransactionSql, feed_id: string, actor: Actor): Promise<void> {
  const feed = await lockFeed(sql, feed_id)
  if (!feed) throw new Refusal('feed_not_found')
  await deleteFeed(sql, feed_id)
  await auditFeed(sql, actor, 'removeFeed', feed_id, { sender: feed.sender })
}
