import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PortalOperation } from '../../contract/portal/operation.js'
import { Refusal } from '../../contract/refusals.js'
import { type PortalFile, type SignedIn, type StreamedEvent, Written } from '../../portal-api/handlers.js'
import { sessionAnswer } from '../../portal-api/session-answer.js'
import { findSession } from '../../storage/sessions.js'
import type { AnswerMemory } from '../answer-memory.js'
import { jsonMediaType } from '../answer-read.js'
import { attachment, shownPolicies } from '../downloads.js'
import { matches } from '../etag.js'
import { readSmallForm } from '../operator/bodies.js'
import type { Service } from '../service.js'
import type { Afterwards } from './afterwards.js'
import { personContext, todayOf, visitorContext } from './contexts.js'
import type { Streams } from './event-stream.js'
import { keptAnswer, madeAnswer } from './kept-answer.js'
import { endedCookie, sessionCookie } from './signed-in.js'

/** A handler of any operation: which context and input it gets is told by the operation. */
export type AnyPortalHandler = (context: unknown, input: unknown) => Promise<unknown>

type Answering = {
  memory: AnswerMemory
  operation: PortalOperation
  handle: AnyPortalHandler
  inputOf(request: FastifyRequest, body: unknown): unknown
  /** How long a form is waited for while nothing of it comes. */
  silence: number
  streams: Streams
  afterwards: Afterwards
}

const largestSheet = 10 * 1024 * 1024

/** How an operation is answered: for whom, and in which form. */
export function answerPortal(service: Service, answering: Answering) {
  const { operation, handle, inputOf, memory, silence, streams, afterwards } = answering
  const { db, publicUrl } = service
  const { status } = operation.success

  async function resultFor(request: FastifyRequest, extra: object = {}): Promise<unknown> {
    const given = inputOf(request, operation.accepts ? undefined : request.body) as object
    const form = operation.accepts ? await readSmallForm(request, silence, largestSheet) : {}
    const context =
      operation.access === 'anyone' ? visitorContext(service, request, afterwards) : personContext(service, request)
    return handle(context, { ...given, ...form, ...extra })
  }

  async function startSession(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { token } = (await resultFor(request)) as SignedIn
    const session = await findSession(db, token)
    if (!session) throw new Refusal('sign_in_failed')
    reply.header('set-cookie', sessionCookie(request.raw, publicUrl, token))
    return reply
      .code(status)
      .type(jsonMediaType)
      .send(JSON.stringify(sessionAnswer(session, token)))
  }

  function streamEvents(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const lastEventId = request.headers['last-event-id']
    const open = async (signal: AbortSignal) =>
      (await resultFor(request, { signal, lastEventId })) as AsyncIterable<StreamedEvent>
    return streams.send(request, reply, open)
  }

  async function bodyFor(request: FastifyRequest): Promise<string> {
    const result = await resultFor(request)
    return result instanceof Written ? result.json : JSON.stringify(result)
  }

  async function sendRead(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { etag, body } = operation.isOfAccount
      ? await keptAnswer(memory, request.caller, { url: request.raw.url as string, today: todayOf(request) }, () =>
          bodyFor(request),
        )
      : madeAnswer(await bodyFor(request))
    reply.header('etag', etag).header('cache-control', 'private, no-cache').header('vary', 'accept-encoding, cookie')
    if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.code(status).type(jsonMediaType).send(body)
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (operation.startsSession) return startSession(request, reply)
    if (operation.answers === 'events') return streamEvents(request, reply)
    if (operation.answers === 'file') return sendFile(reply, (await resultFor(request)) as PortalFile)
    if (operation.method === 'GET') return sendRead(request, reply)
    const body = await bodyFor(request)
    if (operation.endsSession) reply.header('set-cookie', endedCookie(request.raw, publicUrl))
    return reply.code(status).type(jsonMediaType).send(body)
  }
}

function sendFile(reply: FastifyReply, { name, mediaType, size, content, isShown }: PortalFile): FastifyReply {
  if (size !== undefined) reply.header('content-length', size)
  return reply
    .type(mediaType)
    .header('content-disposition', isShown ? attachment(name).replace(/^attachment/, 'inline') : attachment(name))
    .header('content-security-policy', isShown ? shownPolicies.pdf : "sandbox; default-src 'none'")
    .send(content)
}
