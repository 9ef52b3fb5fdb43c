import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { systemTime } from '../../clock/clock.js'
import type { Refusal } from '../../contract/refusals.js'
import type { Principal } from '../../store/keys.js'
import type { PrincipalLookup } from '../../store/principals.js'
import type { FastResponse } from '../public/fast-reads.js'
import { requestState } from '../public/request-state.js'
import { refusalCodeOf } from '../transport/problems.js'
import { logResponse } from './log-output.js'
import { isKey, isOfKeys, type RequestLog, routedPath, unauthenticatedKeyHash } from './request-log.js'
import { interfaceOf, type RequestMetrics } from './request-metrics.js'

/** Records the outcome of every request in the log, the metrics and the request log of the key. */
export type ResponseRecorder = {
  /** Records a request of the framework when its response is sent or its client disconnects. */
  track(request: FastifyRequest, reply: FastifyReply): void
  recordFast(response: FastResponse): void
  /** Records input that is not an HTTP request, or whose headers are too large. */
  recordMalformed(requestId: string, refusal: Refusal): void
}

type Sinks = { metrics: RequestMetrics; requests: RequestLog; lookup: PrincipalLookup; logLevel: string }

type Outcome = { status: number; code: string | undefined; milliseconds: number; isAborted: boolean }

// The status that proxies log when a client disconnects before the response; it is never sent.
const clientClosedRequest = 499

export function recordResponses(
  app: FastifyInstance,
  { metrics, requests, lookup, logLevel }: Sinks,
): ResponseRecorder {
  const logsResponses = ['info', 'debug', 'trace'].includes(logLevel)

  function record(request: FastifyRequest, outcome: Outcome): void {
    const { status, code, milliseconds, isAborted } = outcome
    const { operation = 'other', isEndless = false, mayWait = false } = request.routeOptions.config
    metrics.count({
      interface: interfaceOf(routedPath(request)),
      operation,
      method: request.method,
      status,
      code,
      seconds: isEndless || mayWait ? undefined : milliseconds / 1000,
      isAborted,
    })
    const hash = unauthenticatedKeyHash(request, status)
    const at = systemTime()
    const log = (caller: Principal | undefined) => logRequest(request, { ...outcome, at }, caller)
    if (hash === undefined) return log(request.caller ?? undefined)
    lookup.find(hash).then(log, (error: unknown) => {
      request.log.debug({ err: error }, 'the key of a request could not be looked up')
      log(undefined)
    })
  }

  function logRequest(request: FastifyRequest, outcome: Outcome & { at: number }, caller: Principal | undefined): void {
    const { status, code, milliseconds, isAborted, at } = outcome
    const { id: requestId, method, raw } = request
    const key = caller && isKey(caller) ? caller : undefined
    if (key && isOfKeys(routedPath(request))) {
      requests.add({ caller: key, requestId, method, url: raw.url ?? '', status, at, duration: milliseconds })
    }
    const fields = {
      account: caller?.slug ?? accountOf(request),
      key_id: key?.key_id,
      operator: request.operator?.operator_id,
      person: personOf(request),
      method,
      route: request.routeOptions.url,
      status,
      code,
      duration_ms: Math.round(milliseconds * 10) / 10,
    }
    request.log.info(fields, isAborted ? 'request aborted' : 'request completed')
  }

  return {
    track(request, reply) {
      const { started = performance.now() } = requestState(request.raw)
      const { raw } = reply
      const { socket } = request.raw
      let isSent = false
      raw.once('finish', () => {
        // 'finish' is also emitted when writing to the socket failed.
        isSent = socket.errored === null
      })
      // The client disconnected while the fast path served the request.
      if (raw.closed) {
        const milliseconds = performance.now() - started
        return record(request, { status: clientClosedRequest, code: undefined, milliseconds, isAborted: true })
      }
      raw.once('close', () => {
        // A client that closes an event stream has not aborted it.
        const isAborted = !isSent && !(raw.headersSent && request.routeOptions.config.isEndless)
        const status = isAborted && !raw.headersSent ? clientClosedRequest : raw.statusCode
        record(request, { status, code: refusalCodeOf(raw), milliseconds: performance.now() - started, isAborted })
      })
    },
    recordFast({ operation, method, route, url, principal: caller, status, started, requestId, isAborted }) {
      const milliseconds = performance.now() - started
      metrics.count({ interface: 'public', operation, method, status, seconds: milliseconds / 1000, isAborted })
      requests.add({ caller, requestId, method, url, status, at: systemTime(), duration: milliseconds })
      if (logsResponses) logResponse({ requestId, caller, method, route, status, milliseconds, isAborted })
    },
    recordMalformed(requestId, { status, code }) {
      const operation = 'unreadable'
      metrics.count({ interface: 'other', operation, method: 'none', status, code, isAborted: false })
      app.log.info({ request_id: requestId, status, code }, 'request completed')
    },
  }
}

/** The account in the path of an operator's request; unauthenticated input is not logged. */
function accountOf({ operator, params }: FastifyRequest): string | undefined {
  return operator ? (params as { account?: string }).account : undefined
}

/** The signed-in person, on any interface. */
function personOf({ caller }: FastifyRequest): string | undefined {
  return caller?.key_id.startsWith('person:') ? caller.key_id.slice('person:'.length) : undefined
}
