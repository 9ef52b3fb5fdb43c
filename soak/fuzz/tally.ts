import { type Exchange, isAccepted } from './contract-check.js'
import type { Described } from './description.js'
import type { Request } from './request.js'

/** The figures of a run. */
export type Tally = {
  requests: number
  worlds: number
  comparisons: number
  /** Follow-up reads. */
  readBack: number
  acknowledgedWrites: number
  failures: number
  leaks: number
  /** By class: `2xx`. */
  statuses: Map<string, number>
  /** By kind of mutation. */
  kinds: Map<string, number>
  /** Requests and accepted requests per operation. */
  asked: Map<string, number>
  accepted: Map<string, number>
  count(request: Request, addressed: Described | undefined): void
  countAnswer(exchange: Exchange): void
}

export function newTally(operations: Described[]): Tally {
  const none = () => new Map(operations.map(({ name }) => [name, 0]))
  const tally: Tally = {
    requests: 0,
    worlds: 0,
    comparisons: 0,
    readBack: 0,
    acknowledgedWrites: 0,
    failures: 0,
    leaks: 0,
    statuses: new Map(),
    kinds: new Map(),
    asked: none(),
    accepted: none(),
    count({ kinds }, addressed) {
      tally.requests += 1
      for (const kind of kinds.length > 0 ? kinds : ['not mutated']) add(tally.kinds, kind)
      if (addressed) add(tally.asked, addressed.name)
    },
    countAnswer(exchange) {
      const { status } = exchange.response
      add(tally.statuses, `${Math.floor(status / 100)}xx`)
      if (status >= 500) tally.failures += 1
      if (isAccepted(exchange)) tally.acknowledgedWrites += 1
      if (status < 400 && exchange.addressed) add(tally.accepted, exchange.addressed.name)
    },
  }
  return tally
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
