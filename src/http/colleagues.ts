/** What was counted in one minute, by name. */
export type Counts = { window: number; counts: [string, number][] }

/** Something that counts in every worker, and whose counts only mean something together. */
export type Counting = {
  /** What was counted here since this was last asked; undefined: nothing. */
  takeNews(): Counts | undefined
  /** Adds what was counted elsewhere. */
  learn(news: Counts): void
}

/** The workers of one service, as one of them sees them. */
export type Colleagues = {
  /** From now on everybody learns, a few times a second, what the others have counted under that name. */
  shareCounts(name: string, counting: Counting): void
  offerMetrics(name: string, read: () => Promise<object[]>): void
  /** What every worker measures under that name, this one included; undefined: one of them does not answer. */
  gatherMetrics(name: string): Promise<object[][] | undefined>
}
