import { expect } from 'vitest'
import type { Database } from '../../src/database/database.js'
import { runInbox } from '../../src/usecases/messages/inbox.js'
import { until } from './program.js'

/** Runs the background task of the service until the condition holds. */
export async function whileInboxRuns(db: Database, condition: () => Promise<boolean>): Promise<void> {
  const stop = new AbortController()
  const errors: unknown[] = []
  const running = runInbox(db, { signal: stop.signal, quotas: {}, onError: (error) => void errors.push(error) })
  try {
    await until(condition)
  } finally {
    stop.abort()
    await running
  }
  expect(errors).toEqual([])
}
