import { utcDate } from '../../src/domain/dates/local-time.js'

/**
 * The only code of the pages that reads the time of day. Business time is what they show and compare with: that of this machine, except in the
 * sandbox, which can simulate another. System time is always that of this machine: for what expires, such as keys and links.
 */

let simulation: { start: number; since: number; speed: number } | undefined

/** Milliseconds since 1970. */
export function presentTime(): number {
  if (!simulation) return Date.now()
  return simulation.start + (performance.now() - simulation.since) * simulation.speed
}

/** The same, for what works with dates. */
export function presentDate(): Date {
  return new Date(presentTime())
}

/** The date in UTC, as `2026-03-04`. */
export function presentDay(): string {
  return utcDate(presentTime())
}

export function systemTime(): number {
  return Date.now()
}

/** A request whose response has the simulated time of a sandbox: `<time> <simulated seconds per second>`. */
export async function timedFetch(address: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(address, init)
  const [now = '', speed] = response.headers.get('x-simulated-time')?.split(' ') ?? []
  if (now) showSimulatedTime(Date.parse(now), Number(speed))
  return response
}

export function showSimulatedTime(start: number, speed: number): void {
  simulation = { start, since: performance.now(), speed }
}
