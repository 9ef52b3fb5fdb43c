/** What a process tells of its work: how long it took, and the most memory that the process ever held. */
export type Measured = { seconds: number; peakBytes: number }

export async function tellMeasured(work: () => Promise<void>): Promise<void> {
  const start = performance.now()
  await work()
  const seconds = (performance.now() - start) / 1000
  const measured: Measured = { seconds, peakBytes: process.resourceUsage().maxRSS * 1024 }
  process.send?.(measured)
}
