import { once } from 'node:events'
import { buildApp } from '../http/app.js'
import type { Service } from '../http/service.js'
import { Failure } from './failure.js'
import { type Storage, withStorage } from './open-storage.js'
import type { Settings } from './settings.js'
import { interruptionOf, stopSignal } from './stop-signal.js'

export type Listening = {
  address: string
  /** Where operators are served, if they are. */
  operatorAddress: string | undefined
  close(): Promise<void>
}

type Place = { port: number; host: string; setting: string }

/** The service on its address, and the forwarder's side on one of its own if that is wanted. */
export async function listen(
  storage: Storage,
  settings: Settings,
  options: { demoAccount?: string } = {},
): Promise<Listening> {
  const { operators } = settings
  const service = {
    db: storage.db,
    files: storage.files,
    rateLimit: settings.rateLimit,
    publicUrl: settings.publicUrl,
    demoAccount: options.demoAccount,
    forwarderName: settings.forwarderName,
    answerMemory: settings.answerMemory,
    logLevel: settings.logLevel,
  }
  storage.outlastStop()
  const here = { port: settings.port, host: settings.host, setting: 'PORT' }
  const isTogether = operators === 'with customers'
  const main = await openAt(here, { ...service, serves: { customers: true, operators: isTogether } })
  if (typeof operators === 'string') {
    return { address: main.address, operatorAddress: isTogether ? main.address : undefined, close: () => main.close() }
  }
  try {
    const own = await openAt(
      { ...operators, setting: 'WAYBILL_OPS_PORT' },
      { ...service, serves: { customers: false, operators: true } },
    )
    return {
      address: main.address,
      operatorAddress: own.address,
      close: async () => void (await Promise.all([main.close(), own.close()])),
    }
  } catch (error) {
    await main.close()
    throw error
  }
}

async function openAt({ port, host, setting }: Place, service: Service) {
  const app = await buildApp(service)
  try {
    const address = await app.listen({ port, host })
    return { address, close: () => app.close() }
  } catch (error) {
    await app.close()
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new Failure(`${host}:${port} is in use: stop what runs there, or choose another ${setting}`)
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
      const listening = await start(storage)
      if (!stop.aborted) await once(stop, 'abort')
      await listening.close()
    })
  } catch (error) {
    // Told to stop while it was still starting, or kept waiting for too long.
    if (!interruptionOf(error)) throw error
  }
  process.exit(0)
}
