/** When a request is sent again, and after which wait. */

// Of a proxy or the service itself: the next attempt may succeed.
const passing = new Set([429, 502, 503, 504])
const longestWait = 30_000

export function isPassing(status: number | undefined): boolean {
  return status !== undefined && passing.has(status)
}

/** Milliseconds: as many seconds as `Retry-After` says, or else twice as long each time, with jitter so that clients do not return all at once. */
export function waitBefore(tried: number, retryAfter: number | undefined): number {
  return (retryAfter ?? 0) * 1000 || Math.min(longestWait, 250 * 2 ** tried * (0.5 + Math.random()))
}

/** Sends a request up to `retries` more times, while there is no response or one that says to try later. */
export async function withRetries(
  attempt: () => Promise<Response>,
  { retries, signal }: { retries: number; signal?: AbortSignal | undefined },
): Promise<Response> {
  for (let tried = 0; ; tried += 1) {
    const response = await attempt().catch((error: unknown) => {
      if (tried >= retries || signal?.aborted) throw error
      return undefined
    })
    if (response && (tried >= retries || !isPassing(response.status))) return response
    const asked = Number(response?.headers.get('retry-after')) || undefined
    // A longer wait than this is for the caller to decide.
    if (response && (asked ?? 0) * 1000 > longestWait) return response
    await response?.body?.cancel()
    await pause(waitBefore(tried, asked), signal)
  }
}

export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
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
