import { systemTime } from '../../clock/clock.js'
import type { Database } from '../../database/database.js'
import { isStored, type LeasedFeed, releaseFeed, saveFailure, saveProgress } from '../../store/feed-progress.js'
import { findFeedSecrets } from '../../store/feed-secrets.js'
import { storeMessage } from '../../store/messages.js'
import { type AccessTokens, tokenClientOf } from './access-tokens.js'
import { CarrierFailure, type CarrierResponse, type RequestOptions, requestCarrier } from './carrier-request.js'
import { type FeedPage, firstPage, readPage } from './feed-page.js'

/** The timeout of all requests for a page together is less than the lease. */
export type PullOptions = RequestOptions & { tokens: AccessTokens }

/** Fetches a page of a leased feed, and stores it with the position after it. Returns whether there is a new message. */
export async function pullPage(db: Database, feed: LeasedFeed, options: PullOptions): Promise<boolean> {
  const isFirst = feed.cursor === null
  let fetched: { response: CarrierResponse; page: FeedPage }
  try {
    const url = isFirst ? firstPage({ ...feed, url: feed.url ?? '' }) : new URL(feed.cursor ?? '')
    const [key] = await findFeedSecrets(db, feed.feed_id)
    const response = await fetchPage(url, feed, key, options)
    fetched = { response, page: readPage(response, url) }
  } catch (error) {
    // The service stops: another process, or the next start, goes on.
    if (options.signal.aborted) await releaseFeed(db, feed)
    else if (error instanceof CarrierFailure) await saveFailure(db, feed, failureOf(error, feed))
    else {
      // Later, and visibly, rather than at once again.
      await saveFailure(db, feed, failureOf(new CarrierFailure('The service failed: an internal error.'), feed))
      throw error
    }
    return false
  }
  const { page, response } = fetched
  return db.begin(async (sql) => {
    const { sender, feed_id } = feed
    const isNew = !page.isEmpty && !(await isStored(sql, sender, response.content))
    if (!(await saveProgress(sql, feed, { ...page, isFirst, isNew }, 0.9 + Math.random() * 0.2))) return false
    if (!isNew) return false
    await storeMessage(sql, { sender, feed_id, channel: 'pull', format: 'dcsa', content: response.content })
    return true
  })
}

/** With the key of the feed, or with a token, which is renewed once if the carrier refuses it. */
async function fetchPage(
  url: URL,
  feed: LeasedFeed,
  key: string | undefined,
  { tokens, ...options }: PullOptions,
): Promise<CarrierResponse> {
  const client = tokenClientOf(feed, key)
  if (!client) return requestCarrier(url, headersFor(feed, key), options)
  // The requests for tokens and the page share the time that a page has.
  const deadline = systemTime() + options.timeout
  const limited = () => ({ ...options, timeout: Math.max(1, deadline - systemTime()) })
  const withToken = async () => {
    const token = await tokens.tokenFor(feed.feed_id, client, limited)
    const headers = { ...headersFor(feed, client.client_id), authorization: `Bearer ${token}` }
    return requestCarrier(url, headers, limited())
  }
  const response = await withToken()
  if (response.status !== 401) return response
  tokens.forget(feed.feed_id)
  return withToken()
}

function headersFor({ format, key_header }: LeasedFeed, key: string | undefined): Record<string, string> {
  return {
    ...(format === 'dcsa-3.0' && { 'api-version': '3.0.0' }),
    ...(key !== undefined && (key_header === null ? { authorization: `Bearer ${key}` } : { [key_header]: key })),
  }
}

const backOff = { first: 5, longest: 3600 }

function failureOf({ message, retryAfter, isUnknownPage }: CarrierFailure, { failures, cursor }: LeasedFeed) {
  // Random, so that feeds which failed together do not come again together.
  const random = 0.5 + Math.random() / 2
  const usual = Math.min(backOff.longest, backOff.first * 2 ** Math.min(failures, 20)) * random
  const delay = Math.max(usual, (retryAfter ?? 0) + random)
  return { error: message, delay, startsOver: isUnknownPage && cursor !== null }
}
