import { expect, onTestFinished } from 'vitest'
import type { FeedCreate } from '../../src/contract/operator/feeds.js'
import { openDatabase } from '../../src/database/database.js'
import { runFeeds } from '../../src/usecases/feeds/run-feeds.js'
import { startCarrierServer } from './carrier-server.js'
import type { feedAdmin } from './feeds.js'
import { startCarrier } from './messages.js'
import { until } from './program.js'
import type { serviceOnNewDatabase } from './round-trip.js'

type Service = Awaited<ReturnType<typeof serviceOnNewDatabase>>

/** Feeds that are fetched from carriers, and processes that do. */
export function pullFeeds(service: Service, admin: Awaited<ReturnType<typeof feedAdmin>>) {
  /** A process that fetches, until the test ends or it is stopped. */
  function startPuller(options: { allowsPrivate?: boolean; timeout?: number } = {}) {
    const stop = new AbortController()
    const errors: unknown[] = []
    const db = openDatabase({ url: service.url }, { connections: 2 })
    const running = runFeeds(db, {
      quotas: {},
      allowsPrivate: true,
      pause: 20,
      signal: stop.signal,
      onError: (error) => void errors.push(error),
      ...options,
    })
    const end = async () => {
      if (stop.signal.aborted) return
      stop.abort()
      await running
      await db.end({ timeout: 1 })
      expect(errors).toEqual([])
    }
    onTestFinished(end)
    return { end }
  }

  async function newFeed(given: Partial<FeedCreate> = {}) {
    const [carrier, server] = [await startCarrier(service), await startCarrierServer()]
    const { feed_id } = await admin.add({
      sender: carrier.sender,
      format: 'dcsa-2.2',
      channel: 'pull',
      url: server.url,
      key: 'k-1',
      interval_seconds: 86_400,
      ...given,
    })
    onTestFinished(async () => void (await admin.ops('removeFeed', undefined, { params: { feed_id } })))
    const change = (body: object) => admin.ops('updateFeed', undefined, { params: { feed_id }, body })
    const pull = async () => (await admin.read(feed_id)).pull
    const messages = async () => (await admin.messages(carrier.sender)).toReversed()
    /** Waits for the end of a round, and of the processing of what it brought. */
    const caughtUp = async (since = new Date(0)) => {
      const isDone = async () => {
        const { pull: state, pending_messages } = await admin.read(feed_id)
        return pending_messages === 0 && new Date(state?.caught_up_at ?? 0) > since
      }
      await until(isDone)
    }
    /** Fetches again at once. */
    const again = async () => {
      const { caught_up_at = '' } = (await pull()) ?? {}
      await change({ interval_seconds: 86_400 })
      await caughtUp(new Date(caught_up_at))
    }
    return { ...carrier, server, feed_id, change, pull, messages, caughtUp, again }
  }

  return { startPuller, newFeed }
}
