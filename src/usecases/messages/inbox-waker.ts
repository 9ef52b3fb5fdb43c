import type { Quotas } from '../../contract/operator/quotas.js'
import type { Database } from '../../database/database.js'
import { isUnreachable } from '../../database/errors.js'
import { processSender } from './inbox.js'

export type InboxWaker = {
  /** Processes what is stored of a sender, without being awaited. */
  wake(sender: string): void
  /** Starts nothing any more, and waits for what runs. */
  stop(): Promise<void>
}

/** Processes messages right after they were stored. What it does not get to, the background task does (`runInbox`). */
export function inboxWaker(db: Database, inbox: { quotas: Quotas; onError(error: unknown): void }): InboxWaker {
  const running = new Map<string, Promise<void>>()
  // Senders with messages that may have been stored after the last look.
  const again = new Set<string>()
  let isStopped = false

  async function run(sender: string): Promise<void> {
    try {
      do {
        again.delete(sender)
        await processSender(db, sender, inbox)
      } while (again.has(sender) && !isStopped)
    } catch (error) {
      if (!isUnreachable(error)) inbox.onError(error)
    } finally {
      running.delete(sender)
    }
  }

  return {
    wake(sender) {
      if (isStopped) return
      if (running.has(sender)) again.add(sender)
      else running.set(sender, run(sender))
    },
    async stop() {
      isStopped = true
      await Promise.all(running.values())
    },
  }
}
