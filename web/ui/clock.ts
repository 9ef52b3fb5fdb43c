/** The time that pages show and compare with: of this machine, except in the sandbox, which can simulate another. */

let simulation: { start: number; since: number; speed: number } | undefined

/** Milliseconds since 1970. */
export function presentTime(): number {
  if (!simulation) return Date.now()
  return simulation.start + (performance.now() - simulation.since) * simulation.speed
}

export function showSimulatedTime(start: number, speed: number): void {
  simulation = { start, since: performance.now(), speed }
}
