/** Waits for work no longer than that. The work goes on, but nobody is told what becomes of it. */
export async function inTime<Result>(work: Promise<Result>, milliseconds: number): Promise<Result> {
  let late: NodeJS.Timeout | undefined
  const lateness = new Promise<never>((_resolve, reject) => {
    late = setTimeout(() => reject(new Error(`no answer within ${milliseconds / 1000} s`)), milliseconds)
  })
  try {
    return await Promise.race([work, lateness])
  } finally {
    clearTimeout(late)
  }
}

// One that hangs on a connection that nobody is at the other end of is not waited for: the next may get another.
const forgottenAfter = 5000

/** Those who ask while an answer is on its way share it: whoever does not answer is not asked again and again. */
export function oneAtATime<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let underWay: { answer: Promise<Result>; since: number } | undefined
  return () => {
    if (underWay && performance.now() - underWay.since < forgottenAfter) return underWay.answer
    const mine = {
      since: performance.now(),
      answer: work().finally(() => {
        if (underWay === mine) underWay = undefined
      }),
    }
    underWay = mine
    return mine.answer
  }
}
