import type { QueryClient } from '@tanstack/react-query'
import { portalAddress } from '../../client/portal-client.js'
import { isTouched, type Told } from './changes.js'
import { noteConnection } from './connection.js'
import { sessionQuery } from './session.js'

/** What changes in the account shows as it happens: the stream says what it was, and whatever shows it is asked for again. */

// Thousands of changes of an import are one reason to look again.
const gathering = 250
const slowest = 30_000

/** Listens until it is told to stop. A lost connection is made anew, behind the last change that was heard of. */
export function followChanges(client: QueryClient): () => void {
  let source: EventSource | undefined
  let lastId: string | undefined
  let failures = 0
  let isStopped = false
  let retry: ReturnType<typeof setTimeout> | undefined
  let flush: ReturnType<typeof setTimeout> | undefined
  let heard: Told[] = []

  const tell = () => {
    flush = undefined
    const told = heard
    heard = []
    void client.invalidateQueries({ predicate: ({ queryKey }) => told.some((each) => isTouched(queryKey, each)) })
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
      heard.push(JSON.parse(data) as Told)
      flush ??= setTimeout(tell, gathering)
    })
    source.addEventListener('error', () => {
      failures += 1
      // Once may be a server that starts anew: the browser comes back by itself.
      if (failures > 1) noteConnection(false)
      if (source?.readyState !== EventSource.CLOSED) return
      retry = setTimeout(() => void reopen(), Math.min(slowest, 1000 * 2 ** failures))
    })
  }

  // It was refused: the session may have ended, which the next request tells and leads to the sign-in.
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
  }
}
