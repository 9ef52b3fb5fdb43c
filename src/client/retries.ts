/** When a request is sent again, and after which wait. */

// Of a proxy or the service itself: the next attempt may succeed.
const passing = new Set([429, 502, 503, 504])
const longestWait = 30_000

/**
 * Sends a request up to `retries` more times, while there is no response or one that says to try later. Waits as long as
 * `Retry-After` says, or else twice as long each time, with jitter so that clients do not return all at once.
 */
export async function withRetries(
  attempt: () => Promise<Response>,
  { retries, signal }: { retries: number; signal?: AbortSignal | undefined },
): Promise<Response> {
  for (let tried = 0; ; tried += 1) {
    const response = await attempt().catch((error: unknown) => {
      if (tried >= retries || signal?.aborted) throw error
      return undefined
    })
    if (response && (tried >= retries || !passing.has(response.status))) return response
    const asked = Number(response?.headers.get('retry-after')) * 1000
    // A longer wait than this is for the caller to decide.
    if (response && asked > longestWait) return response
    await response?.body?.cancel()
    await pause(asked || Math.min(longestWait, 250 * 2 ** tried * (0.5 + Math.random())), signal)
  }
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
