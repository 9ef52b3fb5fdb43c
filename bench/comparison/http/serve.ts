import type { AddressInfo } from 'node:net'
import type { DatabasePlace } from '../../bench-server.js'
import { createApp, type Store } from './app.js'

/** Where the database is: the argument of the process. */
export function placeGiven(): DatabasePlace {
  return JSON.parse(process.argv[2] as string) as DatabasePlace
}

/** Listens on a free port of the loopback interface and sends its address to the parent process. */
export async function serve(store: Store): Promise<void> {
  const app = createApp(store)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  process.on('SIGTERM', () => process.exit(0))
  process.on('disconnect', () => process.exit(0))
  process.send?.({ url: `http://127.0.0.1:${port}` })
}
