import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BlockList } from 'node:net'
import { isRead } from '../../contract/operation.js'
import {
  isGranted,
  type OperationName,
  operationNames,
  operations,
  type PublicOperation,
} from '../../contract/public/operations.js'
import { isApiKey } from '../../domain/accounts/api-key.js'
import { hashTextOfKey } from '../../store/key-hash.js'
import type { Principal } from '../../store/keys.js'
import type { PrincipalLookup } from '../../store/principals.js'
import type { CustomerInput } from '../../usecases/customer-context.js'
import { customerHandlers } from '../../usecases/customer-handlers.js'
import { isFromAllowedNetwork } from '../authentication/key-networks.js'
import type { CallerLimits } from '../limits/caller-limits.js'
import { clientAddress } from '../transport/client-address.js'
import { inputReader, routeOf } from '../transport/input.js'
import { parseQueryString, queryIn, refuseUnreadable } from '../transport/query-string.js'
import { findAmbiguity } from '../transport/request-head.js'
import { type Read, type ReadPipeline, type ReadResponse, type ReadSources, readPipeline } from './read-pipeline.js'
import { type RequestState, setRequestState } from './request-state.js'
import { jsonMediaType, validatedHeaders } from './response-headers.js'

/**
 * The fast path for plain reads with a key, without the framework, which costs more than the rest of a cached read. It sends
 * successful responses only; everything else falls back to the framework with the request state found so far.
 */
export type FastPath = ReadSources & {
  lookup: PrincipalLookup
  limits: CallerLimits
  /** Reverse proxies whose `X-Forwarded-For` counts. */
  trustedProxies: BlockList
  /** Headers of every response. */
  headers: Record<string, string>
  nextRequestId(): string
  onResponse(response: FastResponse): void
}

export type FastResponse = {
  operation: OperationName
  method: string
  /** The route pattern, for logs. */
  route: string
  /** Path and query as received. */
  url: string
  principal: Principal
  status: number
  started: number
  requestId: string
  isAborted: boolean
}

export type Handle = (request: IncomingMessage, response: ServerResponse) => void

type Route = {
  name: OperationName
  operation: PublicOperation
  path: string
  pattern: RegExp
  pipeline: ReadPipeline
  inputOf(url: string, match: RegExpExecArray): CustomerInput<OperationName>
}

