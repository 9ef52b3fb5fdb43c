import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { isApiKey } from '../domain/api-key.js'
import { hashTextOfKey } from '../storage/key-hash.js'
import type { KeyLookup } from '../storage/key-lookup.js'
import type { KeyHolder } from '../storage/keys.js'
import { jsonMediaType, validatedHeaders } from './answer-read.js'
import { type DirectRoute, directRoutes } from './direct-routes.js'
import { matches } from './etag.js'
import type { RateLimiter } from './rate-limit.js'
import { answerName, type ReadAnswer, type ReadSource } from './read-answer.js'

const gzipped = promisify(gzip)

const callerOf = new WeakMap<IncomingMessage, KeyHolder>()

/** Who was found to be calling, before the framework was asked: they need not be looked up again. */
export function foundCaller(request: IncomingMessage): KeyHolder | undefined {
  return callerOf.get(request)
}

export type Answered = {
  route: DirectRoute
  caller: KeyHolder
  status: number
  started: number
  requestId: string
}

export type DirectReads = ReadSource & {
  lookup: KeyLookup
  limiter: RateLimiter | undefined
  nextRequestId(): string
  onAnswer(answered: Answered): void
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Answers plain reads without the framework, which would cost more than the rest: from memory, or else from the
 * database. Whatever is not a plain success goes on to it, and is told there what is wrong.
 */
export function directReads(direct: DirectReads, otherwise: Handler): Handler {
  const { lookup, memory, limiter, nextRequestId, onAnswer } = direct
  const routeOf = directRoutes(direct)

  async function attend(request: IncomingMessage, response: ServerResponse, route: DirectRoute, hash: string) {
    const started = performance.now()
    const caller = await lookup.find(hash)
    if (!caller) return otherwise(request, response)
    const mayRead = !caller.isSuspended && caller.scopes.includes('read') && (limiter?.hasLeft(caller.key_id) ?? true)
    const found = mayRead ? await findAnswer(request, caller, route) : undefined
    if (!found) {
      callerOf.set(request, caller)
      return otherwise(request, response)
    }
    const requestId = nextRequestId()
    const status = send(response, found, requestId, limiter?.count(caller.key_id))
    onAnswer({ route, caller, status, started, requestId })
  }

  async function findAnswer(
    { url = '', headers }: IncomingMessage,
    caller: KeyHolder,
    { kind, read }: DirectRoute,
  ): Promise<Sendable | undefined> {
    const ifNoneMatch = headers['if-none-match']
    const name = answerName(caller, kind, url)
    const known = memory.find(name)
    const answer: ReadAnswer | undefined = known ?? (await read?.({ caller, url, ifNoneMatch, base: '' }))
    if (!answer) return undefined
    const { etag, body } = answer
    if (body === undefined || matches(ifNoneMatch, etag)) return { etag }
    if (!Buffer.isBuffer(body)) throw new Error('a direct read is not answered by a stream')

    const encoding = encodingFor(headers['accept-encoding'], body)
    if (encoding !== 'gzip') return encoding && { etag, body }
    const compressed = known?.gzipped ?? (await gzipped(body))
    if (!known?.gzipped && !memory.isOff) memory.keep(name, { etag, body, gzipped: compressed })
    return { etag, body: compressed, encoding }
  }

  return (request, response) => {
    const route = isPlainRead(request) ? routeOf(request.url ?? '') : undefined
    const hash = route && keyHashOf(lookup, request)
    if (!route || hash === undefined) return otherwise(request, response)
    attend(request, response, route, hash).catch(() => {
      // Nothing was sent yet: the framework asks again, and tells what is wrong.
      if (!response.headersSent) otherwise(request, response)
      else response.destroy()
    })
  }
}

function isPlainRead({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    headers.host !== undefined &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined
  )
}

function keyHashOf(lookup: KeyLookup, { headers: { authorization } }: IncomingMessage): string | undefined {
  if (!authorization?.startsWith('Bearer ')) return undefined
  const key = authorization.slice(7)
  const hash = hashTextOfKey(key)
  // A mistyped key is told by its checksum, without a look at the database.
  return lookup.lastKnown(hash) || isApiKey('account', key) ? hash : undefined
}

// Smaller ones are sent as they are: the framework's compression leaves them alone, too.
const leastCompressed = 1024

/** How the body is to be sent; undefined when the framework has to weigh what the client would like best. */
function encodingFor(accepted: string | undefined, { length }: Buffer): 'gzip' | 'identity' | undefined {
  if (accepted === undefined || accepted === 'identity' || length < leastCompressed) return 'identity'
  return /\bgzip\b(?!\s*;)/.test(accepted) ? 'gzip' : undefined
}

type Sendable = { etag: string; body?: Buffer; encoding?: string }

function send(
  response: ServerResponse,
  { etag, body, encoding }: Sendable,
  requestId: string,
  limits: Record<string, string> = {},
): number {
  const status = body ? 200 : 304
  const headers: Record<string, string | number> = {
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    etag,
    ...validatedHeaders,
    ...limits,
  }
  if (body) {
    headers['content-type'] = jsonMediaType
    headers['content-length'] = body.length
    if (encoding) headers['content-encoding'] = encoding
  }
  response.writeHead(status, headers).end(body)
  return status
}
