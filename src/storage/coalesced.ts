import type { Database } from './database.js'

/** Answers in the order of the questions; one that takes longer than the others is promised. */
type Ask<Question, Answer> = (questions: Question[]) => Promise<(Answer | undefined | Promise<Answer | undefined>)[]>

/** How many batches may be on their way at once, and how many questions one holds at most. */
export type Batching = {
  atOnce: number
  most: number
  /** Whether to stay awake for an answer that comes soon: to fall asleep and be woken takes longer than to wait. */
  staysAwake?: boolean
}

// One that takes longer is not worth a core.
const longestAwake = 1

/**
 * Answers questions that come at once together. Those that arrive while enough answers are on their way wait for the
 * next, which starts after each of them arrived: nobody gets what was known before they asked, and a thousand of them
 * cost a handful of round trips.
 */
export function coalesced<Question, Answer>(
  ask: Ask<Question, Answer>,
  { atOnce, most, staysAwake = false }: Batching,
): (question: Question) => Promise<Answer | undefined> {
  type Waiting = {
    question: Question
    resolve(answer: Answer | undefined | Promise<Answer | undefined>): void
    reject(error: unknown): void
  }
  let waiting: Waiting[] = []
  let underWay = 0
  let isDue = false
  let isAwake = false
  let awakeUntil = 0

  // Asked when all that has arrived by now has been read: requests come in bunches.
  function plan(): void {
    if (isDue || underWay === atOnce || waiting.length === 0) return
    isDue = true
    setImmediate(start)
  }

  function start(): void {
    isDue = false
    while (underWay < atOnce && waiting.length > 0) {
      const batch = waiting.length <= most ? waiting : waiting.slice(0, most)
      waiting = waiting.length <= most ? [] : waiting.slice(most)
      void work(batch)
    }
  }

  // The event loop does not wait for events while there is something for it to do.
  function stayAwake(): void {
    isAwake = underWay > 0 && performance.now() < awakeUntil
    if (isAwake) setImmediate(stayAwake)
  }

  async function work(batch: Waiting[]): Promise<void> {
    underWay += 1
    if (staysAwake) {
      awakeUntil = performance.now() + longestAwake
      if (!isAwake) stayAwake()
    }
    try {
      const answers = await ask(batch.map(({ question }) => question))
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index])
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    underWay -= 1
    plan()
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject })
      plan()
    })
}

const closeBy = new WeakSet<Database>()

/** Says that there is a core to spare for waiting, so that answers of the database are stayed awake for. */
export function markAsCloseBy(db: Database): void {
  closeBy.add(db)
}

export function isCloseBy(db: Database): boolean {
  return closeBy.has(db)
}

/** The same for a question to a database: those that are put to the same one are asked together. */
export function askedTogether<Question, Answer>(
  ask: (db: Database, questions: Question[]) => ReturnType<Ask<Question, Answer>>,
  batching: Batching,
): (db: Database, question: Question) => Promise<Answer | undefined> {
  const asking = new WeakMap<Database, (question: Question) => Promise<Answer | undefined>>()
  return (db, question) => {
    const known = asking.get(db)
    if (known) return known(question)
    const ofDatabase = { ...batching, staysAwake: isCloseBy(db) }
    const fresh = coalesced<Question, Answer>((questions) => ask(db, questions), ofDatabase)
    asking.set(db, fresh)
    return fresh(question)
  }
}