export function fastReads(path: FastPath, fallback: Handle): Handle {
  const { lookup, limits, trustedProxies, nextRequestId, onResponse } = path
  const routes = routesOf(path)
  const common = Object.entries({ ...path.headers, ...validatedHeaders }).flat()

  async function serve(request: IncomingMessage, response: ServerResponse, route: Route, hash: string): Promise<void> {
    const state: RequestState = { started: performance.now() }
    setRequestState(request, state)
    try {
      state.principal = await lookup.find(hash)
      if (state.principal && mayRead(state.principal, route, request)) {
        const end = limits.begin(state.principal, request.socket)
        const found = await read(request, route, state.principal).finally(end)
        if (found.content !== 'unsuitable') return send(request, response, route, state, found)
        state.outcome = { response: found.response }
      }
    } catch (error) {
      state.outcome = { error }
    }
    fallback(request, response)
  }

  async function read(request: IncomingMessage, { pattern, pipeline, inputOf }: Route, principal: Principal) {
    const { url = '', headers } = request
    const input = () => inputOf(url, pattern.exec(url) as RegExpExecArray)
    const readRequest = { principal, url, ifNoneMatch: headers['if-none-match'], base: '', input }
    const response = await pipeline.respond(readRequest)
    const { etag, body, gzipped } = response
    if (body === undefined) return { response, content: undefined, encoding: undefined }
    const encoding = Buffer.isBuffer(body) ? encodingFor(headers['accept-encoding'], body.length) : undefined
    // Streams and other encodings are left to the framework.
    if (!Buffer.isBuffer(body) || !encoding) return { response, content: 'unsuitable' as const, encoding }
    if (encoding === 'identity') return { response, content: body, encoding }
    return { response, content: gzipped ?? (await pipeline.compress(readRequest, { etag, body })), encoding }
  }

  function send(
    { url = '' }: IncomingMessage,
    response: ServerResponse,
    { name: operation, path: routePath }: Route,
    { started = 0, principal }: RequestState,
    {
      response: { etag },
      content,
      encoding,
    }: { response: ReadResponse; content: Buffer | undefined; encoding?: string },
  ): void {
    const caller = principal as Principal
    const requestId = nextRequestId()
    const status = content ? 200 : 304
    const headers = [...common, 'x-request-id', requestId, 'etag', etag]
    if (content) headers.push('content-type', jsonMediaType, 'content-length', String(content.length))
    if (encoding === 'gzip') headers.push('content-encoding', encoding)
    headers.push(...Object.entries(limits.count(caller)).flat())
    response.writeHead(status, headers)
    const isGone = response.destroyed
    const report = (isAborted: boolean) =>
      onResponse({
        operation,
        method: 'GET',
        route: routePath,
        url,
        principal: caller,
        status,
        started,
        requestId,
        isAborted,
      })
    response.end(content)
    // A short body is handed to the kernel in one write. The client of a longer one may disconnect while it is sent.
    if (isGone || !content || content.length <= maxSingleWriteBytes) report(isGone)
    else response.once('close', () => report(!response.writableFinished || response.req.socket.errored !== null))
  }

  // Whatever it refuses, the framework refuses by the same rules.
  function mayRead(principal: Principal, { operation }: Route, request: IncomingMessage): boolean {
    return (
      !principal.isSuspended &&
      !principal.hasMoved &&
      isGranted(principal.scopes, operation) &&
      isFromAllowedNetwork(principal, () => clientAddress(request, trustedProxies)) &&
      limits.hasCapacity(principal)
    )
  }

  return (request, response) => {
    const route = isPlain(request) ? routes.find(({ pattern }) => pattern.test(request.url ?? '')) : undefined
    const key = route && bearerKeyOf(request)
    const hash = key && hashTextOfKey(key)
    // A mistyped key is recognized by its checksum, without a query.
    if (!route || !hash || !(lookup.isKnown(hash) || isApiKey('account', key))) return fallback(request, response)
    void serve(request, response, route, hash)
  }
}

function isPlain(request: IncomingMessage): boolean {
  const { method, headers } = request
  return (
    method === 'GET' &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    findAmbiguity(request) === undefined
  )
}

/** Returns undefined if there is no key, or the header is written in an unusual way. */
function bearerKeyOf({ headers: { authorization } }: IncomingMessage): string | undefined {
  return authorization?.startsWith('Bearer ') ? authorization.slice(7) : undefined
}

// The kernel takes a body of this size in one write.
const maxSingleWriteBytes = 64 * 1024

// The same threshold as the framework's compression.
const minCompressedBytes = 1024

/** Returns undefined if the framework has to negotiate the encoding. */
function encodingFor(accepted: string | undefined, length: number): 'gzip' | 'identity' | undefined {
  if (accepted === undefined || accepted === 'identity' || length < minCompressedBytes) return 'identity'
  return /\bgzip\b(?!\s*;)/.test(accepted) ? 'gzip' : undefined
}

/** Routes of reads; they match identifiers that need no decoding. */
function routesOf(sources: ReadSources): Route[] {
  return operationNames.flatMap((name) => {
    const operation: PublicOperation = operations[name]
    // Document links depend on the Host header.
    if (!isRead(operation) || operation.kind === 'document' || operation.isFeed) return []
    const readInput = inputReader(operation)
    return {
      name,
      operation,
      path: routeOf(operation),
      pattern: patternOf(operation),
      pipeline: readPipeline(sources, operation, customerHandlers[name] as Read),
      inputOf(url, { groups }) {
        const query = parseQueryString(queryIn(url))
        refuseUnreadable(query)
        return readInput({ params: { ...groups }, query }, undefined) as CustomerInput<OperationName>
      },
    } satisfies Route
  })
}

function patternOf({ path }: PublicOperation): RegExp {
  const identifiers = path.replaceAll(/\{(\w+)\}/g, String.raw`(?<$1>[\w.~-]+)`)
  return new RegExp(String.raw`^${identifiers}(?:\?.*)?$`)
}
