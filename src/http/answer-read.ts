import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OperationName, PublicOperation } from '../contract/operations.js'
import type { Input } from '../customer/handlers.js'
import { isPieces, wholeOf } from './pieces.js'
import { answerMaker, type Read, type ReadSource } from './read-answer.js'
import type { Service } from './service.js'

/** Sends stored bytes, or nothing at all when the client has them. */
export function answerRead(service: Service, source: ReadSource, operation: PublicOperation, read: Read) {
  const makeAnswer = answerMaker(source, operation, read)

  return async (input: Input<OperationName>, request: FastifyRequest, reply: FastifyReply) => {
    const { etag, body } = await makeAnswer(input, {
      caller: request.caller,
      url: request.raw.url as string,
      ifNoneMatch: request.headers['if-none-match'],
      base: operation.kind === 'document' ? baseUrl(service, request) : '',
    })
    reply.headers({ ...validatedHeaders, etag })
    if (body === undefined) return reply.code(304).send()
    return reply.type(jsonMediaType).send(isPieces(body) ? wholeOf(body) : Readable.from(body))
  }
}

export const jsonMediaType = 'application/json; charset=utf-8'

/** For the client's own cache only, which asks each time; the same address has a plain and a compressed answer. */
export const validatedHeaders = { 'cache-control': 'private, no-cache', vary: 'accept-encoding' }

const plausibleHost = /^[\w.:[\]-]+$/

export function baseUrl({ publicUrl }: Service, { raw }: FastifyRequest): string {
  if (publicUrl !== undefined) return publicUrl
  const host = raw.headers.host
  if (host !== undefined && plausibleHost.test(host)) return `http://${host}`
  return `http://${raw.socket.localAddress}:${raw.socket.localPort}`
}
