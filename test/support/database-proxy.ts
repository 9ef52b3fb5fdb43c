import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, inject } from 'vitest'

/** A TCP proxy to the test database, or another one, that can be closed, reopened and paused. */
export async function startDatabaseProxy(destination = inject('databaseUrl')) {
  const target = new URL(destination)
  const folder = target.searchParams.get('host')
  const sockets = new Set<Socket>()
  let held = false
  let port = 0
  let server: Server | undefined

  const open = () =>
    new Promise<void>((resolve) => {
      server = createServer((near) => {
        const far = folder
          ? connect(`${folder}/.s.PGSQL.5432`)
          : connect(Number(target.port || 5432), target.hostname || 'localhost')
        for (const [from, to] of [
          [near, far],
          [far, near],
        ] as const) {
          sockets.add(from)
          from.on('data', (chunk) => held || to.write(chunk))
          from.on('error', () => to.destroy())
          from.on('close', () => to.destroy())
        }
      }).listen(port, '127.0.0.1', () => {
        const address = server?.address() as AddressInfo
        port = address.port
        resolve()
      })
    })
  const close = () =>
    new Promise<void>((resolve) => {
      server?.close(() => resolve())
      for (const socket of sockets) socket.destroy()
      sockets.clear()
    })
  await open()
  afterAll(close)
  const url = new URL(target)
  url.searchParams.delete('host')
  url.host = `127.0.0.1:${port}`
  return { url: url.href, open, close, hold: () => void (held = true), release: () => void (held = false) }
}
