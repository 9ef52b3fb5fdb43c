import { Refusal } from '../contract/refusals.js'

const windowSeconds = 60
const policy = (limit: number) => `"minute";q=${limit};w=${windowSeconds}`

/**
 * Requests per key and minute, counted in this process. The headers are those of the IETF draft, structured and
 * in its older form, which more clients read.
 */
export type RateLimiter = {
  /** Counts a request; refuses it when the key has used up its minute. Answers the headers to send. */
  count(keyId: string): Record<string, string>
  hasLeft(keyId: string): boolean
}

export function rateLimiter(limit: number, now: () => number = Date.now): RateLimiter {
  let counts = new Map<string, number>()
  let window = 0

  return {
    hasLeft(keyId) {
      return Math.floor(now() / 1000 / windowSeconds) !== window || (counts.get(keyId) ?? 0) < limit
    },
    count(keyId) {
      const seconds = now() / 1000
      const current = Math.floor(seconds / windowSeconds)
      if (current !== window) {
        window = current
        counts = new Map()
      }
      const used = (counts.get(keyId) ?? 0) + 1
      counts.set(keyId, used)
      const reset = Math.max(1, Math.ceil((current + 1) * windowSeconds - seconds))
      const headers = headersFor(limit, Math.max(0, limit - used), reset)
      if (used > limit)
        throw new Refusal('rate_limited', undefined, { headers: { ...headers, 'retry-after': String(reset) } })
      return headers
    },
  }
}

function headersFor(limit: number, remaining: number, reset: number): Record<string, string> {
  return {
    'ratelimit-policy': policy(limit),
    ratelimit: `"minute";r=${remaining};t=${reset}`,
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(reset),
  }
}
