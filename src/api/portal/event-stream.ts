import { once } from 'node:events'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../contract/refusals.js'
import type { Principal } from '../../store/keys.js'
import type { StreamedEvent } from '../../usecases/portal-context.js'
import { counter } from '../limits/counter.js'
import { whenClosed } from '../transport/closing.js'

/** Open event streams. They end when the client disconnects or the service stops. */
export type Streams = {
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    open: (signal: AbortSignal) => Promise<AsyncIterable<StreamedEvent>>,
  ): Promise<FastifyReply>
  count(): number
}

const limits = { ofPerson: 20, ofAccount: 500 }

export function openStreams(app: FastifyInstance): Streams {
  const streams = new Set<AbortController>()
  const persons = counter<string>()
  const accounts = counter<number>()

  /** Counts a stream of a person and the account, or refuses it. */
  function admit({ key_id, account_id }: Principal): () => void {
    if (persons.of(key_id) >= limits.ofPerson || accounts.of(account_id) >= limits.ofAccount)
      throw new Refusal('too_many_streams', undefined, { headers: { 'retry-after': '30' } })
    persons.add(key_id, 1)
    accounts.add(account_id, 1)
    return () => {
      persons.add(key_id, -1)
      accounts.add(account_id, -1)
    }
  }

  app.addHook('preClose', async () => {
    for (const stream of streams) stream.abort()
  })

  return {
    count: () => streams.size,
    async send(request, reply, open) {
      const release = admit(request.caller)
      const ended = new AbortController()
      streams.add(ended)
      whenClosed(reply.raw, () => ended.abort())
      try {
        const events = await open(ended.signal)
        const { raw } = reply.hijack()
        raw.writeHead(200, {
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store',
          'x-request-id': request.id,
          // Buffering proxies would delay events.
          'x-accel-buffering': 'no',
        })
        raw.flushHeaders()
        try {
          for await (const event of events) {
            if (ended.signal.aborted) break
            if (!raw.write(textOf(event))) await once(raw, 'drain', { signal: ended.signal })
          }
        } catch (error) {
          // The client reconnects and resumes from the last event.
          if (!ended.signal.aborted) request.log.warn({ err: error }, 'an event stream failed')
        }
        raw.end()
        return reply
      } finally {
        streams.delete(ended)
        release()
      }
    },
  }
}

function textOf(event: StreamedEvent): string {
  return event === 'keep-alive' ? ':\n\n' : `id: ${event.id}\ndata: ${JSON.stringify(event.data)}\n\n`
}
