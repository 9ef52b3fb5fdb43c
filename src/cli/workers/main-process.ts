import { logFrom } from '../log.js'
import { type Listening, serveUntilStopped } from '../serving.js'
import type { Settings } from '../settings.js'
import { stopSignal } from '../stop-signal.js'
import { startCrew } from './crew.js'

/** Keeps the database open, and the workers that serve from it at work; serves nothing itself. */
export async function serveWithWorkers(settings: Settings): Promise<never> {
  const log = logFrom(settings.logLevel)
  // They load the service while the database starts.
  const crew = startCrew(settings.workers, { stop: stopSignal(), log })
  try {
    return await serveUntilStopped(settings, async (storage): Promise<Listening> => {
      storage.outlastStop()
      const announced = await crew.serve(storage)
      for (const address of announced) log('info', `Server listening at ${address}`)
      const [address = ''] = announced
      return { address, operatorAddress: undefined, announced, close: () => crew.ended() }
    })
  } catch (error) {
    crew.dismiss()
    throw error
  }
}
