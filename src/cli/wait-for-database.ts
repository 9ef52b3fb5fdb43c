import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../database/database.js'
import { isUnreachable } from '../database/errors.js'
import { findDatabaseFailure } from './database-failure.js'
import { Failure } from './failure.js'

const pause = 500

/** Waits until the database responds, up to a number of seconds, and reports why it waits. */
export async function waitForDatabase(db: Database, url: string, seconds: number, stop: AbortSignal): Promise<void> {
  const deadline = performance.now() + seconds * 1000
  let reported = ''
  for (;;) {
    try {
      await db`select 1`
      return
    } catch (error) {
      stop.throwIfAborted()
      const failure = findDatabaseFailure(error, url)
      if (!failure || !isTemporary(error)) throw error
      const { message, advice } = failure
      if (performance.now() > deadline) throw new Failure(`${message}; gave up after ${seconds} s`, 1, advice)
      if (message !== reported) console.error(`waybill: ${message}; waiting for up to ${seconds} s`)
      reported = message
    }
    await sleep(pause, undefined, { signal: stop })
  }
}

// The server is down or starting, or the database is not created yet.
function isTemporary(error: unknown): boolean {
  return isUnreachable(error) || (error as { code?: unknown }).code === '3D000'
}
