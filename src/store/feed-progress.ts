import { hash } from 'node:crypto'
import type { Database, TransactionSql } from '../database/database.js'
import type { FeedRow } from './feeds.js'

/**
 * Who fetches which feed, and how far it has got. A process leases a feed for one page: no other fetches it meanwhile, and if
 * the process ends, the lease does. A page and the position after it are stored together, by the holder of the lease only.
 */

export type LeasedFeed = Pick<
  FeedRow,
  | 'feed_id'
  | 'sender'
  | 'format'
  | 'url'
  | 'key_header'
  | 'token_url'
  | 'client_id'
  | 'scope'
  | 'since'
  | 'cursor'
  | 'failures'
> & { lease: string }

// A sender with this many messages that are not processed yet has to wait.
const mostPending = 100

/** Leases up to `most` feeds that are due. */
export async function leaseDueFeeds(
  db: Database,
  { lease, seconds, most }: { lease: string; seconds: number; most: number },
): Promise<LeasedFeed[]> {
  return db<LeasedFeed[]>`
    update feeds set lease = ${lease}, leased_until = now() + make_interval(secs => ${seconds}), last_attempt_at = now()
    where feed_id = any (array(
      select feed_id from feeds
      where channel = 'pull' and not paused and next_attempt_at <= now() and (leased_until is null or leased_until < now())
        and (
          select count(*) from (
            select from messages where messages.sender = feeds.sender and outcome = 'received' limit ${mostPending}) waiting
        ) < ${mostPending}
      order by next_attempt_at limit ${most} for update skip locked))
    returning feed_id, sender, format, url, key_header, token_url, client_id, scope, since, cursor, failures, lease`
}

/** Gives a feed back as if it had not been leased. */
export async function releaseFeed(db: Database, { feed_id, lease }: LeasedFeed): Promise<void> {
  await db`update feeds set lease = null, leased_until = null where feed_id = ${feed_id} and lease = ${lease}`
}

type FetchedPage = {
  /** The newest creation time of its events. */
  newest: Date | undefined
  /** The address of the next page; undefined after the last one. */
  next: string | undefined
  /** It begins a round: what one before has seen does not count. */
  isFirst: boolean
  /** It has events, in other bytes than any page before. */
  isNew: boolean
}

// Carriers publish events some time after they say that these were created.
const overlap = '5 minutes'

/** Saves the position after a page. False if the lease has ended: then the page must not be stored. */
export async function saveProgress(
  sql: TransactionSql,
  { feed_id, lease }: LeasedFeed,
  page: FetchedPage,
  jitter: number,
): Promise<boolean> {
  const { isFirst } = page
  // Pages that lead to each other would be fetched without end: then at least slowly.
  const pause = page.isNew ? 0 : 1
  const [newest, next] = [page.newest ?? null, page.next ?? null]
  const saved = await sql`
    update feeds
    set cursor = ${next}, newest = case when ${next}::text is null then null else seen end,
      since = case when ${next}::text is null then greatest(since, least(seen, now()) - ${overlap}::text::interval) else since end,
      caught_up_at = case when ${next}::text is null then now() else caught_up_at end,
      next_attempt_at = case when ${next}::text is null then now() + interval_seconds * ${jitter}::double precision * interval '1 second' else now() + make_interval(secs => ${pause}) end,
      failures = 0, error = null, last_success_at = now(), lease = null, leased_until = null
    from (
      select feed_id as leased_id, greatest(case when ${isFirst} then null else newest end, ${newest}::timestamptz) as seen
      from feeds where feed_id = ${feed_id} for update
    ) leased
    where feed_id = leased_id and lease = ${lease} and leased_until > now()
    returning 1`
  return saved.length > 0
}

/** Whether the sender has sent the same bytes before, in any way. */
export async function isStored(sql: TransactionSql, sender: string, content: Buffer): Promise<boolean> {
  const found = await sql`
    select from messages where sender = ${sender} and hash = ${hash('sha256', content, 'hex')} limit 1`
  return found.length > 0
}

/** Puts off the next attempt. `startsOver`: the carrier does not know the page any more. */
export async function saveFailure(
  db: Database,
  { feed_id, lease }: LeasedFeed,
  { error, delay, startsOver }: { error: string; delay: number; startsOver: boolean },
): Promise<void> {
  await db`
    update feeds
    set failures = failures + 1, error = ${error}, next_attempt_at = now() + make_interval(secs => ${delay}),
      cursor = case when ${startsOver} then null else cursor end, lease = null, leased_until = null
    where feed_id = ${feed_id} and lease = ${lease}`
}
