/**
 * Rate limits count per calendar minute: what fails, and crossed the end of one, is tried again. Every attempt has to
 * begin with a caller that has made no request.
 */
export async function withinOneMinute<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (;;) {
    const minute = minuteOf(Date.now())
    const outcome = await attempt().then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    )
    const crossed = minuteOf(Date.now()) !== minute
    if ('result' in outcome) return outcome.result
    if (!crossed) throw outcome.error
  }
}

function minuteOf(time: number): number {
  return Math.floor(time / 60_000)
}
