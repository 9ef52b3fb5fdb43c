import { createServer } from 'node:net'
import { Failure } from './failure.js'
import type { Settings } from './settings.js'

/** An address that the service listens on, and the settings that it is from. */
export type ListenAddress = { port: number; host: string; settings: { port: string; host: string } }

export function mainAddress({ port, host }: Settings): ListenAddress {
  return { port, host, settings: { port: 'PORT', host: 'HOST' } }
}

/** Undefined unless operators have an address of their own. */
export function operatorAddress({ operators }: Settings): ListenAddress | undefined {
  if (typeof operators === 'string') return undefined
  return { ...operators, settings: { port: 'WAYBILL_OPS_PORT', host: 'WAYBILL_OPS_HOST' } }
}

/** Fails before the database is created or migrated by a service that could not listen. */
export async function checkListenAddresses(settings: Settings): Promise<void> {
  for (const address of [mainAddress(settings), operatorAddress(settings)]) {
    const error = address && (await tryToListen(address))
    if (error) throw listenFailure(error, address)
  }
}

export function tryToListen({ host, port }: Pick<ListenAddress, 'host' | 'port'>): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}

export function listenFailure(error: unknown, { host, port, settings }: ListenAddress): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException
  const place = `${host}:${port}`
  if (code === 'EADDRINUSE')
    return new Failure(`${place} is in use`, 1, `stop the program that uses it, or choose another ${settings.port}`)
  if (code === 'EADDRNOTAVAIL')
    return new Failure(`${host} is not an address of this machine`, 1, `correct ${settings.host}`)
  if (code === 'EACCES')
    return new Failure(`this user may not listen on ${place}`, 1, `choose a ${settings.port} of 1024 or higher`)
  if (syscall === undefined) return error
  return new Failure(`cannot listen on ${place} (${message})`, 1, `correct ${settings.host} and ${settings.port}`)
}
