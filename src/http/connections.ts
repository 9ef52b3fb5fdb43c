import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * When the service closes, connections that nobody waits at end at once, the others after their last answer: one
 * that is written, but not yet read, included.
 */
export function closeAfterAnswers(app: FastifyInstance): void {
  const answersUnderWay = new Map<Socket, number>()
  let isClosing = false

  app.server.on('connection', (socket) => {
    answersUnderWay.set(socket, 0)
    socket.once('close', () => answersUnderWay.delete(socket))
  })
  app.server.on('request', ({ socket }, response) => {
    count(socket, 1)
    response.once('close', () => {
      count(socket, -1)
      if (isClosing && answersUnderWay.get(socket) === 0) socket.end()
    })
  })
  app.addHook('preClose', async () => {
    isClosing = true
  })

  // Node closes idle connections along with the server, and takes one for idle whose answer still waits in memory
  // for a slow reader.
  app.server.closeIdleConnections = () => {
    for (const [socket, answers] of answersUnderWay) if (answers === 0) socket.destroy()
  }

  function count(socket: Socket, change: number): void {
    const answers = answersUnderWay.get(socket)
    if (answers !== undefined) answersUnderWay.set(socket, answers + change)
  }
}
