import { type Candidate, keyOf, matchedByDates } from '../../domain/messages/matching.js'
import type { PendingMessage } from '../../store/messages.js'
import type { PlannedEvent } from './event-plan.js'

/** Chooses messages that can be processed together: none of them depends on what another one stores. */
export class IndependentMessages {
  readonly #known: Map<string, Candidate[]>
  readonly #events = new Set<string>()
  readonly #shipments = new Set<string>()
  /** Their order is kept: after one that is left out, so are those that follow. */
  readonly #leftOut = new Set<string>()

  constructor(known: Map<string, Candidate[]>) {
    this.#known = known
  }

  isLeftOut({ sender }: PendingMessage): boolean {
    return this.#leftOut.has(sender)
  }

  /** Whether the message is one of them. */
  takes(message: PendingMessage, plan: PlannedEvent[]): boolean {
    const { sender } = message
    const events = plan.flatMap(({ identity }) => (identity === undefined ? [] : `${identity} ${sender}`))
    if (events.some((event) => this.#events.has(event)) || plan.some((each) => this.#isMatchedByDates(each))) {
      this.#leftOut.add(sender)
      return false
    }
    for (const event of events) this.#events.add(event)
    for (const { match } of plan) if (match && 'target' in match) this.#shipments.add(keyOf(match.target))
    return true
  }

  // A container is matched by the dates of its shipment, which the messages before may change.
  #isMatchedByDates({ event }: PlannedEvent): boolean {
    if (!event) return false
    return matchedByDates(event, this.#known).some((shipment) => this.#shipments.has(keyOf(shipment)))
  }
}
