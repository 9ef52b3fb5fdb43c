import { logFrom } from '../log.js'
import { type RunningService, serveUntilStopped } from '../service-lifecycle.js'
import type { Settings } from '../settings.js'
import { stopSignal } from '../stop-signal.js'
import { startWorkerPool } from './worker-pool.js'

/** Runs the main process: it keeps the database open and the workers running, and serves no requests itself. */
export async function serveWithWorkers(settings: Settings): Promise<never> {
  const log = logFrom(settings.logLevel)
  // Started first, so that workers load the service while the database starts.
  const pool = startWorkerPool(settings.workers, { stop: stopSignal(), log })
  try {
    return await serveUntilStopped(settings, async (storage): Promise<RunningService> => {
      storage.drainOnStop()
      const announced = await pool.serve(storage)
      for (const address of announced) log('info', `Server listening at ${address}`)
      const [address = ''] = announced
      return { address, operatorAddress: undefined, announced, close: () => pool.ended() }
    })
  } catch (error) {
    pool.killAll()
    throw error
  }
}
