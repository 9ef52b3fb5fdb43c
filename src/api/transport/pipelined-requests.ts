import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Handle } from '../public/fast-reads.js'

/** HTTP pipelining: requests that arrive on a connection before the previous one has been answered. */
export type PipelinedRequests = {
  /**
   * Handles the requests of a connection one after another. RFC 9112, 9.3.2 allows concurrency for safe methods only, and
   * this way a connection costs no more than one request.
   */
  serialize(handle: Handle): Handle
  /**
   * Calls back once the responses to earlier requests have been sent on a connection that turned out malformed.
   * `canRespond` is false if the malformed request already has a response.
   */
  afterPending(socket: Socket, callback: (canRespond: boolean) => void): void
  /** The response to the latest request. Responses are sent in order, so all have ended when this one has. */
  lastResponse(socket: Socket): ServerResponse | undefined
  /** Requests without a complete response. */
  pendingCount(socket: Socket): number
}

// Above this the socket is paused, and TCP flow control stops the client.
const maxQueued = 100

export function pipelinedRequests(): PipelinedRequests {
  const queuedOn = new WeakMap<Socket, number>()
  const lastOn = new WeakMap<Socket, ServerResponse>()

  function addQueued(socket: Socket, change: number): number {
    const queued = (queuedOn.get(socket) ?? 0) + change
    queuedOn.set(socket, queued)
    return queued
  }

  return {
    lastResponse: (socket) => lastOn.get(socket),
    pendingCount: (socket) => (lastOn.get(socket)?.closed === false ? 1 + (queuedOn.get(socket) ?? 0) : 0),

    serialize: (handle) => (request, response) => {
      const { socket } = request
      lastOn.set(socket, response)
      // Node assigns the socket to a response when all earlier ones have been sent.
      if (response.socket) return handle(request, response)
      if (addQueued(socket, 1) >= maxQueued) socket.pause()
      response.once('socket', () => {
        if (addQueued(socket, -1) < maxQueued) socket.resume()
        handle(request, response)
      })
    },

    afterPending(socket, callback) {
      const last = lastOn.get(socket)
      if (!last) return callback(true)
      const finish = () => callback(last.req.complete || !last.headersSent)
      const isPending = last.req.complete || last.headersSent
      if (isPending ? last.closed : last.socket) return finish()
      last.once(isPending ? 'close' : 'socket', finish)
    },
  }
}
