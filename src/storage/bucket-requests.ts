import { setTimeout as sleep } from 'node:timers/promises'

const attempts = 3
const patience = 60_000
// As long as writes wait for one another: who holds them up longer has them refused.
const haste = 5000

/**
 * Sends a request of the S3 client; up to three times, since such services ask for that when they are busy. Bodies are
 * whole buffers, and content lies under its own hash: sent again it comes to the same.
 */
export async function fetchPatiently(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  return fetchRepeatedly(() => fetchOnce(input, init))
}

/** The same for those who hold others up meanwhile: with little time for all of it, attempts and answer. */
export async function fetchHastily(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const { signal } = stopAfter(haste)
  return fetchRepeatedly(() => fetchPlainly(input, init, signal), signal)
}

async function fetchRepeatedly(fetchAnew: () => Promise<Response>, signal?: AbortSignal): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === attempts
    const response = await fetchAnew().catch((error: unknown) => {
      if (isLast || signal?.aborted) throw error
      return undefined
    })
    if (response && (response.status < 500 || isLast)) return response
    await response?.body?.cancel()
    await sleep(attempt * 200)
  }
}

// The time is for the answer to begin: a long object may take a slow reader as long as it needs.
async function fetchOnce(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const { signal, timer } = stopAfter(patience)
  try {
    return await fetchPlainly(input, init, signal)
  } finally {
    clearTimeout(timer)
  }
}

function stopAfter(time: number): { signal: AbortSignal; timer: NodeJS.Timeout } {
  const stop = new AbortController()
  const noAnswer = Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })
  return { signal: stop.signal, timer: setTimeout(() => stop.abort(noAnswer), time).unref() }
}

async function fetchPlainly(
  input: Parameters<typeof fetch>[0],
  init: Parameters<typeof fetch>[1],
  signal: AbortSignal,
): Promise<Response> {
  return fetch(input, {
    ...init,
    // Compressed on the way, an object would come with another length. Redirected, its signature would not hold.
    headers: { ...(init?.headers as Record<string, string>), 'accept-encoding': 'identity' },
    redirect: 'manual',
    signal,
  })
}
