import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Otherwise } from './direct.js'

/** Those that are open, and the requests on them that are not yet answered. */
export type Connections = { count(): { open: number; requests: number } }

/**
 * When the service closes, connections that nobody waits at end at once, the others after their last answer: one
 * that is written, but not yet read, included.
 */
export function closeAfterAnswers(app: FastifyInstance): Connections {
  // By their connection: one that waits behind others does not learn that it has ended.
  const answersUnderWay = new Map<Socket, Set<ServerResponse>>()
  let isClosing = false

  app.server.on('connection', (socket) => {
    answersUnderWay.set(socket, new Set())
    socket.once('close', () => answersUnderWay.delete(socket))
  })
  // Before anybody else hears of it: some are answered at once, and where it ends that has to be said in the head.
  app.server.prependListener('request', ({ socket }, response) => {
    const answers = answersUnderWay.get(socket)
    if (!answers) return
    answers.add(response)
    if (isClosing) announceEnd(response, answers)
    response.once('close', () => {
      answers.delete(response)
      if (isClosing && answers.size === 0) socket.end()
    })
  })
  app.addHook('preClose', async () => {
    isClosing = true
    for (const answers of answersUnderWay.values()) for (const response of answers) announceEnd(response, answers)
  })

  // Whoever hears that it is the last answer sends nothing more on the connection.
  function announceEnd(response: ServerResponse, { size }: Set<ServerResponse>): void {
    if (size === 1) response.shouldKeepAlive = false
  }

  // Node closes idle connections along with the server, and takes one for idle whose answer still waits in memory
  // for a slow reader.
  app.server.closeIdleConnections = () => {
    for (const [socket, { size }] of answersUnderWay) if (size === 0) socket.destroy()
  }

  return {
    count() {
      let requests = 0
      for (const { size } of answersUnderWay.values()) requests += size
      return { open: answersUnderWay.size, requests }
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
