import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { isApiKey } from '../domain/api-key.js'
import type { KeyHolder } from '../storage/keys.js'
import type { RememberedAnswer } from './answer-memory.js'
import { jsonMediaType, validatedHeaders } from './answer-read.js'
import {
  bearerHashOf,
  type Direct,
  type DirectHandler,
  type HeaderList,
  listOf,
  mayGoOn,
  type Otherwise,
  send,
} from './direct.js'
import { type DirectRoute, directRoutes } from './direct-routes.js'
import { matches } from './etag.js'
import { handOver } from './handed-over.js'
import { isPieces, lengthOf, type Pieces, wholeOf } from './pieces.js'
import type { ReadAnswer, ReadSource } from './read-answer.js'

const compressed = promisify(gzip)

/** Answers plain reads: from memory, or else from the database. */
export function directReads(direct: Direct, source: ReadSource, otherwise: Otherwise): DirectHandler {
  const { lookup, limiter, nextRequestId, onAnswer, onFailure } = direct
  const { memory } = source
  const routeOf = directRoutes(source)
  const withoutBody = [...direct.headers, ...listOf(validatedHeaders)]
  const withBody = [...withoutBody, 'content-type', jsonMediaType]

  // What is known is not waited for: that would cost more than looking it up does.
  function attend(asked: Asked): void | Promise<void> {
    const holder = lookup.find(asked.hash)
    return holder instanceof Promise ? holder.then((caller) => serve(asked, caller)) : serve(asked, holder)
  }

  function serve(asked: Asked, caller: KeyHolder | undefined): void | Promise<void> {
    const { request, response, route } = asked
    if (!caller) return otherwise(request, response)
    const answer = mayGoOn(direct, caller, 'read') ? findAnswer(request, caller, route) : undefined
    return answer instanceof Promise
      ? answer.then((found) => conclude(asked, caller, found))
      : conclude(asked, caller, answer)
  }

  function conclude({ request, response, route, started }: Asked, caller: KeyHolder, found: Found): void {
    if (!found) {
      handOver(request, { caller, started })
      return otherwise(request, response)
    }
    const requestId = nextRequestId()
    const status = found.body ? 200 : 304
    const isAborted = response.destroyed
    const headers = headersOf(found, requestId)
    send(response, status, headers, limiter?.count(caller.key_id), found.body)
    if (found.giveBack) response.once('close', found.giveBack)
    const { url = '' } = request
    const { name: operation, path } = route
    // Written out: an object that is spread and then added to takes five times as long as all else that is done here.
    onAnswer({ operation, method: 'GET', route: path, url, caller, status, started, requestId, isAborted })
  }

  function fail({ request, response, started }: Asked, error: unknown): void {
    if (response.headersSent) {
      onFailure(error, request)
      response.destroy()
      return
    }
    // Nothing was sent yet: the framework asks again, and tells what is wrong.
    handOver(request, { started })
    otherwise(request, response)
  }

  /** At once where it is in memory, or in the file beside it. */
  function findAnswer(request: IncomingMessage, caller: KeyHolder, route: DirectRoute): Found | Promise<Found> {
    const { url = '', headers } = request
    const shelf = caller.shelves[route.kind]
    const remembered = memory.find(shelf, url)
    if (remembered && matches(headers['if-none-match'], remembered.etag)) return { etag: remembered.etag }
    const known = remembered && 'recall' in remembered ? remembered.recall() : remembered
    if (!known || known instanceof Promise) return fetchAnswer(request, caller, route, known)
    return formOf(known, request, shelf)
  }

  async function fetchAnswer(
    request: IncomingMessage,
    caller: KeyHolder,
    { kind, read }: DirectRoute,
    recalled: Promise<RememberedAnswer | undefined> | undefined,
  ): Promise<Found> {
    const { url = '', headers } = request
    const ifNoneMatch = headers['if-none-match']
    const answer = (await recalled) ?? (await read?.({ caller, url, ifNoneMatch, base: '' }))
    return answer && formOf(answer, request, caller.shelves[kind])
  }

  /** The form of an answer that the client takes; undefined when the framework has to weigh what it would like best. */
  function formOf(
    { etag, body, gzipped, giveBack }: ReadAnswer & Partial<Omit<RememberedAnswer, 'body'>>,
    { url = '', headers }: IncomingMessage,
    shelf: string,
  ): Found | Promise<Found> {
    if (body === undefined || matches(headers['if-none-match'], etag)) return { etag }
    if (!isPieces(body)) throw new Error('a direct read is not answered by a stream')
    const encoding = encodingFor(headers['accept-encoding'], lengthOf(body))
    if (encoding !== 'gzip') return encoding && { etag, body, giveBack }
    return gzipped ? { etag, body: gzipped, encoding, giveBack } : compress({ etag, body, giveBack }, shelf, url)
  }

  async function compress({ etag, body, giveBack }: Uncompressed, shelf: string, url: string): Promise<Found> {
    const gzipped = await compressed(wholeOf(body))
    memory.keep(shelf, url, { etag, body, gzipped })
    return { etag, body: gzipped, encoding: 'gzip', giveBack }
  }

  function headersOf({ etag, body, encoding }: Sendable, requestId: string): HeaderList {
    if (!body) return [...withoutBody, 'x-request-id', requestId, 'etag', etag]
    const length = String(lengthOf(body))
    const headers = [...withBody, 'x-request-id', requestId, 'etag', etag, 'content-length', length]
    if (encoding !== undefined) headers.push('content-encoding', encoding)
    return headers
  }

  return (request, response) => {
    const route = isPlainRead(request) ? routeOf(request.url ?? '') : undefined
    const hash = route && bearerHashOf(request)
    if (!route || hash === undefined) return false
    // A mistyped key is told by its checksum, without a look at the database.
    if (!lookup.lastKnown(hash) && !isApiKey('account', request.headers.authorization?.slice(7) ?? '')) return false
    const started = performance.now()
    const asked = { request, response, route, hash, started }
    try {
      attend(asked)?.catch((error: unknown) => fail(asked, error))
    } catch (error) {
      fail(asked, error)
    }
    return true
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

// Smaller ones are sent as they are: the framework's compression leaves them alone, too.
const leastCompressed = 1024

/** How the body is to be sent; undefined when the framework has to weigh what the client would like best. */
function encodingFor(accepted: string | undefined, length: number): 'gzip' | 'identity' | undefined {
  if (accepted === undefined || accepted === 'identity' || length < leastCompressed) return 'identity'
  return /\bgzip\b(?!\s*;)/.test(accepted) ? 'gzip' : undefined
}

type Asked = { request: IncomingMessage; response: ServerResponse; route: DirectRoute; hash: string; started: number }
type Sendable = { etag: string; body?: Pieces; encoding?: string; giveBack?: RememberedAnswer['giveBack'] }
type Uncompressed = Sendable & { body: Pieces }
type Found = Sendable | undefined
