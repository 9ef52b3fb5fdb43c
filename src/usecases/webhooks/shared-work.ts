import type { EventType } from '../../contract/public/event.js'
import { batcher } from '../../database/batcher.js'
import type { Database } from '../../database/database.js'
import { isUnreachable } from '../../database/errors.js'
import type { ChangePosition } from '../../ledger/changes.js'
import { type SentTurn, saveSent } from '../../store/webhook-queue.js'
import type { FeedOrigin } from '../events/event-types.js'
import { type EventPage, readEvents } from '../events/read-events.js'

/** What the endpoints of a process use the database for together: they outnumber its connections. */
export type SharedWork = {
  /** Runs a use of the database when its turn has come. */
  queue: <Result>(use: () => Promise<Result>) => Promise<Result>
  /** The next events: endpoints that are at the same place of an account share what is read. */
  readPage(origin: FeedOrigin, position: ChangePosition, filter: PageFilter): Promise<EventPage>
  /** Saves a turn, together with others that end meanwhile. Whether the lease is still held, and the endpoint active. */
  save(turn: SentTurn): Promise<boolean>
}

type PageFilter = { types: ReadonlySet<EventType> | undefined; limit: number }

const mostTurns = 50

export function sharedWork(db: Database, queue: SharedWork['queue']): SharedWork {
  const pages = new Map<string, Promise<EventPage>>()
  const save = batcher<SentTurn, PromiseSettledResult<boolean>>((turns) => queue(() => saveAll(db, turns)), {
    concurrency: 1,
    size: mostTurns,
  })
  return {
    queue,
    readPage(origin, position, filter) {
      const key = JSON.stringify([origin.account, position, filter.types && [...filter.types], filter.limit])
      const pending = pages.get(key)
      if (pending) return pending
      const page = queue(() => readEvents(db, origin, position, filter)).finally(() => pages.delete(key))
      pages.set(key, page)
      return page
    },
    async save(turn) {
      const saved = await save(turn)
      if (saved?.status !== 'fulfilled') throw saved?.reason
      return saved.value
    },
  }
}

async function saveAll(db: Database, turns: SentTurn[]): Promise<PromiseSettledResult<boolean>[]> {
  try {
    const saved = await saveSent(db, turns)
    return saved.map((value) => ({ status: 'fulfilled', value }))
  } catch (error) {
    if (turns.length === 1 || isUnreachable(error)) return turns.map(() => ({ status: 'rejected', reason: error }))
    // One that cannot be saved holds up no other.
    const single: PromiseSettledResult<boolean>[] = []
    for (const turn of turns) single.push(...(await saveAll(db, [turn])))
    return single
  }
}
