/**
 * The only place that reads the time of day. Business time is what rules, records and customers go by: due dates, exceptions, free
 * time, when something was recorded or received. It is the real time, except in the sandbox, which can simulate it. System time is
 * always real: timeouts, leases, retries, limits, sign-in, expiry of keys and links, logs. (Durations are measured by
 * `performance.now()`.)
 */

type Simulation = {
  /** The simulated time (ms) when it was set, and `performance.now()` at that moment. */
  start: number
  since: number
  /** Simulated seconds per second; 0: the clock stands still. */
  speed: number
  /** The clock waits there until it is set anew. */
  end: number
}

let simulation: Simulation | undefined

/** Milliseconds since 1970. */
export function businessTime(): number {
  return simulatedTime() ?? Date.now()
}

/** The date in UTC, such as `2026-03-01`. */
export function businessDate(): string {
  return new Date(businessTime()).toISOString().slice(0, 10)
}

/** Milliseconds since 1970, by the clock of the machine. */
export function systemTime(): number {
  return Date.now()
}

/** Undefined unless time is simulated. */
export function simulatedTime(): number | undefined {
  if (!simulation) return undefined
  const { start, since, speed, end } = simulation
  return Math.min(Math.floor(start + (performance.now() - since) * speed), end)
}

/** From now on, business time is simulated in this process. */
export function simulateTime(start: number, speed: number, end = Number.POSITIVE_INFINITY): void {
  simulation = { start, since: performance.now(), speed, end }
}
