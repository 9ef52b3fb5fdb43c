import type { ServerResponse } from 'node:http'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type Problem, problemMediaType, problemOf } from '../../contract/problem.js'
import { Refusal } from '../../contract/refusals.js'
import { isCancelled, isDeadlock, isUnreachable } from '../../database/errors.js'

const codes = new WeakMap<ServerResponse, string>()

/** The error code of a response; undefined if it is not a refusal. */
export function refusalCodeOf(response: ServerResponse): string | undefined {
  return codes.get(response)
}

/** Sends a problem body that is already rendered, as for a replayed request. */
export function sendStoredProblem(reply: FastifyReply, status: number, body: string): FastifyReply {
  codes.set(reply.raw, (JSON.parse(body) as Problem).code)
  return reply.code(status).type(problemMediaType).send(body)
}

export function sendProblem(reply: FastifyReply, requestId: string, refusal: Refusal): FastifyReply {
  codes.set(reply.raw, refusal.code)
  // The framework closes connections whose body is too large, and then clients that are still sending may not see the
  // response. The rest of the body is drained instead.
  reply.removeHeader('connection')
  return reply
    .code(refusal.status)
    .headers(headersOf(refusal))
    .type(problemMediaType)
    .send(JSON.stringify(problemOf(refusal, requestId)))
}

function headersOf(refusal: Refusal): Record<string, string> {
  // RFC 6750: the scheme, and the kind of error.
  if (refusal.code === 'missing_key') return { 'www-authenticate': 'Bearer realm="waybill"' }
  if (refusal.code === 'invalid_key') return { 'www-authenticate': 'Bearer realm="waybill", error="invalid_token"' }
  if (refusal.code === 'service_unavailable') return { 'retry-after': '2', ...refusal.headers }
  return refusal.headers
}

/** Converts any error to a refusal: of a rule, the framework, the database, or `internal_error`. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (isUnreachable(error)) return new Refusal('service_unavailable')
  if (isCancelled(error))
    return new Refusal('service_unavailable', 'The request took too long; ask for less, or try again.')
  if (isDeadlock(error))
    return new Refusal(
      'service_unavailable',
      'The request and another one waited for each other. Nothing was changed; try again.',
    )
  const code = (error as FastifyError | undefined)?.code
  switch (code) {
    case 'FST_ERR_BAD_URL':
      return new Refusal('malformed_request', 'The path is not valid percent-encoded UTF-8.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal(
        'unsupported_media_type',
        'Send `Content-Type: application/json`, unless the operation specifies another media type.',
      )
    default:
      return new Refusal('internal_error')
  }
}

export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(error)
  if (refusal.code === 'internal_error') request.log.error({ err: error }, 'request failed')
  if (refusal.code === 'service_unavailable') request.log.warn({ err: error }, 'service unavailable')
  return sendProblem(reply, request.id, refusal)
}
