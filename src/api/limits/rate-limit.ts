import { systemTime } from '../../clock/clock.js'
import { Refusal } from '../../contract/refusals.js'
import type { SharedCounter, WorkerChannel } from './worker-channel.js'

const windowSeconds = 60

/** Counts requests per minute by name, over all workers. */
export type RateLimiter = SharedCounter & {
  count(name: string, limit: number): RateLimitUsage
  hasCapacity(name: string, limit: number): boolean
}

export type RateLimitUsage = {
  limit: number
  /** Negative if the limit is exceeded. */
  remaining: number
  /** Seconds until the next minute. */
  reset: number
}

export function sharedRateLimiter(workerChannel: WorkerChannel | undefined, name: string): RateLimiter {
  const limiter = rateLimiter()
  workerChannel?.shareCounter(name, limiter)
  return limiter
}

type Usage = { name: string; used: number; unshared: number }

export function rateLimiter(now: () => number = systemTime): RateLimiter {
  let usages = new Map<string, Usage>()
  // Those with unshared increments, so that sharing does not iterate over all.
  let changed: Usage[] = []
  let window = 0

  function enter(current: number): void {
    if (current === window) return
    window = current
    usages = new Map()
    changed = []
  }

  function usageOf(name: string): Usage {
    const known = usages.get(name)
    if (known) return known
    const usage = { name, used: 0, unshared: 0 }
    usages.set(name, usage)
    return usage
  }

  return {
    hasCapacity(name, limit) {
      return Math.floor(now() / 1000 / windowSeconds) !== window || (usages.get(name)?.used ?? 0) < limit
    },
    count(name, limit) {
      const seconds = now() / 1000
      const current = Math.floor(seconds / windowSeconds)
      enter(current)
      const usage = usageOf(name)
      usage.used += 1
      if (usage.unshared === 0) changed.push(usage)
      usage.unshared += 1
      const reset = Math.max(1, Math.ceil((current + 1) * windowSeconds - seconds))
      return { limit, remaining: limit - usage.used, reset }
    },
    takeDelta() {
      if (changed.length === 0) return undefined
      const counts = changed.map(({ name, unshared }): [string, number] => [name, unshared])
      for (const usage of changed) usage.unshared = 0
      changed = []
      return { window, counts }
    },
    applyDelta({ window: theirs, counts }) {
      if (theirs < window) return
      enter(theirs)
      for (const [name, used] of counts) usageOf(name).used += used
    },
  }
}

/**
 * The headers of the IETF draft, in the structured form and in the older one, which more clients support. Refuses the request
 * if the limit is exceeded.
 */
export function rateLimitHeaders(
  { limit, remaining, reset }: RateLimitUsage,
  policy: 'minute' | 'account',
): Record<string, string> {
  const left = Math.max(0, remaining)
  const headers = {
    'ratelimit-policy': `"${policy}";q=${limit};w=${windowSeconds}`,
    ratelimit: `"${policy}";r=${left};t=${reset}`,
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(left),
    'ratelimit-reset': String(reset),
  }
  if (remaining >= 0) return headers
  const detail = policy === 'account' ? `The account has used its ${limit} requests of this minute.` : undefined
  throw new Refusal('rate_limited', detail, { headers: { ...headers, 'retry-after': String(reset) } })
}
