import type { IncomingMessage, ServerResponse } from 'node:http'
import type { OperationName } from '../contract/operations.js'
import { hashTextOfKey } from '../storage/key-hash.js'
import type { KeyLookup } from '../storage/key-lookup.js'
import type { KeyHolder } from '../storage/keys.js'
import type { Pieces } from './pieces.js'
import type { RateLimiter } from './rate-limit.js'

/**
 * What plain requests are answered with, before the framework is asked, which would cost more than the rest. Only
 * successes are: the framework is given everything else, and says what it is.
 */
export type Direct = {
  lookup: KeyLookup
  limiter: RateLimiter | undefined
  /** What every answer tells a browser. */
  headers: HeaderList
  nextRequestId(): string
  onAnswer(answered: Answered): void
  /** Something went wrong after it was too late to say so. */
  onFailure(error: unknown, request: IncomingMessage): void
}

export type Answered = {
  operation: OperationName
  method: string
  /** As it is told in the log. */
  route: string
  /** As it came. */
  url: string
  caller: KeyHolder
  status: number
  started: number
  requestId: string
  /** The client had left by then. */
  isAborted: boolean
}

/** Names and values in turn: Node takes them as they are, and nothing has to be put together from several objects. */
export type HeaderList = string[]

export function listOf(headers: Record<string, string> = {}): HeaderList {
  return Object.entries(headers).flat()
}

/** Takes the request, or leaves it. */
export type DirectHandler = (request: IncomingMessage, response: ServerResponse) => boolean

/** The framework. */
export type Otherwise = (request: IncomingMessage, response: ServerResponse) => void

/** Undefined when there is no key, or one that is written in an unusual way. */
export function bearerHashOf({ headers: { authorization } }: IncomingMessage): string | undefined {
  return authorization?.startsWith('Bearer ') ? hashTextOfKey(authorization.slice(7)) : undefined
}

export function mayGoOn({ limiter }: Direct, { isSuspended, scopes, key_id }: KeyHolder, scope: 'read' | 'write') {
  return !isSuspended && scopes.includes(scope) && (limiter?.hasLeft(key_id) ?? true)
}

/** Undefined limits: there are none to tell of. */
export function send(
  response: ServerResponse,
  status: number,
  headers: HeaderList,
  limits: Record<string, string> | undefined,
  body?: Pieces | string,
): void {
  response.writeHead(status, limits ? headers.concat(listOf(limits)) : headers)
  if (!Array.isArray(body)) return void response.end(body)
  // All of it, with its head, in one call of the system.
  response.cork()
  for (const piece of body) response.write(piece)
  response.end()
}
