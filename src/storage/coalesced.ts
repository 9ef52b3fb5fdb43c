/**
 * Answers questions that come at once together. Those that arrive while an answer is on its way wait for the next,
 * which starts after each of them arrived: nobody gets what was known before they asked, and a thousand of them cost
 * a handful of round trips.
 */
export function coalesced<Question, Answer>(
  ask: (questions: Question[]) => Promise<(Answer | undefined)[]>,
): (question: Question) => Promise<Answer | undefined> {
  type Waiting = { question: Question; resolve(answer: Answer | undefined): void; reject(error: unknown): void }
  let waiting: Waiting[] = []
  let isUnderWay = false

  async function work(): Promise<void> {
    isUnderWay = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        const answers = await ask(batch.map(({ question }) => question))
        for (const [index, { resolve }] of batch.entries()) resolve(answers[index])
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isUnderWay = false
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject })
      // Asked when all that has arrived by now has been read: requests come in bunches.
      if (!isUnderWay) {
        isUnderWay = true
        setImmediate(() => void work())
      }
    })
}
