/** Increments of one rate-limit window, by name. */
export type CounterDelta = { window: number; counts: [string, number][] }

/** A counter that all workers add to. */
export type SharedCounter = {
  /** The local increments since the last call; undefined if there are none. */
  takeDelta(): CounterDelta | undefined
  /** Adds increments of other workers. */
  applyDelta(delta: CounterDelta): void
}

/** The channel from one worker to the others of the same service. */
export type WorkerChannel = {
  /** Exchanges the increments of this counter with all workers, a few times a second. */
  shareCounter(name: string, counter: SharedCounter): void
  provideMetrics(name: string, read: () => Promise<object[]>): void
  /** The metrics of all workers, this one included; undefined if a worker does not respond. */
  collectMetrics(name: string): Promise<object[][] | undefined>
}
