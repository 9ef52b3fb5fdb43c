import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Calls `end` when the response is closed: now if its client has disconnected meanwhile, for no event follows then. */
export function whenClosed(response: ServerResponse, end: () => void): void {
  if (response.closed) end()
  else response.once('close', end)
}

/** Signals for requests that wait: they abort when the client disconnects or the service stops. */
export function signalsUntilClosed(app: FastifyInstance): (reply: FastifyReply) => AbortSignal {
  const waiting = new Set<AbortController>()
  app.addHook('preClose', async () => {
    for (const each of waiting) each.abort()
  })
  return ({ raw }) => {
    const ended = new AbortController()
    waiting.add(ended)
    whenClosed(raw, () => {
      waiting.delete(ended)
      ended.abort()
    })
    return ended.signal
  }
}
