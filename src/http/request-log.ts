import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { isApiKey } from '../domain/api-key.js'
import { type Database, isUnreachable } from '../storage/database.js'
import { hashTextOfKey } from '../storage/key-hash.js'
import type { KeyLookup } from '../storage/key-lookup.js'
import type { KeyHolder } from '../storage/keys.js'
import { type KeyUse, type RequestRow, removeOldRequests, saveRequests } from '../storage/requests.js'
import { bearerOf } from './authentication.js'

/** What was asked with keys, for their owners to look at: written a little later, in bulk. */
export type RequestLog = {
  note(request: NotedRequest): void
  /** How many wait to be written, and how many there was no room for. */
  tally(): { waiting: number; dropped: number }
}

export type NotedRequest = {
  caller: KeyHolder
  requestId: string
  method: string
  /** As it came. */
  url: string
  status: number
  /** When the answer was there, and how many milliseconds it took. */
  at: number
  duration: number
}

// A second's worth. A key that has more has to wait, as far as there is room: a minute of what the rate limit lets
// through is written within half a minute.
const flushEvery = 1000
const mostRows = 1000
const mostOfKey = 40
const mostWaitingOfKey = 1200
const mostWaiting = 8192
const longestPath = 500

const removeEvery = 5 * 60_000
const mostRemoved = 2000

/** For so many days: 0 keeps nothing, and removes what was kept. Undefined: it is not for this service to do. */
export function openRequestLog(app: FastifyInstance, db: Database, days: number | undefined): RequestLog {
  let waiting: NotedRequest[] = []
  let underWay: Promise<boolean> | undefined
  let isTold = false
  let dropped = 0

  function keepBounded(requests: NotedRequest[]): void {
    waiting = bounded(requests)
    dropped += requests.length - waiting.length
  }

  /** Tells whether there was anything to write, and it was written. */
  async function write(mostOfEach: number): Promise<boolean> {
    const uses = lastUses(waiting)
    const { taken, left } = take(waiting, mostOfEach)
    if (taken.length === 0) return false
    waiting = left
    try {
      await saveRequests(db, taken.map(rowOf), uses)
      isTold = false
      return true
    } catch (error) {
      // What cannot be written now can be later, as long as there is room for it; what never can is not tried again.
      if (isUnreachable(error)) keepBounded([...taken, ...waiting])
      else dropped += taken.length
      if (!isTold) app.log.warn({ err: error }, 'requests could not be written to their log')
      isTold = true
      return false
    }
  }

  async function flush(): Promise<void> {
    if (underWay) return
    underWay = write(mostOfKey)
    await underWay
    underWay = undefined
  }

  async function flushAll(): Promise<void> {
    await underWay
    const isWritten = await write(mostRows)
    if (isWritten) await flushAll()
  }

  const tally = () => ({ waiting: waiting.length, dropped })
  if (days === undefined) return { note: () => {}, tally }
  const flushing = setInterval(() => void flush(), flushEvery).unref()
  const stopRemoving = removingOld(app.log, db, days)
  app.addHook('onClose', async () => {
    clearInterval(flushing)
    await Promise.all([flushAll(), stopRemoving()])
  })

  return {
    note(request) {
      if (days === 0) return
      if (waiting.length >= mostWaiting) keepBounded(waiting)
      waiting.push(request)
    },
    tally,
  }
}

/**
 * Tells the log of an answer of the framework: to whoever used a key. One who was refused before anybody asked for it,
 * as with a misspelt address, is found by the key all the same.
 */
export function noteAnswered(
  log: RequestLog,
  lookup: KeyLookup,
  request: FastifyRequest,
  { status, milliseconds }: { status: number; milliseconds: number },
): void {
  const { id: requestId, method, raw } = request
  const { url = '' } = raw
  if (!url.startsWith('/v1/')) return
  const told = { requestId, method, url, status, at: Date.now(), duration: milliseconds }
  if (request.caller) {
    if (isKey(request.caller)) log.note({ ...told, caller: request.caller })
    return
  }
  const key = bearerOf(request.headers.authorization ?? '')
  const isWorthLooking = told.status < 500 && told.status !== 401
  if (key === undefined || !isWorthLooking || !isApiKey('account', key)) return
  Promise.resolve(lookup.find(hashTextOfKey(key))).then(
    (caller) => caller && log.note({ ...told, caller }),
    (error: unknown) => request.log.debug({ err: error }, 'nobody can tell whose request it was'),
  )
}

// Somebody who is signed in has none, nor has whoever asks the sandbox from its own machine.
function isKey({ key_id }: KeyHolder): boolean {
  return key_id.startsWith('key_')
}

/** The newest of them, as many as there is room for: of each key, and of all. */
function bounded(requests: NotedRequest[]): NotedRequest[] {
  const counts = new Map<string, number>()
  const kept: NotedRequest[] = []
  for (let index = requests.length - 1; index >= 0 && kept.length < mostWaiting / 2; index--) {
    const request = requests[index] as NotedRequest
    const count = counts.get(request.caller.key_id) ?? 0
    if (count === mostWaitingOfKey) continue
    counts.set(request.caller.key_id, count + 1)
    kept.push(request)
  }
  return kept.toReversed()
}

/** What is written now, the oldest first, and what has to wait. */
function take(requests: NotedRequest[], rowsOfKey: number): { taken: NotedRequest[]; left: NotedRequest[] } {
  const counts = new Map<string, number>()
  const taken: NotedRequest[] = []
  const left: NotedRequest[] = []
  for (const request of requests) {
    const count = counts.get(request.caller.key_id) ?? 0
    const isTaken = taken.length < mostRows && count < rowsOfKey
    if (isTaken) counts.set(request.caller.key_id, count + 1)
    ;(isTaken ? taken : left).push(request)
  }
  return { taken, left }
}

/** They come in the order of their answers: the last one of a key counts. */
function lastUses(requests: NotedRequest[]): KeyUse[] {
  const last = new Map(requests.map((request) => [request.caller.key_id, request]))
  return [...last.values()].map(({ caller: { account_id, key_id }, at }) => ({ account_id, key_id, at: new Date(at) }))
}

// A key has no place in an address. Whoever puts one there does not find it in a list as well.
const keys = /\b(wb_(?:op_)?)[0-9A-Za-z]{39}\b/g

function rowOf({ caller, requestId, method, url, status, at, duration }: NotedRequest): RequestRow {
  return {
    account_id: caller.account_id,
    key_id: caller.key_id,
    at: new Date(at - duration),
    request_id: requestId,
    method,
    path: url.slice(0, longestPath).replaceAll(keys, '$1...'),
    status,
    duration_ms: Math.round(duration * 10) / 10,
  }
}

/** Removes what is old every few minutes, a little at a time; answers what ends that. */
function removingOld(log: FastifyBaseLogger, db: Database, days: number): () => Promise<void> {
  let isOver = false
  let underWay: Promise<void> | undefined

  async function remove(): Promise<void> {
    try {
      const removed = await removeOldRequests(db, days, mostRemoved)
      if (removed === mostRemoved && !isOver) await remove()
    } catch (error) {
      log.warn({ err: error }, 'old requests could not be removed from their log')
    }
  }

  async function start(): Promise<void> {
    if (underWay) return
    underWay = remove()
    await underWay
    underWay = undefined
  }

  const timer = setInterval(() => void start(), removeEvery).unref()
  return async () => {
    isOver = true
    clearInterval(timer)
    await underWay
  }
}
