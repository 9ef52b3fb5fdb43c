import type { QueryClient } from '@tanstack/react-query'
import { portalAddress } from '../../../src/client/portal-client.js'
import { isAffected, type StreamMessage } from './changes.js'
import { noteConnection } from './connection.js'
import { sessionQuery } from './session.js'

/** Live updates: the change stream names what changed in the account, and the queries that show it are invalidated. */

// An import changes thousands of records: they are batched into one invalidation.
const batchInterval = 250
const notificationDelay = 3000
const maxRetryDelay = 30_000

/** Follows the stream until the returned function is called. Reconnects after the last received change. */
export function followChanges(client: QueryClient): () => void {
  let source: EventSource | undefined
  let lastId: string | undefined
  let failures = 0
  let isStopped = false
  let retry: ReturnType<typeof setTimeout> | undefined
  let flush: ReturnType<typeof setTimeout> | undefined
  let pending: StreamMessage[] = []
  let notified: ReturnType<typeof setTimeout> | undefined

  const invalidate = () => {
    flush = undefined
    const messages = pending
    pending = []
    void client.invalidateQueries({
      predicate: ({ queryKey }) => messages.some((message) => isAffected(queryKey, message)),
    })
    // Notifications follow the change by a moment.
    clearTimeout(notified)
    notified = setTimeout(() => void client.invalidateQueries({ queryKey: ['notifications'] }), notificationDelay)
  }

  const open = () => {
    const after = lastId === undefined ? undefined : Number(lastId)
    source = new EventSource(portalAddress('streamChanges', { query: after === undefined ? {} : { after } }))
    source.addEventListener('open', () => {
      failures = 0
      noteConnection(true)
    })
    source.addEventListener('message', ({ data, lastEventId }: MessageEvent<string>) => {
      lastId = lastEventId
      pending.push(JSON.parse(data) as StreamMessage)
      flush ??= setTimeout(invalidate, batchInterval)
    })
    source.addEventListener('error', () => {
      failures += 1
      // A single failure may be a server restart, after which the browser reconnects by itself.
      if (failures > 1) noteConnection(false)
      if (source?.readyState !== EventSource.CLOSED) return
      retry = setTimeout(() => void reopen(), Math.min(maxRetryDelay, 1000 * 2 ** failures))
    })
  }

  // The stream was refused. If the session has expired, this request finds out and leads to the sign-in page.
  const reopen = async () => {
    await client.fetchQuery({ ...sessionQuery, staleTime: 0 }).catch(() => undefined)
    if (!isStopped) open()
  }

  open()
  return () => {
    isStopped = true
    source?.close()
    clearTimeout(retry)
    clearTimeout(flush)
    clearTimeout(notified)
  }
}
