import { setTimeout as sleep } from 'node:timers/promises'

const attempts = 3
const patience = 60_000

/**
 * Sends a request of the S3 client; up to three times, since such services ask for that when they are busy. Bodies are
 * whole buffers, and content lies under its own hash: sent again it comes to the same.
 */
export async function fetchPatiently(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === attempts
    const response = await fetchOnce(input, init).catch((error: unknown) => {
      if (isLast) throw error
      return undefined
    })
    if (response && (response.status < 500 || isLast)) return response
    await response?.body?.cancel()
    await sleep(attempt * 200)
  }
}

// The time is for the answer to begin: a long object may take a slow reader as long as it needs.
async function fetchOnce(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })), patience)
  try {
    return await fetch(input, {
      ...init,
      // Compressed on the way, an object would come with another length. Redirected, its signature would not hold.
      headers: { ...(init?.headers as Record<string, string>), 'accept-encoding': 'identity' },
      redirect: 'manual',
      signal: stop.signal,
    })
  } finally {
    clearTimeout(timer)
  }
}
