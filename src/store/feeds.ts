import type { FeedChannel, FeedFormat } from '../contract/operator/feeds.js'
import type { Database, Reader, TransactionSql } from '../database/database.js'

/** Feeds and their progress. They belong to the forwarder, as the messages that they bring. */

export type FeedRow = {
  feed_id: string
  sender: string
  channel: FeedChannel
  format: FeedFormat
  created_at: Date
  paused: boolean
  refused: number
  last_refused_at: Date | null
  url: string | null
  key_header: string | null
  token_url: string | null
  client_id: string | null
  scope: string | null
  interval_seconds: number | null
  since: Date | null
  /** The newest event of the round of fetching that is under way. */
  newest: Date | null
  cursor: string | null
  failures: number
  error: string | null
  last_attempt_at: Date | null
  last_success_at: Date | null
  caught_up_at: Date | null
  next_attempt_at: Date | null
}

type NewFeed = Pick<
  FeedRow,
  | 'feed_id'
  | 'sender'
  | 'channel'
  | 'format'
  | 'url'
  | 'key_header'
  | 'token_url'
  | 'client_id'
  | 'scope'
  | 'interval_seconds'
  | 'since'
>

export async function insertFeed(sql: TransactionSql, given: NewFeed): Promise<void> {
  await sql`
    insert into feeds (
      feed_id, sender, channel, format, url, key_header, token_url, client_id, scope, interval_seconds, since, next_attempt_at)
    values (${given.feed_id}, ${given.sender}, ${given.channel}, ${given.format}, ${given.url}, ${given.key_header},
      ${given.token_url}, ${given.client_id}, ${given.scope}, ${given.interval_seconds}, ${given.since}, now())`
}

export async function countFeeds(sql: Reader): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::integer as count from feeds`
  return row?.count ?? 0
}

function columns(db: Reader) {
  return db`
    feed_id, sender, channel, format, created_at, paused, refused, last_refused_at, url, key_header, token_url, client_id, scope,
    interval_seconds, since,
    newest, cursor, failures, error, last_attempt_at, last_success_at, caught_up_at, next_attempt_at`
}

/** A feed with the newest message that it brought and what is still to be processed. */
export type FeedState = FeedRow & {
  secrets: { created_at: Date; until: Date | null }[]
  message_id: number | null
  received_at: Date | null
  pending_messages: number
  now: Date
}

const mostPending = 1000

/** All feeds, or one. */
export async function listFeedStates(db: Reader, feed_id?: string): Promise<FeedState[]> {
  const rows = await db<(FeedState & { secrets_text: string })[]>`
    select ${columns(db)}, now() as now, message_id, received_at, pending_messages, secrets_text
    from feeds
    left join lateral (
      select message_id, received_at from messages
      where messages.feed_id = feeds.feed_id order by message_id desc limit 1
    ) newest_message on true
    cross join lateral (
      select count(*)::integer as pending_messages from (
        select from messages where messages.sender = feeds.sender and outcome = 'received' limit ${mostPending}) waiting
    ) waiting
    cross join lateral (
      select coalesce(json_agg(json_build_object('created_at', created_at, 'until', until) order by secret_id), '[]')::text
        as secrets_text
      from feed_secrets where feed_secrets.feed_id = feeds.feed_id and (until is null or until > now())
    ) working
    where ${feed_id ?? null}::text is null or feed_id = ${feed_id ?? null}
    order by sender, created_at, feed_id`
  return rows.map(({ secrets_text, ...row }) => ({
    ...row,
    secrets: (JSON.parse(secrets_text) as { created_at: string; until: string | null }[]).map((secret) => ({
      created_at: new Date(secret.created_at),
      until: secret.until === null ? null : new Date(secret.until),
    })),
  }))
}

/** A feed that a carrier sends to. */
export async function findPushFeed(
  db: Reader,
  feed_id: string,
): Promise<Pick<FeedRow, 'feed_id' | 'sender' | 'format' | 'paused'> | undefined> {
  const [row] = await db<Pick<FeedRow, 'feed_id' | 'sender' | 'format' | 'paused'>[]>`
    select feed_id, sender, format, paused from feeds where feed_id = ${feed_id} and channel = 'push'`
  return row
}

export async function lockFeed(sql: TransactionSql, feed_id: string): Promise<FeedRow | undefined> {
  const [row] = await sql<FeedRow[]>`select ${columns(sql)} from feeds where feed_id = ${feed_id} for update`
  return row
}

export async function deleteFeed(sql: TransactionSql, feed_id: string): Promise<boolean> {
  const deleted = await sql`delete from feeds where feed_id = ${feed_id} returning 1`
  return deleted.length > 0
}

export type FeedChange = Pick<
  FeedRow,
  'paused' | 'url' | 'key_header' | 'token_url' | 'client_id' | 'scope' | 'interval_seconds' | 'since'
> & {
  /** Whether fetching starts over from `since`. */
  startsOver: boolean
}

/** Changes the settings of a feed. Ends the lease of a process that fetches with the old ones: what it fetched is not stored. */
export async function saveFeedSettings(sql: TransactionSql, feed_id: string, change: FeedChange): Promise<void> {
  await sql`
    update feeds
    set paused = ${change.paused}, url = ${change.url}, key_header = ${change.key_header},
      token_url = ${change.token_url}, client_id = ${change.client_id}, scope = ${change.scope},
      interval_seconds = ${change.interval_seconds}, since = ${change.since},
      cursor = case when ${change.startsOver} then null else cursor end,
      newest = case when ${change.startsOver} then null else newest end,
      failures = 0, error = null, next_attempt_at = now(), lease = null, leased_until = null
    where feed_id = ${feed_id}`
}

/** Counts a request that was refused since it is not of the carrier. */
export async function countRefusal(db: Database, feed_id: string): Promise<void> {
  await db`update feeds set refused = refused + 1, last_refused_at = now() where feed_id = ${feed_id}`
}

/** How long ago each feed that is fetched reached its last page, or was created, and how often it failed since. */
export type FeedLag = { sender: string; feed_id: string; seconds: number; failures: number }

export async function findFeedLags(db: Reader): Promise<FeedLag[]> {
  return db<FeedLag[]>`
    select sender, feed_id, failures,
      greatest(extract(epoch from now() - coalesce(caught_up_at, created_at))::double precision, 0) as seconds
    from feeds where channel = 'pull' and not paused order by sender, feed_id`
}
