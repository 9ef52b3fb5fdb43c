import { once } from 'node:events'
import { type KeptDatabase, type Storage, withStorage } from './open-storage.js'
import type { Settings } from './settings.js'
import { interruptionOf, stopSignal } from './stop-signal.js'

export type Listening = {
  address: string
  /** Where operators are served, if they are. */
  operatorAddress: string | undefined
  /** All addresses by which it is reached. */
  announced: string[]
  close(): Promise<void>
}

/**
 * Serves what `start` makes listen until SIGTERM or SIGINT, then finishes what runs and ends the process with 0. From
 * the database of the settings, or from one that somebody else keeps open.
 */
export async function serveUntilStopped(
  settings: Settings,
  start: (storage: Storage) => Promise<Listening>,
  kept?: KeptDatabase,
): Promise<never> {
  const stop = stopSignal()
  try {
    await withStorage(
      settings,
      async (storage) => {
        const listening = await start(storage)
        if (!stop.aborted) await once(stop, 'abort')
        await listening.close()
      },
      kept,
    )
  } catch (error) {
    // Told to stop while it was still starting, or kept waiting for too long.
    if (!interruptionOf(error)) throw error
  }
  process.exit(0)
}
