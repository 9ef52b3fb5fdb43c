import type { Server } from 'node:http'
import type { BlockList, Socket } from 'node:net'
import { connectionAddress, isIn, networkOf } from '../transport/client-address.js'
import { counter } from './counter.js'

/** Whether a connection is beyond the limit of its address: its first request is refused, and it is closed. */
export type AddressLimit = { isExceeded(socket: Socket): boolean }

// A refused connection that sends no request.
const refusedTimeout = 5000

/** Limits the open connections of an address, idle ones included; undefined: no limit. Trusted proxies have none: all clients come from them. */
export function limitAddresses(server: Server, limit: number | undefined, trustedProxies: BlockList): AddressLimit {
  const open = counter<string>()
  const refused = new WeakSet<Socket>()
  if (limit !== undefined) {
    server.on('connection', (socket) => {
      const connected = connectionAddress(socket)
      if (isIn(trustedProxies, connected)) return
      const address = networkOf(connected)
      if (open.of(address) >= limit) {
        refused.add(socket)
        socket.setTimeout(refusedTimeout, () => socket.destroy())
        return
      }
      open.add(address, 1)
      socket.once('close', () => open.add(address, -1))
    })
  }
  return { isExceeded: (socket) => refused.has(socket) }
}
