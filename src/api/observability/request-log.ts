import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../database/database.js'
import { isUnreachable } from '../../database/errors.js'
import { isApiKey } from '../../domain/accounts/api-key.js'
import { hashTextOfKey } from '../../store/key-hash.js'
import type { Principal } from '../../store/keys.js'
import { type KeyUse, type RequestRow, removeOldRequests, saveRequests } from '../../store/requests.js'
import { bearerOf } from '../authentication/authentication.js'
import { removeOldRows } from './old-rows.js'

/** The log of requests made with keys, for their owners. Written in batches, with a delay. */
export type RequestLog = {
  add(request: RequestLogEntry): void
  /** Requests that wait to be written, and requests dropped because the queue was full. */
  counts(): { waiting: number; dropped: number }
}

export type RequestLogEntry = {
  caller: Principal
  requestId: string
  method: string
  /** Path and query as received. */
  url: string
  status: number
  /** The time of the response, and the duration in milliseconds. */
  at: number
  duration: number
}

// Limits per flush. Excess requests of a key stay queued: a minute at the default rate limit is written within half a minute.
const flushInterval = 1000
const maxRows = 1000
const maxRowsPerKey = 40
const maxQueuedPerKey = 1200
const maxQueued = 8192
const maxPathLength = 500

/** `days`: the retention; 0 logs nothing and removes old rows. Undefined: another process maintains the log. */
export function openRequestLog(app: FastifyInstance, db: Database, days: number | undefined): RequestLog {
  let queue: RequestLogEntry[] = []
  let writing: Promise<boolean> | undefined
  let isFailureLogged = false
  let dropped = 0

  function setQueue(requests: RequestLogEntry[]): void {
    queue = dropOldest(requests)
    dropped += requests.length - queue.length
  }

  /** Returns whether rows were written. */
  async function write(rowsPerKey: number): Promise<boolean> {
    const uses = lastUses(queue)
    const { taken, left } = take(queue, rowsPerKey)
    if (taken.length === 0) return false
    queue = left
    try {
      await saveRequests(db, taken.map(rowOf), uses)
      isFailureLogged = false
      return true
    } catch (error) {
      // Retry later if the database is unreachable; drop rows that fail for another reason.
      if (isUnreachable(error)) setQueue([...taken, ...queue])
      else dropped += taken.length
      if (!isFailureLogged) app.log.warn({ err: error }, 'the request log could not be written')
      isFailureLogged = true
      return false
    }
  }

  async function flush(): Promise<void> {
    if (writing) return
    writing = write(maxRowsPerKey)
    await writing
    writing = undefined
  }

  async function flushAll(): Promise<void> {
    await writing
    const isWritten = await write(maxRows)
    if (isWritten) await flushAll()
  }

  const counts = () => ({ waiting: queue.length, dropped })
  if (days === undefined) return { add: () => {}, counts }
  const timer = setInterval(() => void flush(), flushInterval).unref()
  const stopRemoving = removeOldRows(app.log, 'request log', (most) => removeOldRequests(db, days, most))
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await Promise.all([flushAll(), stopRemoving()])
  })

  return {
    add(request) {
      if (days === 0) return
      if (queue.length >= maxQueued) setQueue(queue)
      queue.push(request)
    },
    counts,
  }
}

/**
 * Where a request belongs: its matched route, or else the requested path without origin and encoding. `GET http://host/v1/...`
 * and `/%761/...` match routes of the public interface.
 */
export function routedPath(request: FastifyRequest): string {
  const { url: route } = request.routeOptions
  if (route !== undefined && !request.is404) return route
  const path = withoutOrigin(request.raw.url ?? '').split('?', 1)[0] ?? ''
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

// Clients of a proxy may send the whole address, which could contain a password.
function withoutOrigin(url: string): string {
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
}

/** Whether keys are used at the path: at `/v1`, and by assistants. */
export function isOfKeys(path: string): boolean {
  return path.startsWith('/v1/') || path === '/mcp'
}

/**
 * The hash of the key of a request that ended before authentication, as for an unknown path: it counts as a use of the key.
 * Undefined if the caller is known, or the key need not be looked up.
 */
export function unauthenticatedKeyHash(request: FastifyRequest, status: number): string | undefined {
  if (request.caller || !isOfKeys(routedPath(request))) return undefined
  const key = bearerOf(request.headers.authorization ?? '')
  const isWorthLookup = status < 500 && status !== 401
  if (key === undefined || !isWorthLookup || !isApiKey('account', key)) return undefined
  return hashTextOfKey(key)
}

// Signed-in people and the sandbox's demo account have no key.
export function isKey({ key_id }: Principal): boolean {
  return key_id.startsWith('key_')
}

/** Keeps the newest requests, within the limits per key and in total. */
function dropOldest(requests: RequestLogEntry[]): RequestLogEntry[] {
  const counts = new Map<string, number>()
  const kept: RequestLogEntry[] = []
  for (let index = requests.length - 1; index >= 0 && kept.length < maxQueued / 2; index--) {
    const request = requests[index] as RequestLogEntry
    const count = counts.get(request.caller.key_id) ?? 0
    if (count === maxQueuedPerKey) continue
    counts.set(request.caller.key_id, count + 1)
    kept.push(request)
  }
  return kept.toReversed()
}

/** Splits off the requests to write now, oldest first. */
function take(requests: RequestLogEntry[], rowsPerKey: number): { taken: RequestLogEntry[]; left: RequestLogEntry[] } {
  const counts = new Map<string, number>()
  const taken: RequestLogEntry[] = []
  const left: RequestLogEntry[] = []
  for (const request of requests) {
    const count = counts.get(request.caller.key_id) ?? 0
    const isTaken = taken.length < maxRows && count < rowsPerKey
    if (isTaken) counts.set(request.caller.key_id, count + 1)
    ;(isTaken ? taken : left).push(request)
  }
  return { taken, left }
}

/** The last use of each key. Requests are ordered by response time. */
function lastUses(requests: RequestLogEntry[]): KeyUse[] {
  const last = new Map(requests.map((request) => [request.caller.key_id, request]))
  return [...last.values()].map(({ caller: { account_id, key_id }, at }) => ({ account_id, key_id, at: new Date(at) }))
}

// Keys that clients put into the URL by mistake are masked.
const keyPattern = /\b(wb_(?:op_)?)[0-9A-Za-z]{39}\b/g

function rowOf({ caller, requestId, method, url, status, at, duration }: RequestLogEntry): RequestRow {
  return {
    account_id: caller.account_id,
    key_id: caller.key_id,
    at: new Date(at - duration),
    request_id: requestId,
    method,
    path: withoutOrigin(url).replaceAll(keyPattern, '$1...').slice(0, maxPathLength),
    status,
    duration_ms: Math.round(duration * 10) / 10,
  }
}
