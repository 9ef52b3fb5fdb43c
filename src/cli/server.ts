import type { FastifyInstance } from 'fastify'
import { buildApp } from '../http/app.js'
import { readServiceSecrets } from '../storage/service.js'
import { Failure } from './failure.js'
import type { Storage } from './open-storage.js'
import type { Settings } from './settings.js'

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
    const address = await app.listen({ port: settings.port, host: settings.host })
    return { app, address }
  } catch (error) {
    await app.close()
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new Failure(`${settings.host}:${settings.port} is in use: stop what runs there, or choose another PORT`)
  }
}

const patience = 10_000

/** Waits for SIGTERM or SIGINT, then finishes what runs, closes everything and ends the process. */
export async function serveUntilStopped({ app }: Listening, storage: Storage): Promise<void> {
  await new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })
  // A connection that was busy when the closing began is idle after its answer, and would be kept for more.
  const idle = setInterval(() => app.server.closeIdleConnections(), 50)
  await Promise.race([app.close(), new Promise((resolve) => setTimeout(resolve, patience).unref())])
  clearInterval(idle)
  await storage.close()
  process.exit(0)
}
