import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '../contract/refusals.js'
import type { KeyLookup } from '../storage/key-lookup.js'
import type { Answered } from './direct.js'
import { handedOver } from './handed-over.js'
import { logAnswered } from './log-output.js'
import { refusalCodeOf } from './problems.js'
import { noteAnswered, type RequestLog } from './request-log.js'
import { interfaceOf, type RequestMetrics } from './request-metrics.js'

/** Who is told how each request ended, whichever way it went: the log, the metrics, and the owner of the key. */
export type Telling = {
  /** Follows a request of the framework to its end: answered, or given up by its client. */
  follow(request: FastifyRequest, reply: FastifyReply): void
  direct(answered: Answered): void
  /** What was no request at all, or so large that nobody read it. */
  broken(requestId: string, refusal: Refusal): void
}

type Listeners = { metrics: RequestMetrics; requests: RequestLog; lookup: KeyLookup; logLevel: string }

type Ended = { status: number; code: string | undefined; milliseconds: number; isAborted: boolean }

// As proxies note it when a client has left before there was an answer: no answer has that status.
const leftBefore = 499

export function tellAnswers(app: FastifyInstance, { metrics, requests, lookup, logLevel }: Listeners): Telling {
  const logsAnswers = ['info', 'debug', 'trace'].includes(logLevel)

  function tell(request: FastifyRequest, { status, code, milliseconds, isAborted }: Ended): void {
    const { url: route, config } = request.routeOptions
    const { method } = request
    const { operation = 'other', isEndless = false } = config
    metrics.count({
      interface: interfaceOf(request.raw.url ?? ''),
      operation,
      method,
      status,
      code,
      seconds: isEndless ? undefined : milliseconds / 1000,
      isAborted,
    })
    if (!isAborted) noteAnswered(requests, lookup, request, { status, milliseconds })
    const told = {
      account: request.caller?.slug ?? accountOf(request),
      operator: request.operator?.operator_id,
      person: personOf(request),
      method,
      route,
      status,
      code,
      duration_ms: Math.round(milliseconds * 10) / 10,
    }
    request.log.info(told, isAborted ? 'aborted' : 'answered')
  }

  return {
    follow(request, reply) {
      const { started = performance.now() } = handedOver(request.raw)
      const { raw } = reply
      const { socket } = request.raw
      let isSent = false
      raw.once('finish', () => {
        // What could not be sent is over as well.
        isSent = socket.errored === null
      })
      raw.once('close', () => {
        // Whoever listens to events leaves when they have heard enough.
        const isAborted = !isSent && !(raw.headersSent && request.routeOptions.config.isEndless)
        const status = isAborted && !raw.headersSent ? leftBefore : raw.statusCode
        tell(request, { status, code: refusalCodeOf(raw), milliseconds: performance.now() - started, isAborted })
      })
    },
    direct({ operation, method, route, url, caller, status, started, requestId, isAborted }) {
      const milliseconds = performance.now() - started
      metrics.count({ interface: 'public', operation, method, status, seconds: milliseconds / 1000, isAborted })
      if (!isAborted) requests.note({ caller, requestId, method, url, status, at: Date.now(), duration: milliseconds })
      if (logsAnswers) logAnswered({ requestId, account: caller.slug, method, route, status, milliseconds, isAborted })
    },
    broken(requestId, { status, code }) {
      const operation = 'unreadable'
      metrics.count({ interface: 'other', operation, method: 'none', status, code, isAborted: false })
      app.log.info({ request_id: requestId, status, code }, 'answered')
    },
  }
}

/** The account that an operator works in; what a stranger names is not worth a line. */
function accountOf({ operator, params }: FastifyRequest): string | undefined {
  return operator ? (params as { account?: string }).account : undefined
}

/** Who is signed in, whichever interface they ask. */
function personOf({ caller }: FastifyRequest): string | undefined {
  return caller?.key_id.startsWith('person:') ? caller.key_id.slice('person:'.length) : undefined
}
