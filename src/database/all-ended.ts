/** Waits until all have ended, also if one fails: what is done within a transaction shares its connection. */
export async function allEnded<Result>(work: Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(work)
  return Promise.all(work)
}
