import {
  type Answer,
  type Connections,
  exchange,
  isAnswer,
  isDeclaredUnavailable,
  type Outcome,
  textOf,
  type Wanted,
} from './exchange.js'

/** All requests of a part: where they go, and what is counted of them. */

export type Tally = {
  requests: number
  /** Declared 503: how many, and after how long they came. */
  unavailable: number
  slowestUnavailable: number
  /** Connections that were refused, cut or reset. */
  broken: number
  /** Writes that were sent again, and had happened the first time; and those of them whose answer was cut off. */
  replayed: number
  brokenAndDone: number
  unexpectedFailures: number
  leaks: number
  violations: string[]
}

// Of one kind of failure a few lines say as much as thousands.
const mostViolations = 50

export class Traffic {
  /** Those that serve at present; empty: nobody does. */
  addresses: string[] = []
  readonly tally: Tally = {
    requests: 0,
    unavailable: 0,
    slowestUnavailable: 0,
    broken: 0,
    replayed: 0,
    brokenAndDone: 0,
    unexpectedFailures: 0,
    leaks: 0,
    violations: [],
  }
  /** What is told of each request, while somebody wants to know. */
  listener: ((wanted: Wanted, outcome: Outcome) => void) | undefined
  #accounts: string[] = []
  #turn = 0

  /** The accounts of the run: what belongs to one bears its name, and no other may see it. */
  tellAccounts(slugs: string[]): void {
    this.#accounts = slugs
  }

  /** For an account: what it is shown must be its own. */
  async send(wanted: Wanted, connections: Connections, account?: string): Promise<Outcome> {
    const outcome = await exchange(this.#nextAddress(), wanted, connections)
    this.tally.requests += 1
    if (isAnswer(outcome)) this.#judge(wanted, outcome, account)
    else {
      this.tally.broken += 1
      if (outcome.code === 'LATE') this.violate(`${wanted.method} ${wanted.path}: no answer within 30 s`)
    }
    this.listener?.(wanted, outcome)
    return outcome
  }

  violate(line: string): void {
    const { violations } = this.tally
    if (violations.length < mostViolations) violations.push(line)
    else violations[mostViolations - 1] = 'and more'
  }

  #judge({ method, path }: Wanted, answer: Answer, account: string | undefined): void {
    const { tally } = this
    if (isDeclaredUnavailable(answer)) {
      tally.unavailable += 1
      tally.slowestUnavailable = Math.max(tally.slowestUnavailable, answer.milliseconds)
    } else if (answer.status >= 500) {
      tally.unexpectedFailures += 1
      this.violate(`${method} ${path}: ${answer.status} ${textOf(answer).slice(0, 300)}`)
    }
    if (account === undefined) return
    const text = textOf(answer)
    for (const other of this.#accounts) {
      if (other === account || !text.includes(`${other}~`)) continue
      tally.leaks += 1
      this.violate(`${method} ${path}: ${account} was shown what belongs to ${other}`)
    }
  }

  // Nobody listens at port 1: a client that knows no better is refused, as at a server that is down.
  #nextAddress(): string {
    if (this.addresses.length === 0) return 'http://127.0.0.1:1'
    this.#turn = (this.#turn + 1) % this.addresses.length
    return this.addresses[this.#turn] as string
  }
}
