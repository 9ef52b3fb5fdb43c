import { Refusal } from '../contract/refusals.js'
import type { Colleagues, Counting } from './colleagues.js'

const windowSeconds = 60
const policy = (limit: number) => `"minute";q=${limit};w=${windowSeconds}`

/**
 * Requests per key and minute, of this process and of those it learns from. The headers are those of the IETF draft,
 * structured and in its older form, which more clients read.
 */
export type RateLimiter = Counting & {
  /** Counts a request; refuses it when the key has used up its minute. Answers the headers to send. */
  count(keyId: string): Record<string, string>
  hasLeft(keyId: string): boolean
}

type Limits = { rateLimit: number | undefined; colleagues?: Colleagues }

/** One for all workers of the service, if there is a limit. */
export function sharedRateLimiter({ rateLimit, colleagues }: Limits, name: string): RateLimiter | undefined {
  if (rateLimit === undefined) return undefined
  const limiter = rateLimiter(rateLimit)
  colleagues?.shareCounts(name, limiter)
  return limiter
}

type Usage = { keyId: string; used: number; untold: number }

export function rateLimiter(limit: number, now: () => number = Date.now): RateLimiter {
  let usages = new Map<string, Usage>()
  // Those with something untold, so that nobody goes through all keys a few times a second.
  let news: Usage[] = []
  let window = 0

  function enter(current: number): void {
    if (current === window) return
    window = current
    usages = new Map()
    news = []
  }

  function usageOf(keyId: string): Usage {
    const known = usages.get(keyId)
    if (known) return known
    const usage = { keyId, used: 0, untold: 0 }
    usages.set(keyId, usage)
    return usage
  }

  return {
    hasLeft(keyId) {
      return Math.floor(now() / 1000 / windowSeconds) !== window || (usages.get(keyId)?.used ?? 0) < limit
    },
    count(keyId) {
      const seconds = now() / 1000
      const current = Math.floor(seconds / windowSeconds)
      enter(current)
      const usage = usageOf(keyId)
      usage.used += 1
      if (usage.untold === 0) news.push(usage)
      usage.untold += 1
      const reset = Math.max(1, Math.ceil((current + 1) * windowSeconds - seconds))
      const headers = headersFor(limit, Math.max(0, limit - usage.used), reset)
      if (usage.used > limit)
        throw new Refusal('rate_limited', undefined, { headers: { ...headers, 'retry-after': String(reset) } })
      return headers
    },
    takeNews() {
      if (news.length === 0) return undefined
      const counts = news.map(({ keyId, untold }): [string, number] => [keyId, untold])
      for (const usage of news) usage.untold = 0
      news = []
      return { window, counts }
    },
    learn({ window: told, counts }) {
      if (told < window) return
      enter(told)
      for (const [keyId, used] of counts) usageOf(keyId).used += used
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
