import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PortalOperation } from '../../contract/portal/operation.js'
import type { PortalOperationName } from '../../contract/portal/operations.js'
import type { Site } from '../../contract/portal/sites.js'
import { maxProposalBytes } from '../../contract/public/proposal-limits.js'
import { Refusal } from '../../contract/refusals.js'
import { recordAudit } from '../../store/audit.js'
import { findSession } from '../../store/sessions.js'
import { prepareFile } from '../../usecases/documents/document-content.js'
import { sessionResponse } from '../../usecases/people/session-response.js'
import {
  type NewSession,
  type PendingSignIn,
  type PortalFile,
  SerializedJson,
  type StreamedEvent,
} from '../../usecases/portal-context.js'
import { canonicalUrl } from '../cache/canonical-url.js'
import { matchesTag } from '../cache/etag.js'
import type { ResponseCache } from '../cache/response-cache.js'
import { attachment, inlinePolicies } from '../documents/downloads.js'
import { jsonMediaType } from '../public/response-headers.js'
import type { Service } from '../service.js'
import { readForm, readSmallForm } from '../transport/request-bodies.js'
import { untilDisconnected } from '../transport/timeouts.js'
import { cachedResponse, renderedResponse } from './cached-response.js'
import { personContext, requestActor, todayOf, visitorContext } from './contexts.js'
import type { Defer } from './deferred-work.js'
import type { Streams } from './event-stream.js'
import { recordDevice } from './new-device.js'
import { expiredSessionCookie, pendingCookie, readPendingToken, sessionCookie, siteAddress } from './session-cookie.js'
import type { VisitorQueue } from './visitor-queue.js'

/** A handler of any operation; its context and input depend on the operation. */
export type AnyPortalHandler = (context: unknown, input: unknown) => Promise<unknown>

type Options = {
  cache: ResponseCache
  site: Site
  name: PortalOperationName
  operation: PortalOperation
  handle: AnyPortalHandler
  inputOf(request: FastifyRequest, body: unknown): unknown
  /** For the next bytes of a form, in milliseconds. */
  idleTimeout: number
  streams: Streams
  queueVisitor: VisitorQueue
  defer: Defer
}

const maxSheetBytes = 10 * 1024 * 1024

/** The route handler of an operation, by its access and the format of its response. */
export function portalOperationHandler(service: Service, options: Options) {
  const { name, site, operation, handle, inputOf, cache, idleTimeout, streams, queueVisitor, defer } = options
  const { db } = service
  const address = siteAddress(service, site)
  const { status } = operation.success

  async function resultFor(request: FastifyRequest, extra: object = {}): Promise<unknown> {
    if (operation.accepts === 'file') return proposeFile(request)
    const given = inputOf(request, operation.accepts ? undefined : request.body) as object
    const input = { ...given, ...extra }
    if (operation.accepts) {
      const form = await readSmallForm(request, idleTimeout, maxSheetBytes)
      return untilDisconnected(request.raw, (signal) =>
        handle(personContext(service, site, request, defer), { ...input, ...form, signal }),
      )
    }
    if (operation.access !== 'anyone') return handle(personContext(service, site, request, defer), input)
    const respond = () => handle(visitorContext(service, site, request, defer), input)
    return operation.method === 'GET' ? respond() : queueVisitor(request, respond)
  }

  // Files that are not stored are removed before the response is sent.
  async function proposeFile(request: FastifyRequest): Promise<unknown> {
    const intake = service.files.createIntake()
    try {
      const { fields, upload } = await readForm(request, intake, idleTimeout, maxProposalBytes)
      const input = inputOf(request, fields) as object
      const prepared = prepareFile(upload)
      // The handler awaits it, and reports a failure.
      await Promise.allSettled([prepared])
      const context = visitorContext(service, site, request, defer)
      return await queueVisitor(request, () => handle(context, { ...input, upload, prepared }))
    } finally {
      await intake.discard()
    }
  }

  async function startSession(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const started = (await resultFor(request)) as NewSession | PendingSignIn
    if ('pending' in started) {
      reply.header('set-cookie', pendingCookie(request.raw, address, started.pending))
      throw new Refusal('second_factor_required')
    }
    const { token, isByLink } = started
    const session = await findSession(db, site, token)
    if (!session) throw new Refusal('sign_in_failed')
    // Which a second factor has completed.
    const wasPending = readPendingToken(request.raw, address) !== undefined
    const cookie = sessionCookie(request.raw, address, token)
    reply.header('set-cookie', wasPending ? [cookie, pendingCookie(request.raw, address)] : cookie)
    if (session.signedInWith !== 'demo' && !session.viewer)
      await recordDevice(service, request, reply, { site, session, isByLink, defer })
    return reply
      .code(status)
      .type(jsonMediaType)
      .send(JSON.stringify(sessionResponse(session, token)))
  }

  function streamEvents(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const lastEventId = request.headers['last-event-id']
    const open = async (signal: AbortSignal) =>
      (await resultFor(request, { signal, lastEventId })) as AsyncIterable<StreamedEvent>
    return streams.send(request, reply, open)
  }

  async function bodyFor(request: FastifyRequest): Promise<string> {
    const result = await resultFor(request)
    return result instanceof SerializedJson ? result.json : JSON.stringify(result)
  }

  async function fileFor(request: FastifyRequest): Promise<PortalFile> {
    const file = (await resultFor(request)) as PortalFile
    const { audit } = operation
    if (audit !== undefined) {
      const act =
        audit === 'export'
          ? ({ kind: audit, action: 'exported' } as const)
          : ({ kind: audit, action: 'downloaded' } as const)
      const given = inputOf(request, undefined) as { params?: Record<string, string>; query?: Record<string, unknown> }
      const details = { operation: name, file: file.name, ...given.query }
      await recordAudit(db, request.caller.account_id, requestActor(service, request), {
        ...act,
        subject: Object.values(given.params ?? {})[0],
        details,
      })
    }
    return file
  }

  function addressOf(request: FastifyRequest) {
    return { url: canonicalUrl(operation, inputOf(request, undefined) as object), today: todayOf(request) }
  }

  async function sendRead(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { etag, body } = operation.isOfAccount
      ? await cachedResponse(cache, request.caller, addressOf(request), () => bodyFor(request))
      : renderedResponse(await bodyFor(request))
    reply.header('etag', etag).header('cache-control', 'private, no-cache').header('vary', 'accept-encoding, cookie')
    if (matchesTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.code(status).type(jsonMediaType).send(body)
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (operation.startsSession) return startSession(request, reply)
    if (operation.returns === 'events') return streamEvents(request, reply)
    if (operation.returns === 'file') return sendFile(reply, await fileFor(request))
    if (operation.method === 'GET') return sendRead(request, reply)
    const body = await bodyFor(request)
    if (operation.endsSession) reply.header('set-cookie', expiredSessionCookie(request.raw, address))
    return reply.code(status).type(jsonMediaType).send(body)
  }
}

function sendFile(reply: FastifyReply, { name, mediaType, size, content, isInline }: PortalFile): FastifyReply {
  if (size !== undefined) reply.header('content-length', size)
  return reply
    .type(mediaType)
    .header('content-disposition', isInline ? attachment(name).replace(/^attachment/, 'inline') : attachment(name))
    .header('content-security-policy', isInline ? inlinePolicies.pdf : "sandbox; default-src 'none'")
    .send(content)
}
