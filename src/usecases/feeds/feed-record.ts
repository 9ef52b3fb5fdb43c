import type { Feed } from '../../contract/operator/feeds.js'
import { Refusal } from '../../contract/refusals.js'
import type { Reader } from '../../database/database.js'
import { type FeedState, listFeedStates } from '../../store/feeds.js'
import type { OperatorHandler } from '../operator-context.js'

export const listFeeds: OperatorHandler<'listFeeds'> = async ({ db, base }) =>
  (await listFeedStates(db)).map((row) => feedOf(row, base))

export const getFeed: OperatorHandler<'getFeed'> = async ({ db, base }, { params }) =>
  getFeedRecord(db, params.feed_id, base)

export async function getFeedRecord(db: Reader, feed_id: string, base: string): Promise<Feed> {
  const [row] = await listFeedStates(db, feed_id)
  if (!row) throw new Refusal('feed_not_found')
  return feedOf(row, base)
}

/** The path that the carrier of a push feed sends to. */
export const callbackPath = '/feeds/v1'

/** `base`: the address by which carriers reach the service. */
export function feedOf(row: FeedState, base: string): Feed {
  const { feed_id, sender, format, channel, paused, pending_messages, message_id, received_at } = row
  return {
    feed_id,
    sender,
    format,
    channel,
    created_at: row.created_at.toISOString(),
    paused,
    pending_messages,
    ...(message_id !== null &&
      received_at !== null && { last_message: { message_id, received_at: received_at.toISOString() } }),
    ...(channel === 'push' ? { push: pushState(row, base) } : { pull: pullState(row) }),
  }
}

function pushState({ feed_id, format, refused, last_refused_at, secrets }: FeedState, base: string) {
  const address = `${base}${callbackPath}/${feed_id}`
  return {
    callback_url: format === 'dcsa-3.0' ? `${address}/events` : address,
    refused,
    secrets: secrets.map(({ created_at, until }) => ({
      created_at: created_at.toISOString(),
      ...(until && { until: until.toISOString() }),
    })),
    ...times({ last_refused_at }),
  }
}

function pullState(row: FeedState) {
  const { url, key_header, interval_seconds, failures, cursor, error, caught_up_at, now } = row
  return {
    url: url ?? '',
    has_key: row.secrets.length > 0,
    interval_seconds: interval_seconds ?? 0,
    failures,
    ...(key_header !== null && { key_header }),
    ...(row.token_url !== null && { token_url: row.token_url }),
    ...(row.client_id !== null && { client_id: row.client_id }),
    ...(row.scope !== null && { scope: row.scope }),
    ...(cursor !== null && { cursor }),
    ...(error !== null && { error }),
    lag_seconds: Math.max(0, Math.round((now.getTime() - (caught_up_at ?? row.created_at).getTime()) / 1000)),
    ...times({
      since: row.since,
      last_attempt_at: row.last_attempt_at,
      last_success_at: row.last_success_at,
      caught_up_at,
      next_attempt_at: row.paused ? null : row.next_attempt_at,
    }),
  }
}

function times<Name extends string>(given: Record<Name, Date | null>): Partial<Record<Name, string>> {
  const known = Object.entries<Date | null>(given).flatMap(([name, time]) => (time ? [[name, time.toISOString()]] : []))
  return Object.fromEntries(known) as Partial<Record<Name, string>>
}
