import { setTimeout as sleep } from 'node:timers/promises'

const attempts = 3
const responseTimeout = 60_000
// Writes of an account wait this long for its lock: a longer request would make them fail.
const deadline = 5000

/**
 * Sends a request of the S3 client, up to three times: S3 services expect retries when they are busy. Retrying is safe, as
 * bodies are buffers and objects are named by the hash of their content.
 */
export async function fetchWithRetries(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  return retry(() => fetchOnce(input, init))
}

/** The same under a lock: with a short deadline for all attempts and the whole response. */
export async function fetchWithDeadline(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const { signal } = abortAfter(deadline)
  return retry(() => fetchUntilAborted(input, init, signal), signal)
}

async function retry(send: () => Promise<Response>, signal?: AbortSignal): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === attempts
    const response = await send().catch((error: unknown) => {
      if (isLast || signal?.aborted) throw error
      return undefined
    })
    if (response && (response.status < 500 || isLast)) return response
    await response?.body?.cancel()
    await sleep(attempt * 200)
  }
}

// The timeout ends when the response begins: a slow reader may take any time for a large object.
async function fetchOnce(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const { signal, timer } = abortAfter(responseTimeout)
  try {
    return await fetchUntilAborted(input, init, signal)
  } finally {
    clearTimeout(timer)
  }
}

function abortAfter(time: number): { signal: AbortSignal; timer: NodeJS.Timeout } {
  const controller = new AbortController()
  const timeout = Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })
  return { signal: controller.signal, timer: setTimeout(() => controller.abort(timeout), time).unref() }
}

async function fetchUntilAborted(
  input: Parameters<typeof fetch>[0],
  init: Parameters<typeof fetch>[1],
  signal: AbortSignal,
): Promise<Response> {
  return fetch(input, {
    ...init,
    // Compression would change the length of an object, and a redirect would invalidate its signature.
    headers: { ...(init?.headers as Record<string, string>), 'accept-encoding': 'identity' },
    redirect: 'manual',
    signal,
  })
}
