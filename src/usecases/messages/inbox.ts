import { setTimeout as sleep } from 'node:timers/promises'
import type { Quotas } from '../../contract/operator/quotas.js'
import type { Database } from '../../database/database.js'
import { isCancelled, isUnreachable } from '../../database/errors.js'
import { findOldestPending, listPendingSenders, lockSender, reopenMatched, setOutcome } from '../../store/messages.js'
import { processMessage } from './process-message.js'

/** Processes stored messages, those of one sender in the order received. */

type Inbox = { quotas: Quotas; onError(error: unknown): void }

// Waiting for the sender or an account for longer than this (ms), a message stays for later.
const lockTimeout = 5000

// One at a time in a process, so that messages hold one connection of it.
const queues = new WeakMap<Database, Promise<unknown>>()

/** Processes the messages of a sender, up to a given one. Throws while the database or an account is not available. */
export async function processSender(
  db: Database,
  sender: string,
  inbox: Inbox,
  upTo = Number.POSITIVE_INFINITY,
): Promise<void> {
  const turn = (queues.get(db) ?? Promise.resolve()).then(async () => {
    for (;;) {
      const done = await processNext(db, sender, inbox)
      if (done === undefined || done >= upTo) return
    }
  })
  const settled = turn.catch(() => {})
  queues.set(db, settled)
  await turn
}

/** Returns the message that was processed; undefined if none is left. */
async function processNext(db: Database, sender: string, { quotas, onError }: Inbox): Promise<number | undefined> {
  let message_id: number | undefined
  try {
    await db.begin(
      async (sql) => {
        await lockSender(sql, sender)
        const message = await findOldestPending(sql, sender)
        message_id = message?.message_id
        if (message) await processMessage(sql, message, { quotas })
      },
      { lockTimeout, pinsPlans: true },
    )
  } catch (error) {
    if (message_id === undefined || isTemporary(error)) throw error
    // It would fail again, and hold up all that follow.
    onError(error)
    await setOutcome(db, message_id, 'quarantined', 'The service failed to process the message: an internal error.')
  }
  return message_id
}

// Deadlocks are resolved by trying again.
function isTemporary(error: unknown): boolean {
  return isUnreachable(error) || isCancelled(error) || (error as { code?: unknown }).code === '40P01'
}

const idlePause = 1000
const pauseAfterError = 5000

/**
 * Processes what was stored but not processed, also by processes that ended, and what waited for a shipment that came
 * meanwhile. Runs until the signal aborts.
 */
export async function runInbox(db: Database, { signal, ...inbox }: Inbox & { signal: AbortSignal }): Promise<void> {
  let cursor = 0
  while (!signal.aborted) {
    let pause = idlePause
    try {
      cursor = await reopenMatched(db, cursor)
      for (const sender of await listPendingSenders(db)) {
        if (signal.aborted) return
        await processSender(db, sender, inbox)
      }
    } catch (error) {
      if (signal.aborted) return
      if (!isTemporary(error)) inbox.onError(error)
      pause = pauseAfterError
    }
    await sleep(pause, undefined, { signal }).catch(() => {})
  }
}
