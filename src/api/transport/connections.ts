import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Handle } from '../public/fast-reads.js'
import type { PipelinedRequests } from './pipelined-requests.js'

/** Counts open connections and the requests in progress on them. */
export type Connections = { count(): { open: number; requests: number } }

/**
 * On shutdown, closes idle connections immediately and the others after their last response has been sent completely.
 */
export function closeGracefully(app: FastifyInstance, { pendingCount, lastResponse }: PipelinedRequests): Connections {
  const open = new Set<Socket>()
  let isClosing = false

  app.server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  // First of all listeners: `Connection: close` must be set before a handler sends the headers.
  app.server.prependListener('request', ({ socket }, response) => {
    if (isClosing) endAfter(response, socket, pendingCount(socket) === 0)
  })
  app.addHook('preClose', async () => {
    isClosing = true
    for (const socket of open) {
      const last = lastResponse(socket)
      if (last && pendingCount(socket) > 0) endAfter(last, socket, pendingCount(socket) === 1)
    }
  })

  // While closing, Fastify sets `Connection: close` on every response. On a response with pipelined requests behind it,
  // that would close the connection before they are answered.
  app.addHook('onRequest', async (request, { raw }) => {
    if (isClosing && lastResponse(request.socket) !== raw) raw.removeHeader('connection')
  })

  // A client that sees `Connection: close` sends no further request on the connection.
  function endAfter(response: ServerResponse, socket: Socket, isLast: boolean): void {
    if (isLast) response.shouldKeepAlive = false
    response.once('close', () => {
      if (pendingCount(socket) === 0) socket.end()
    })
  }

  // Node closes idle connections with the server, and treats a connection as idle although its response is still buffered
  // for a slow client.
  app.server.closeIdleConnections = () => {
    for (const socket of open) if (pendingCount(socket) === 0) socket.destroy()
  }

  return {
    count() {
      let requests = 0
      for (const socket of open) requests += pendingCount(socket)
      return { open: open.size, requests }
    },
  }
}

/**
 * Ignores requests on a connection that this side has ended: they could be executed, but not answered.
 */
export function skipEndedConnections(handle: Handle): Handle {
  return (request, response) => {
    if (!request.socket.writableEnded) handle(request, response)
  }
}
