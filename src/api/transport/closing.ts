import type { FastifyInstance, FastifyReply } from 'fastify'

/** Signals for requests that wait: they abort when the client disconnects or the service stops. */
export function signalsUntilClosed(app: FastifyInstance): (reply: FastifyReply) => AbortSignal {
  const waiting = new Set<AbortController>()
  app.addHook('preClose', async () => {
    for (const each of waiting) each.abort()
  })
  return ({ raw }) => {
    const ended = new AbortController()
    waiting.add(ended)
    raw.once('close', () => {
      waiting.delete(ended)
      ended.abort()
    })
    return ended.signal
  }
}
