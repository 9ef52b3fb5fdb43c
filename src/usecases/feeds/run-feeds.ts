import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Quotas } from '../../contract/operator/quotas.js'
import type { Database } from '../../database/database.js'
import { isUnreachable } from '../../database/errors.js'
import { type LeasedFeed, leaseDueFeeds } from '../../store/feed-progress.js'
import { inboxWaker } from '../messages/inbox-waker.js'
import { AccessTokens } from './access-tokens.js'
import { pullPage } from './pull-feed.js'

type Options = {
  quotas: Quotas
  allowsPrivate: boolean
  signal: AbortSignal
  onError(error: unknown): void
  /** Milliseconds that a carrier has for a page. */
  timeout?: number
  /** Milliseconds between two looks for feeds that are due. */
  pause?: number
}

// A slow carrier does not hold up the others.
const mostAtOnce = 4
const usualTimeout = 20_000
const usualPause = 1000
const pauseAfterError = 5000
// In which a page is stored.
const marginSeconds = 10

/**
 * Fetches the feeds that are due, page by page. Every process does: each page of a feed is fetched by the one that has leased
 * it. Runs until the signal aborts.
 */
export async function runFeeds(db: Database, { signal, onError, ...options }: Options): Promise<void> {
  const { quotas, allowsPrivate, timeout = usualTimeout, pause = usualPause } = options
  const inbox = inboxWaker(db, { quotas, onError })
  const running = new Set<Promise<void>>()
  const tokens = new AccessTokens()

  async function pull(feed: LeasedFeed): Promise<void> {
    try {
      if (await pullPage(db, feed, { allowsPrivate, timeout, signal, tokens })) inbox.wake(feed.sender)
    } catch (error) {
      // The lease ends, and the page is fetched again.
      if (!isUnreachable(error)) onError(error)
    }
  }

  while (!signal.aborted) {
    let wait = pause
    try {
      const due = await leaseDueFeeds(db, {
        lease: randomUUID(),
        seconds: timeout / 1000 + marginSeconds,
        most: mostAtOnce - running.size,
      })
      for (const feed of due) {
        const work: Promise<void> = pull(feed).finally(() => running.delete(work))
        running.add(work)
      }
    } catch (error) {
      if (signal.aborted) break
      if (!isUnreachable(error)) onError(error)
      wait = pauseAfterError
    }
    if (signal.aborted) break
    // Not `AbortSignal.any`: Node keeps some bytes of each for as long as the process runs.
    const waiting = new AbortController()
    const stopWaiting = () => waiting.abort()
    signal.addEventListener('abort', stopWaiting, { once: true })
    await Promise.race([sleep(wait, undefined, { signal: waiting.signal }).catch(() => {}), ...running])
    stopWaiting()
    signal.removeEventListener('abort', stopWaiting)
  }
  await Promise.all(running)
  await inbox.stop()
}
