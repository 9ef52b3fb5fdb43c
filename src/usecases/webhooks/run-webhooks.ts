import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../database/database.js'
import { isUnreachable } from '../../database/errors.js'
import { type Endpoint, leaseDueEndpoints } from '../../store/webhook-queue.js'
import { type DisabledMail, disableFailing } from './disable-webhook.js'
import { failuresOfDown, takeTurn } from './endpoint-turn.js'
import { sharedWork } from './shared-work.js'
import { usesInTurn } from './uses-in-turn.js'
import { webhookSender } from './webhook-request.js'

type Options = {
  allowsPrivate: boolean
  mail: DisabledMail
  signal: AbortSignal
  onError(error: unknown): void
  /** Milliseconds that an endpoint has to respond. */
  timeout?: number
  /** Milliseconds between two looks for endpoints with something to send. */
  pause?: number
}

// Endpoints that a process serves at once. Those that are down have slots of their own: they delay no other.
const mostAtOnce = 200
const mostDown = 50
// Connections of the database that all of them use at once: requests need the others.
const mostConnections = 3
const usualTimeout = 15_000
const usualPause = 1000
const pauseAfterError = 5000
const turnTime = 5000
// In which a turn is saved.
const marginSeconds = 5
// When the service stops, endpoints have so long to respond (ms): what has no response is sent again.
const gracePeriod = 3000

/**
 * Sends events to the endpoints of accounts. Every process does: each endpoint is served by the one that has leased it. Runs until
 * the signal aborts.
 */
export async function runWebhooks(db: Database, { signal, onError, ...options }: Options): Promise<void> {
  const { allowsPrivate, mail, timeout = usualTimeout, pause = usualPause } = options
  const sender = webhookSender({ allowsPrivate, timeout })
  const hardStop = new AbortController()
  // One for each request that is under way.
  setMaxListeners(0, hardStop.signal)
  const shared = sharedWork(db, usesInTurn(mostConnections))
  const running = { up: new Set<Promise<void>>(), down: new Set<Promise<void>>() }

  async function serve(endpoint: Endpoint): Promise<void> {
    try {
      const reason = await takeTurn(db, endpoint, { sender, shared, turnTime, signal, hardStop: hardStop.signal })
      if (reason) await disableFailing(db, endpoint.account_id, endpoint.webhook_id, reason, mail)
    } catch (error) {
      // The lease ends, and what was not saved is sent again.
      if (!isUnreachable(error)) onError(error)
    }
  }

  async function startTurns(isFailing: boolean): Promise<void> {
    const turns = isFailing ? running.down : running.up
    const endpoints = await leaseDueEndpoints(db, {
      lease: randomUUID(),
      seconds: (turnTime + timeout) / 1000 + marginSeconds,
      most: (isFailing ? mostDown : mostAtOnce) - turns.size,
      failing: { from: failuresOfDown, isFailing },
    })
    for (const endpoint of endpoints) {
      const turn: Promise<void> = serve(endpoint).finally(() => turns.delete(turn))
      turns.add(turn)
    }
  }

  while (!signal.aborted) {
    let wait = pause
    try {
      await startTurns(false)
      await startTurns(true)
    } catch (error) {
      if (!isUnreachable(error)) onError(error)
      wait = pauseAfterError
    }
    await sleep(wait, undefined, { signal }).catch(() => {})
  }
  const timer = setTimeout(() => hardStop.abort(), gracePeriod)
  await Promise.all([...running.up, ...running.down])
  clearTimeout(timer)
  sender.close()
}
