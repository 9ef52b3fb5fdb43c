import {
  type Connections,
  exchange,
  type HttpResponse,
  isDeclaredUnavailable,
  isResponse,
  type Outcome,
  textOf,
  type Wanted,
} from './exchange.js'

/** Sends all requests of a part, and counts their outcomes. */

export type Tally = {
  requests: number
  /** Declared 503: their number, and the slowest one. */
  unavailable: number
  slowestUnavailable: number
  /** Connections that were refused, cut or reset. */
  broken: number
  /** Retried writes that had been performed before; and those of them whose first response was lost. */
  replayed: number
  brokenAndDone: number
  unexpectedFailures: number
  leaks: number
  violations: string[]
}

// The first violations are enough to find a cause.
const mostViolations = 50

export class Traffic {
  /** The running services. */
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
  /** Called with the outcome of each request. */
  listener: ((wanted: Wanted, outcome: Outcome) => void) | undefined
  #accounts: string[] = []
  #turn = 0

  /** The accounts of the run: their resources contain their name, which no other account may see. */
  setAccounts(slugs: string[]): void {
    this.#accounts = slugs
  }

  /** With an account: the response must not contain data of another one. */
  async send(wanted: Wanted, connections: Connections, account?: string): Promise<Outcome> {
    const outcome = await exchange(this.#nextAddress(), wanted, connections)
    this.tally.requests += 1
    if (isResponse(outcome)) this.#checkContract(wanted, outcome, account)
    else {
      this.tally.broken += 1
      if (outcome.code === 'LATE') this.violate(`${wanted.method} ${wanted.path}: no response within two minutes`)
    }
    this.listener?.(wanted, outcome)
    return outcome
  }

  violate(line: string): void {
    const { violations } = this.tally
    if (violations.length < mostViolations) violations.push(line)
    else violations[mostViolations - 1] = 'and more'
  }

  #checkContract({ method, path }: Wanted, response: HttpResponse, account: string | undefined): void {
    const { tally } = this
    if (isDeclaredUnavailable(response)) {
      tally.unavailable += 1
      tally.slowestUnavailable = Math.max(tally.slowestUnavailable, response.milliseconds)
    } else if (response.status >= 500) {
      tally.unexpectedFailures += 1
      this.violate(`${method} ${path}: ${response.status} ${textOf(response).slice(0, 300)}`)
    }
    if (account === undefined) return
    const text = textOf(response)
    for (const other of this.#accounts) {
      if (other === account || !text.includes(`${other}~`)) continue
      tally.leaks += 1
      this.violate(`${method} ${path}: ${account} was shown data of ${other}`)
    }
  }

  // Port 1 refuses connections, like a server that is down.
  #nextAddress(): string {
    if (this.addresses.length === 0) return 'http://127.0.0.1:1'
    this.#turn = (this.#turn + 1) % this.addresses.length
    return this.addresses[this.#turn] as string
  }
}
