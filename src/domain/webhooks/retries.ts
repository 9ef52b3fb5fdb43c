/** When a delivery that failed is sent again. */

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Seconds after each failed attempt, as Standard Webhooks recommends. */
const delays = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, day]

export const mostAttempts = delays.length + 1

/** An endpoint that has failed for so long (ms) is disabled. */
export const longestFailure = 5 * day * 1000

/**
 * Seconds until the next attempt. Up to a tenth is added at random, so that what failed together is not repeated together. A
 * receiver may ask for more, up to a day.
 */
export function delayAfter(attempts: number, retryAfter: number | undefined, random: number): number {
  const usual = delays[Math.min(attempts, delays.length) - 1] ?? day
  return Math.max(usual, Math.min(retryAfter ?? 0, day)) * (1 + random / 10)
}

/** The seconds of a `Retry-After` header: a number, or a date. */
export function secondsOf(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const time = Date.parse(header)
  return Number.isNaN(time) ? undefined : Math.max(0, (time - now) / 1000)
}
