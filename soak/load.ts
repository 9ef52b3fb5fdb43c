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
  sendMessage,
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
  [sendMessage, 8],
  [uploadDocument, 4],
  [invoice, 8],
  [createLocation, 3],
  [changeKeys, 3],
]

/** Several concurrent clients for each of several accounts. */
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
    /** The longest pause between two actions of a client, in milliseconds. */
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
        // One of them opens a connection for each request.
        connections: openConnections({ keepAlive: index > 0 }),
        own: { orders: [], shipments: [], invoices: [], keys: [] },
      })),
    )
  }

  start(): void {
    this.#isOver = false
    this.#working = this.#actors.map((actor) => this.#work(actor))
  }

  /** Waits until all clients have finished their current action. */
  async rest(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#working)
    this.#working = []
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Runs the load for the duration of some work, such as a fault. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.start()
    try {
      const result = await work()
      await this.rest()
      return result
    } catch (error) {
      // Reports the first error: failures of the load may follow from it.
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
