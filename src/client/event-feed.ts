import type { ChangeEvent, Events } from '../contract/public/event.js'
import { type CallResult, WaybillError } from './response.js'
import { isPassing, pause, waitBefore } from './retries.js'

/** The change feed as an iterator. */

/** The changes of an account, each once and in order. */
export type EventFeed = AsyncGenerator<ChangeEvent, void, undefined> & {
  /**
   * Where to go on, as `after` of another feed: save it once the event is processed. It moves with the last event of a page, so
   * some events may come again, with the same `id`.
   */
  readonly cursor: string | undefined
}

type Query = { after?: string; wait?: number; [name: string]: unknown }
type ReadPage = (query: Query) => Promise<CallResult<unknown>>

/** Ends with the newest event. With `wait` it waits for further ones, and goes on after failures that pass, until it is aborted. */
export function feedOf(read: ReadPage, query: Query, signal: AbortSignal | undefined): EventFeed {
  let cursor = query.after
  async function* events(): AsyncGenerator<ChangeEvent, void, undefined> {
    for (let failures = 0; ; ) {
      let page: Events
      try {
        const { data } = await read({ ...query, ...(cursor !== undefined && { after: cursor }) })
        page = data as Events
        failures = 0
      } catch (error) {
        // `now` has not become a cursor yet: beginning later would leave changes out without notice.
        if (!query.wait || cursor === 'now' || !canGoOn(error)) throw error
        await pause(waitBefore(failures, error.retryAfter), signal)
        failures += 1
        continue
      }
      for (const [index, event] of page.events.entries()) {
        if (index === page.events.length - 1) cursor = page.cursor
        yield event
      }
      cursor = page.cursor
      if (!page.has_more && !query.wait) return
    }
  }
  return Object.defineProperty(events(), 'cursor', { get: () => cursor }) as unknown as EventFeed
}

function canGoOn(error: unknown): error is WaybillError {
  return error instanceof WaybillError && (error.cause !== undefined || isPassing(error.status))
}
