import { once } from 'node:events'
import { checkListenAddresses } from './listen-address.js'
import { type SharedDatabase, type Storage, withStorage } from './open-storage.js'
import type { Settings } from './settings.js'
import { interruptionOf, stopSignal } from './stop-signal.js'

export type RunningService = {
  address: string
  /** The address of the operator interface, if it is served. */
  operatorAddress: string | undefined
  /** All addresses on which it listens. */
  announced: string[]
  close(): Promise<void>
}

/**
 * Starts a service, waits for SIGTERM or SIGINT, closes it gracefully and exits with 0. Uses the database of the settings, or
 * the shared one of the main process.
 */
export async function serveUntilStopped(
  settings: Settings,
  start: (storage: Storage) => Promise<RunningService>,
  shared?: SharedDatabase,
): Promise<never> {
  const stop = stopSignal()
  try {
    // Workers share the socket of their main process.
    if (!shared) await checkListenAddresses(settings)
    await withStorage(
      settings,
      async (storage) => {
        const running = await start(storage)
        if (!stop.aborted) await once(stop, 'abort')
        await running.close()
      },
      shared,
    )
  } catch (error) {
    // Stopped during the start, or the grace period has ended.
    if (!interruptionOf(error)) throw error
  }
  process.exit(0)
}
