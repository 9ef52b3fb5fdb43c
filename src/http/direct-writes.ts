import type { IncomingMessage, ServerResponse } from 'node:http'
import { type OperationName, operationNames, operations, type PublicOperation } from '../contract/operations.js'
import { Refusal } from '../contract/refusals.js'
import { promptHandlers } from '../customer/customer.js'
import type { Input } from '../customer/handlers.js'
import type { Database } from '../storage/database.js'
import type { KeyHolder } from '../storage/keys.js'
import { jsonMediaType } from './answer-read.js'
import { filledIn } from './answer-write.js'
import { bearerHashOf, type Direct, type DirectHandler, listOf, mayGoOn, type Otherwise, send } from './direct.js'
import { type HandedOver, handOver } from './handed-over.js'
import { inputReader, routeOf } from './input.js'
import { largestBody, parseJson, readWhole } from './json-body.js'

type Answer = Record<string, unknown>
type Written = { answer: Answer; revision: number }
type PromptWrite = (
  context: { db: Database; caller: KeyHolder },
  input: Input<OperationName>,
) => Promise<Written | undefined>
type Route = {
  name: OperationName
  operation: PublicOperation
  write: PromptWrite
  inputOf: ReturnType<typeof inputReader>
}

/** Whose request it is, and for what. */
type Known = { route: Route; hash: string; caller: KeyHolder; limits: Record<string, string> | undefined }

/**
 * Performs plain writes of callers whose key was used before, where a statement or two can do it: they look along the
 * way whether the key still may.
 */
export function directWrites(
  direct: Direct,
  { db, patience }: { db: Database; patience: number },
  otherwise: Otherwise,
): DirectHandler {
  const { lookup, limiter, nextRequestId, onAnswer, onFailure } = direct
  const routes = promptRoutes()

  async function attend(request: IncomingMessage, response: ServerResponse, known: Known) {
    const { route, hash, caller, limits } = known
    const started = performance.now()
    const goOn = (what: HandedOver) => {
      handOver(request, { ...what, limits, started })
      otherwise(request, response)
    }
    let body: Buffer | undefined
    let written: Written | undefined
    try {
      body = await readWhole(request, patience)
      const input = route.inputOf({ params: {}, query: {} }, parseJson(body)) as Input<OperationName>
      written = await route.write({ db, caller }, input)
    } catch (error) {
      // What was refused has not happened. Of anything else nobody knows.
      return goOn(body && error instanceof Refusal && error.status < 500 ? { body } : { failure: error })
    }
    if (!written) return goOn({ body })
    const { method, path, kind, success } = route.operation
    lookup.learn(hash, kind, written.revision)
    const requestId = nextRequestId()
    const isAborted = response.destroyed
    sendWritten(direct, response, route.operation, written.answer, requestId, limits)
    const { url = '' } = request
    const { status } = success
    onAnswer({ operation: route.name, method, route: path, url, caller, status, started, requestId, isAborted })
  }

  return (request, response) => {
    const route = isPlainWrite(request) ? routes.get(`${request.method} ${request.url}`) : undefined
    const hash = route && bearerHashOf(request)
    const caller = hash === undefined ? undefined : lookup.lastKnown(hash)
    if (!route || hash === undefined || !caller || !mayGoOn(direct, caller, 'write')) return false
    // Counted before anything is done: afterwards it could no longer be refused.
    const limits = limiter?.count(caller.key_id)
    attend(request, response, { route, hash, caller, limits }).catch((error: unknown) => {
      onFailure(error, request)
      response.destroy()
    })
    return true
  }
}

function promptRoutes(): Map<string, Route> {
  const routes = operationNames.flatMap((name): [string, Route][] => {
    const write = promptHandlers[name] as PromptWrite | undefined
    const operation: PublicOperation = operations[name]
    if (!write) return []
    return [[`${operation.method} ${routeOf(operation)}`, { name, operation, write, inputOf: inputReader(operation) }]]
  })
  return new Map(routes)
}

function isPlainWrite({ method, headers }: IncomingMessage): boolean {
  return (
    method !== 'GET' &&
    headers.host !== undefined &&
    headers['content-type'] === 'application/json' &&
    Number(headers['content-length']) <= largestBody &&
    headers['content-encoding'] === undefined &&
    headers['idempotency-key'] === undefined
  )
}

function sendWritten(
  direct: Direct,
  response: ServerResponse,
  { success: { status, location } }: PublicOperation,
  answer: Answer,
  requestId: string,
  limits: Record<string, string> | undefined,
): void {
  const body = JSON.stringify(answer)
  const headers = direct.headers.concat(
    listOf({
      'x-request-id': requestId,
      ...(location && { location: filledIn(location, answer) }),
      'content-type': jsonMediaType,
      'content-length': String(Buffer.byteLength(body)),
    }),
  )
  send(response, status, headers, limits, body)
}
