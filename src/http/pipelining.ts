import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Otherwise } from './direct.js'

/** Requests that come on a connection before the one ahead of them is answered. */
export type Pipelining = {
  /**
   * Lets them wait for that: only reads might be made beside each other (RFC 9112, 9.3.2), and so a connection costs what
   * one request does, however much is sent on it.
   */
  inTurn(handle: Otherwise): Otherwise
  /**
   * When a connection turns out to be broken, goes on after the answers that are still owed to what came before. What broke
   * off may be told so, unless it was answered before its end: then nobody waits for another one.
   */
  afterAnswers(socket: Socket, goOn: (mayAnswer: boolean) => void): void
  /** The answer to what came last. Answers are sent in turn: once it has ended, all have. */
  lastOn(socket: Socket): ServerResponse | undefined
  /** How many requests are not yet answered. */
  owedOn(socket: Socket): number
}

// What follows waits on its way to us.
const mostWaiting = 100

export function openPipelining(): Pipelining {
  const waitingAt = new WeakMap<Socket, number>()
  const lastAt = new WeakMap<Socket, ServerResponse>()

  function count(socket: Socket, change: number): number {
    const waiting = (waitingAt.get(socket) ?? 0) + change
    waitingAt.set(socket, waiting)
    return waiting
  }

  return {
    lastOn: (socket) => lastAt.get(socket),
    owedOn: (socket) => (lastAt.get(socket)?.closed === false ? 1 + (waitingAt.get(socket) ?? 0) : 0),

    inTurn: (handle) => (request, response) => {
      const { socket } = request
      lastAt.set(socket, response)
      // Node gives an answer its socket when those ahead of it are sent.
      if (response.socket) return handle(request, response)
      if (count(socket, 1) >= mostWaiting) socket.pause()
      response.once('socket', () => {
        if (count(socket, -1) < mostWaiting) socket.resume()
        handle(request, response)
      })
    },

    afterAnswers(socket, goOn) {
      const last = lastAt.get(socket)
      if (!last) return goOn(true)
      const finish = () => goOn(last.req.complete || !last.headersSent)
      const isOwed = last.req.complete || last.headersSent
      if (isOwed ? last.closed : last.socket) return finish()
      last.once(isOwed ? 'close' : 'socket', finish)
    },
  }
}
