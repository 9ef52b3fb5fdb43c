/** Rejects if the work takes longer. The work itself is not cancelled. */
export async function withTimeout<Result>(work: Promise<Result>, milliseconds: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${milliseconds / 1000} s`)), milliseconds)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

// A call that hangs on a dead connection is abandoned: the next call may get another connection.
const abandonAfter = 5000

/** Concurrent callers share one running call, so that a slow dependency is not flooded with calls. */
export function singleFlight<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: { result: Promise<Result>; since: number } | undefined
  return () => {
    if (running && performance.now() - running.since < abandonAfter) return running.result
    const call = {
      since: performance.now(),
      result: work().finally(() => {
        if (running === call) running = undefined
      }),
    }
    running = call
    return call.result
  }
}
