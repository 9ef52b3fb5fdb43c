import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../src/sandbox/random.js'
import {
  createOrder,
  readForeignOrder,
  readLists,
  readOwnOrder,
  readOwnShipment,
  updateOrder,
} from './actions/customer.js'
import {
  assign,
  changeKeys,
  createLocation,
  createShipment,
  invoice,
  moveShipment,
  readOwnTracking,
  track,
  uploadDocument,
} from './actions/operator.js'
import type { Actor } from './actor.js'
import { openConnections } from './exchange.js'
import type { AccountState } from './expected.js'
import type { Ledger } from './ledger.js'
import type { Traffic } from './traffic.js'

type Action = (actor: Actor) => Promise<void>

const actions: readonly (readonly [Action, number])[] = [
  [createOrder, 16],
  [updateOrder, 14],
  [readOwnOrder, 14],
  [readOwnShipment, 8],
  [readOwnTracking, 4],
  [readLists, 8],
  [readForeignOrder, 3],
  [createShipment, 5],
  [moveShipment, 5],
  [assign, 8],
  [track, 8],
  [uploadDocument, 4],
  [invoice, 8],
  [createLocation, 3],
  [changeKeys, 3],
]

/** Several people at work on each of several accounts, from outside of the service. */
export class Load {
  readonly #actors: Actor[]
  readonly #pause: number
  #working: Promise<void>[] = []
  #isOver = false
  #failure: unknown

  constructor(given: {
    seed: string
    accounts: AccountState[]
    operatorKey: string
    traffic: Traffic
    ledger: Ledger
    /** Milliseconds at most between two things that somebody does. */
    pause: number
  }) {
    const { seed, accounts, operatorKey, traffic, ledger } = given
    this.#pause = given.pause
    const each = 3
    this.#actors = accounts.flatMap((state) =>
      Array.from({ length: each }, (_, index) => ({
        random: createRandom(`${seed}/${state.slug}/${index}`),
        state,
        others: accounts.filter((other) => other !== state),
        operatorKey,
        traffic,
        ledger,
        // One of them makes a connection for each request.
        connections: openConnections({ keepAlive: index > 0 }),
        own: { orders: [], shipments: [], invoices: [], keys: [] },
      })),
    )
  }

  start(): void {
    this.#isOver = false
    this.#working = this.#actors.map((actor) => this.#work(actor))
  }

  /** Lets everybody finish what they have begun, and get an answer to it where that can be had. */
  async rest(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#working)
    this.#working = []
    if (this.#failure !== undefined) throw this.#failure
  }

  /** For its duration: somebody else may do something to the service meanwhile. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.start()
    try {
      const result = await work()
      await this.rest()
      return result
    } catch (error) {
      // What went wrong first is told: that nobody is answered any more may follow from it.
      await this.rest().catch(() => {})
      throw error
    }
  }

  end(): void {
    for (const { connections } of this.#actors) connections.end()
  }

  async #work(actor: Actor): Promise<void> {
    try {
      while (!this.#isOver) {
        await actor.random.weighted(actions)(actor)
        if (this.#pause > 0) await sleep(actor.random.integer(0, this.#pause))
      }
    } catch (error) {
      this.#failure = error
    }
  }
}
