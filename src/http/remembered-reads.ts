import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzip } from 'node:zlib'
import type { OperationName, ResourceKind } from '../contract/operations.js'
import { hashTextOfKey } from '../storage/key-hash.js'
import type { KeyLookup } from '../storage/key-lookup.js'
import type { KeyHolder } from '../storage/keys.js'
import type { AnswerMemory, RememberedAnswer } from './answer-memory.js'
import { matches } from './etag.js'
import type { RateLimiter } from './rate-limit.js'

/** Reads whose answers do not depend on anything but the key, the address and the revision of their kind. */
const reads: { path: string; kind: ResourceKind; list: OperationName; one: OperationName }[] = [
  { path: '/v1/shipments', kind: 'shipment', list: 'listShipments', one: 'getShipment' },
  { path: '/v1/purchaseOrders', kind: 'purchase_order', list: 'listPurchaseOrders', one: 'getPurchaseOrder' },
  { path: '/v1/tracking', kind: 'tracking', list: 'getTracking', one: 'getTracking' },
  { path: '/v1/invoices', kind: 'invoice', list: 'listInvoices', one: 'getInvoice' },
  { path: '/v1/locations', kind: 'location', list: 'listLocations', one: 'getLocation' },
]

const callerOf = new WeakMap<IncomingMessage, KeyHolder>()

/** Who was found to be calling, before the framework was asked: they need not be looked up again. */
export function foundCaller(request: IncomingMessage): KeyHolder | undefined {
  return callerOf.get(request)
}

/** The name under which an answer is remembered. */
export function answerName({ account_id, secrets, revisions }: KeyHolder, kind: ResourceKind, url: string): string {
  return `${account_id} ${kind} ${revisions[kind]} ${secrets.epoch} ${url}`
}

export type RememberedReads = {
  lookup: KeyLookup
  memory: AnswerMemory
  limiter: RateLimiter | undefined
  nextRequestId(): string
  onAnswer(answer: {
    operation: OperationName
    caller: KeyHolder
    status: number
    started: number
    requestId: string
  }): void
}

/** Answers what was answered before without the framework; everything else goes on to it. */
export function rememberedReads(
  { lookup, memory, limiter, nextRequestId, onAnswer }: RememberedReads,
  otherwise: (request: IncomingMessage, response: ServerResponse) => void,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const read = request.method === 'GET' ? readOf(request.url ?? '') : undefined
    const known = read && knownKey(lookup, request)
    if (!read || known === undefined) return otherwise(request, response)
    const started = performance.now()
    lookup.find(known).then(
      (caller) => {
        if (caller) callerOf.set(request, caller)
        const name = caller && answerName(caller, read.kind, request.url as string)
        const answer = name === undefined ? undefined : memory.find(name)
        const body = answer && bodyFor(request, answer)
        if (!caller || !answer || body === undefined || !mayRead(caller)) return otherwise(request, response)
        const limits = limitsOf(limiter, caller)
        if (limits === 'exceeded') return otherwise(request, response)
        const requestId = nextRequestId()
        const status = send(request, response, { answer, body, limits, requestId })
        const operation = isOne(request.url as string, read.path) ? read.one : read.list
        onAnswer({ operation, caller, status, started, requestId })
      },
      // The framework asks again, and tells what is wrong.
      () => otherwise(request, response),
    )
  }
}

function readOf(url: string): (typeof reads)[number] | undefined {
  return reads.find(({ path }) => url.startsWith(path))
}

function isOne(url: string, path: string): boolean {
  return url.charCodeAt(path.length) === 47
}

// Only one that is known already: whether a text can be a key at all is told elsewhere.
function knownKey(lookup: KeyLookup, { headers }: IncomingMessage): string | undefined {
  const { authorization } = headers
  if (authorization === undefined || !authorization.startsWith('Bearer ') || headers.host === undefined)
    return undefined
  const hashed = hashTextOfKey(authorization.slice(7))
  return lookup.knows(hashed) ? hashed : undefined
}

function mayRead({ isSuspended, scopes }: KeyHolder): boolean {
  return !isSuspended && scopes.includes('read')
}

function limitsOf(limiter: RateLimiter | undefined, { key_id }: KeyHolder): Record<string, string> | 'exceeded' {
  if (!limiter) return {}
  return limiter.hasLeft(key_id) ? limiter.count(key_id) : 'exceeded'
}

const leastCompressed = 1024

/** The body in the encoding that is asked for; undefined when it is not at hand, and made for the next time. */
function bodyFor(
  { headers }: IncomingMessage,
  answer: RememberedAnswer,
): { bytes: Buffer; isGzipped: boolean } | undefined {
  const accepted = headers['accept-encoding']
  if (accepted === undefined || accepted === 'identity' || answer.body.length < leastCompressed) {
    return { bytes: answer.body, isGzipped: false }
  }
  if (!/\bgzip\b(?!\s*;)/.test(accepted)) return undefined
  if (answer.gzipped) return { bytes: answer.gzipped, isGzipped: true }
  gzip(answer.body, (error, bytes) => {
    if (!error) answer.gzipped = bytes
  })
  return undefined
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  {
    answer,
    body,
    limits,
    requestId,
  }: {
    answer: RememberedAnswer
    body: { bytes: Buffer; isGzipped: boolean }
    limits: Record<string, string>
    requestId: string
  },
): number {
  const headers = [
    'x-request-id',
    requestId,
    'x-content-type-options',
    'nosniff',
    'etag',
    answer.etag,
    'cache-control',
    'private, no-cache',
    'vary',
    'accept-encoding',
  ]
  for (const name in limits) headers.push(name, limits[name] as string)
  if (matches(request.headers['if-none-match'], answer.etag)) {
    response.writeHead(304, headers).end()
    return 304
  }
  headers.push('content-type', 'application/json; charset=utf-8', 'content-length', String(body.bytes.length))
  if (body.isGzipped) headers.push('content-encoding', 'gzip')
  response.writeHead(200, headers).end(body.bytes)
  return 200
}
