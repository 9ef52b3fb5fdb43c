import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Otherwise } from './direct.js'
import type { Pipelining } from './pipelining.js'

/** Those that are open, and the requests on them that are not yet answered. */
export type Connections = { count(): { open: number; requests: number } }

/**
 * When the service closes, connections that nobody waits at end at once, the others after their last answer: one
 * that is written, but not yet read, included.
 */
export function closeAfterAnswers(app: FastifyInstance, { owedOn, lastOn }: Pipelining): Connections {
  const open = new Set<Socket>()
  let isClosing = false

  app.server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  // Before anybody else hears of it: some are answered at once, and where it ends that has to be said in the head.
  app.server.prependListener('request', ({ socket }, response) => {
    if (isClosing) endAfter(response, socket, owedOn(socket) === 0)
  })
  app.addHook('preClose', async () => {
    isClosing = true
    for (const socket of open) {
      const last = lastOn(socket)
      if (last && owedOn(socket) > 0) endAfter(last, socket, owedOn(socket) === 1)
    }
  })

  // Whoever hears that it is the last answer sends nothing more on the connection.
  function endAfter(response: ServerResponse, socket: Socket, isAlone: boolean): void {
    if (isAlone) response.shouldKeepAlive = false
    response.once('close', () => {
      if (owedOn(socket) === 0) socket.end()
    })
  }

  // Node closes idle connections along with the server, and takes one for idle whose answer still waits in memory
  // for a slow reader.
  app.server.closeIdleConnections = () => {
    for (const socket of open) if (owedOn(socket) === 0) socket.destroy()
  }

  return {
    count() {
      let requests = 0
      for (const socket of open) requests += owedOn(socket)
      return { open: open.size, requests }
    },
  }
}

/**
 * A connection that we have ended takes no answer any more, though something may still come on it: that is not begun, so that
 * nothing happens of which its sender does not hear.
 */
export function unlessEnded(handle: Otherwise): Otherwise {
  return (request, response) => {
    if (!request.socket.writableEnded) handle(request, response)
  }
}
