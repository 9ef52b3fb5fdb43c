import { newKey } from '../../portal/pages/orders/order-draft.js'

/**
 * Idempotency keys of the office's writes. The requests of an action keep their keys until the action has succeeded, also over a
 * reload: after a lost response, doing it again repeats none of them.
 */

type Sent = { key: string; address: string }

const place = 'office-attempts'
const kept = new Map<string, Sent>(stored())

/** Requests of the action that is running. */
let current: Set<string> | undefined
let last: Promise<unknown> = Promise.resolve()

/** Runs an action after those that were started before. */
export function runAttempt<Result>(act: () => Promise<Result>): Promise<Result> {
  const attempt = async () => {
    const sent = new Set<string>()
    current = sent
    try {
      const result = await act()
      forgetDone(sent)
      return result
    } finally {
      current = undefined
    }
  }
  const done = last.then(attempt)
  last = done.catch(() => {})
  return done
}

/** A `fetch` whose writes have keys. */
export function withKeys(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (address, init = {}) => {
    const content = contentOf(init)
    if (content === undefined) return fetch(address, init)
    const url = address instanceof Request ? address.url : address.toString()
    const request = `${init.method} ${url}\n${content}`
    const { key } = keep(request, url)
    const isOfAction = current !== undefined
    current?.add(request)
    const headers = new Headers(init.headers)
    headers.set('idempotency-key', key)
    const response = await fetch(address, { ...init, headers })
    // One that is cut off is lost, too.
    await response.clone().arrayBuffer()
    if (isDecided(response.status)) {
      unanswered.delete(request)
      if (!response.ok || !isOfAction) forget([request])
    }
    return response
  }
}

const unanswered = new Set<string>()

function keep(request: string, address: string): Sent {
  const sent = kept.get(request) ?? { key: newKey(), address }
  kept.set(request, sent)
  unanswered.add(request)
  store()
  return sent
}

/** What was done since at the same address ends earlier attempts there: repeated now, they would be new requests. */
function forgetDone(sent: Set<string>): void {
  const done = [...sent].filter((request) => !unanswered.has(request))
  const addresses = new Set(done.map((request) => kept.get(request)?.address))
  const earlier = [...kept].filter(([request, { address }]) => !sent.has(request) && addresses.has(address))
  forget([...done, ...earlier.map(([request]) => request)])
}

function forget(requests: string[]): void {
  for (const request of requests) kept.delete(request)
  store()
}

// Others come from before the key is looked up, or from a proxy: the write may have been applied by an earlier attempt.
function isDecided(status: number): boolean {
  return status < 500 && ![401, 403, 408, 429].includes(status)
}

/** Undefined for reads, and for files that are sent as they are, which take no key. */
function contentOf({ method = 'GET', body }: RequestInit): string | undefined {
  if (method === 'GET') return undefined
  if (body === undefined || body === null) return ''
  if (typeof body === 'string') return body
  if (!(body instanceof FormData)) return undefined
  return JSON.stringify(
    [...body].map(([name, value]) => [
      name,
      typeof value === 'string' ? value : [value.name, value.size, value.lastModified],
    ]),
  )
}

function stored(): [string, Sent][] {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? '[]') as [string, Sent][]
  } catch {
    // Without storage, keys are kept until the page is left.
    return []
  }
}

function store(): void {
  try {
    if (kept.size === 0) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, JSON.stringify([...kept]))
  } catch {
    // Storage is full or blocked.
  }
}
