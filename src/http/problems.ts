import type { ServerResponse } from 'node:http'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type Problem, problemMediaType, problemOf } from '../contract/problem.js'
import { Refusal } from '../contract/refusals.js'
import { isUnreachable } from '../storage/database.js'

const refusedWith = new WeakMap<ServerResponse, string>()

/** What an answer refuses with; undefined: it does not. */
export function refusalCodeOf(response: ServerResponse): string | undefined {
  return refusedWith.get(response)
}

/** Sends a problem that was put into words before, as when it is told a second time. */
export function sendProblemAgain(reply: FastifyReply, status: number, body: string): FastifyReply {
  refusedWith.set(reply.raw, (JSON.parse(body) as Problem).code)
  return reply.code(status).type(problemMediaType).send(body)
}

export function sendProblem(reply: FastifyReply, requestId: string, refusal: Refusal): FastifyReply {
  refusedWith.set(reply.raw, refusal.code)
  return reply
    .code(refusal.status)
    .headers(headersOf(refusal))
    .type(problemMediaType)
    .send(JSON.stringify(problemOf(refusal, requestId)))
}

function headersOf(refusal: Refusal): Record<string, string> {
  // RFC 6750: which scheme to use, and what was wrong with what was sent.
  if (refusal.code === 'missing_key') return { 'www-authenticate': 'Bearer realm="waybill"' }
  if (refusal.code === 'invalid_key') return { 'www-authenticate': 'Bearer realm="waybill", error="invalid_token"' }
  if (refusal.code === 'service_unavailable') return { 'retry-after': '2', ...refusal.headers }
  return refusal.headers
}

/** Whatever was thrown, as a refusal: our own, the framework's, the database's, or a fault of ours. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (isUnreachable(error)) return new Refusal('service_unavailable')
  const code = (error as FastifyError | undefined)?.code
  switch (code) {
    case 'FST_ERR_BAD_URL':
      return new Refusal('malformed_request', 'The path is not valid percent-encoded UTF-8.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal('unsupported_media_type')
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
