import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest, InjectOptions } from 'fastify'
import { createClient } from '../../client/client.js'
import { Refusal } from '../../contract/refusals.js'
import { authenticate, refuseInactive } from '../authentication/authentication.js'
import { refuseOtherNetwork } from '../authentication/key-networks.js'
import type { CallerLimits } from '../limits/caller-limits.js'
import type { FastPath } from '../public/fast-reads.js'
import type { Service } from '../service.js'
import { whenClosed } from '../transport/closing.js'

const maxBytes = 256 * 1024

/**
 * `/mcp`: the Model Context Protocol over HTTP, without sessions. Its tools call the operations of `/v1` in this process with the
 * caller's own credentials, so that keys, scopes, networks, limits and the log of requests apply as for any other client.
 */
export function registerMcp(
  app: FastifyInstance,
  service: Service,
  { lookup, limits }: Pick<FastPath, 'lookup' | 'limits'>,
): void {
  let handler: Promise<McpHttpHandler> | undefined
  const callers = new WeakMap<Request, FastifyRequest>()
  const slots = new WeakMap<FastifyRequest, () => void>()

  // The packages of the protocol take 300 ms to load: not while somebody waits, and not where nothing is served.
  async function load(): Promise<McpHttpHandler> {
    const [{ createMcpHandler }, { mcpServer }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('../../mcp/server.js'),
    ])
    return createMcpHandler(
      ({ requestInfo }) => {
        const caller = requestInfo && callers.get(requestInfo)
        if (!caller) throw new Error('a request of the protocol has no caller')
        return mcpServer(createClient({ baseUrl: '', fetch: fetchFor(app, caller) }), service.version ?? '0.0.0')
      },
      {
        // There is nothing to subscribe to, and a stream would never end.
        maxSubscriptions: 0,
        maxRequestBodySize: maxBytes,
        onerror: (error) => app.log.debug({ err: error }, 'a request of the Model Context Protocol was refused'),
      },
    )
  }

  const loaded = () => (handler ??= load())
  app.addHook('onListen', async () => void loaded())
  app.route({
    method: 'POST',
    url: '/mcp',
    config: { operation: 'callTools', maxBytes },
    async onRequest(request, reply) {
      const caller = await authenticate(service.db, lookup, request.raw, service)
      request.caller = caller
      refuseInactive(caller)
      reply.headers(limits.count(caller))
      slots.set(request, takeSlot(limits, request, reply))
      refuseOtherNetwork(service, caller, request)
    },
    async handler(request, reply) {
      // A batch would be many requests for the price of one; the protocol has none since 2025-06-18.
      if (Array.isArray(request.body)) throw new Refusal('malformed_request', 'Send one message with each request.')
      const sent = new Request('http://localhost/mcp', { method: 'POST', headers: headersOf(request), body: '{}' })
      callers.set(sent, request)
      // The operations that a tool calls take slots of their own.
      slots.get(request)?.()
      const response = await (await loaded()).fetch(sent, { parsedBody: request.body })
      const type = response.headers.get('content-type')
      if (type !== null) reply.type(type)
      return reply.code(response.status).send(await response.text())
    },
  })
  app.addHook('onClose', async () => (await handler)?.close())
}

/** Counts a request in progress and its connection, until the returned function is called or the client is gone. */
function takeSlot(limits: CallerLimits, { caller, raw }: FastifyRequest, reply: FastifyReply): () => void {
  const end = limits.begin(caller, raw.socket)
  let isTaken = true
  function release(): void {
    if (isTaken) end()
    isTaken = false
  }
  whenClosed(reply.raw, release)
  return release
}

function headersOf({ headers }: FastifyRequest): Headers {
  const named = Object.entries(headers).filter(([name]) => name === 'accept' || name.startsWith('mcp-'))
  return new Headers([
    ['content-type', 'application/json'],
    ...named.map(([name, value]): [string, string] => [name, String(value)]),
  ])
}

// What decides who calls from where.
const passedOn = /^(?:authorization|host|origin|sec-fetch-.+|user-agent|forwarded|x-forwarded-.+|x-real-ip)$/

/** Sends requests of the client into the application, as the caller. */
function fetchFor(app: FastifyInstance, { headers, raw }: FastifyRequest): typeof globalThis.fetch {
  const own = Object.fromEntries(Object.entries(headers).filter(([name]) => passedOn.test(name)))
  return async (address, options = {}) => {
    const response = await app.inject({
      method: options.method as NonNullable<InjectOptions['method']>,
      url: address as string,
      headers: { ...own, ...Object.fromEntries(new Headers(options.headers)) } as Record<string, string>,
      remoteAddress: raw.socket.remoteAddress ?? '',
      ...(options.body !== undefined && { payload: options.body as string }),
    })
    // The limits count connections until they close.
    response.raw.req.socket.emit('close')
    const body = response.statusCode === 304 || response.statusCode === 204 ? null : response.rawPayload
    return new Response(body && new Uint8Array(body), {
      status: response.statusCode,
      headers: new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
    })
  }
}
