import { once } from 'node:events'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { StreamedEvent } from '../../portal-api/handlers.js'

/** Streams of events that are open: they end when the client leaves, and when the service stops. */
export type Streams = {
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    open: (signal: AbortSignal) => Promise<AsyncIterable<StreamedEvent>>,
  ): Promise<FastifyReply>
  /** How many are open. */
  count(): number
}

export function openStreams(app: FastifyInstance): Streams {
  const underWay = new Set<AbortController>()
  app.addHook('preClose', async () => {
    for (const stream of underWay) stream.abort()
  })

  return {
    count: () => underWay.size,
    async send(request, reply, open) {
      const ended = new AbortController()
      underWay.add(ended)
      reply.raw.once('close', () => ended.abort())
      try {
        const events = await open(ended.signal)
        const { raw } = reply.hijack()
        raw.writeHead(200, {
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store',
          'x-request-id': request.id,
          // Proxies that gather answers would hold events back.
          'x-accel-buffering': 'no',
        })
        raw.flushHeaders()
        try {
          for await (const event of events) {
            if (ended.signal.aborted) break
            if (!raw.write(textOf(event))) await once(raw, 'drain', { signal: ended.signal })
          }
        } catch (error) {
          // The client comes back by itself, and goes on where it was.
          if (!ended.signal.aborted) request.log.warn({ err: error }, 'a stream of changes has ended early')
        }
        raw.end()
        return reply
      } finally {
        underWay.delete(ended)
      }
    },
  }
}

function textOf(event: StreamedEvent): string {
  return event === 'nothing new' ? ':\n\n' : `id: ${event.id}\ndata: ${JSON.stringify(event.data)}\n\n`
}
