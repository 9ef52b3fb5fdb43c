import { afterAll, expect } from 'vitest'
import { until } from './program.js'

export type ChangeEvent = {
  revision: number
  changes?: { kind: string; id?: string; what?: string }[]
  more?: true
  everything?: true
}

/** Reads the change stream like a browser. */
export async function openChanges(
  { baseUrl }: { baseUrl: string },
  { headers }: { headers: Record<string, string> },
  { after, lastEventId }: { after?: number; lastEventId?: string } = {},
) {
  const cut = new AbortController()
  const response = await fetch(`${baseUrl}/portal/v1/changes${after === undefined ? '' : `?after=${after}`}`, {
    headers: { ...headers, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
    signal: cut.signal,
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const events: (ChangeEvent & { id: string })[] = []
  let state: 'open' | 'ended' | 'cut' = 'open'
  afterAll(() => cut.abort())

  async function read(): Promise<void> {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const [, id, data] = /^id: (\d+)\ndata: (.+)$/.exec(block) ?? []
        if (id !== undefined && data !== undefined) events.push({ id, ...(JSON.parse(data) as ChangeEvent) })
        else expect(block).toBe(':')
      }
    }
  }
  void read().then(
    () => (state = 'ended'),
    () => (state = 'cut'),
  )

  return {
    events,
    revisions: () => events.map(({ revision }) => revision),
    /** All changes received, as `kind id`. */
    named: () => events.flatMap(({ changes = [] }) => changes.map(({ kind, id }) => `${kind} ${id}`)),
    lastEventId: () => events.at(-1)?.id,
    untilEvents: (count: number) => until(() => events.length >= count),
    untilRevision: (revision: number) => until(() => (events.at(-1)?.revision ?? 0) >= revision),
    untilEnded: () => until(() => state === 'ended'),
    isOpen: () => state === 'open',
    cut: () => cut.abort(),
  }
}
