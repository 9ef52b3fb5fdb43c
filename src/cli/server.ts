import { once } from 'node:events'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../http/app.js'
import { readServiceSecrets } from '../storage/service.js'
import { Failure } from './failure.js'
import { type Storage, withStorage } from './open-storage.js'
import type { Settings } from './settings.js'
import { interruptionOf, stopSignal } from './stop-signal.js'

export type Listening = { app: FastifyInstance; address: string }

/** The service on its address. */
export async function listen(
  storage: Storage,
  settings: Settings,
  options: { demoAccount?: string } = {},
): Promise<Listening> {
  const app = await buildApp({
    db: storage.db,
    files: storage.files,
    secrets: await readServiceSecrets(storage.db),
    rateLimit: settings.rateLimit,
    publicUrl: settings.publicUrl,
    demoAccount: options.demoAccount,
    logLevel: settings.logLevel,
  })
  try {
    storage.outlastStop()
    const address = await app.listen({ port: settings.port, host: settings.host })
    return { app, address }
  } catch (error) {
    await app.close()
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new Failure(`${settings.host}:${settings.port} is in use: stop what runs there, or choose another PORT`)
  }
}

/** Serves what `start` makes listen until SIGTERM or SIGINT, then finishes what runs and ends the process with 0. */
export async function serveUntilStopped(
  settings: Settings,
  start: (storage: Storage) => Promise<Listening>,
): Promise<never> {
  const stop = stopSignal()
  try {
    await withStorage(settings, async (storage) => {
      const { app } = await start(storage)
      if (!stop.aborted) await once(stop, 'abort')
      await app.close()
    })
  } catch (error) {
    // Told to stop while it was still starting, or kept waiting for too long.
    if (!interruptionOf(error)) throw error
  }
  process.exit(0)
}
