import type { FastifyReply, FastifyRequest } from 'fastify'
import { systemTime } from '../../clock/clock.js'
import type { OperatorOperation } from '../../contract/operator/operation.js'
import type { OperatorOperationName } from '../../contract/operator/operations.js'
import { problemOf } from '../../contract/problem.js'
import { Refusal } from '../../contract/refusals.js'
import { includesAccount } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { readPast, readSnapshot } from '../../database/snapshot.js'
import { takeTurns } from '../../jobs/in-slices.js'
import {
  performForwarderWrite,
  performWrite,
  type WriteRequest,
  type WriteResponse,
} from '../../ledger/idempotent-write.js'
import { type AccountRow, findAccountRow } from '../../store/accounts.js'
import { type Actor, forwarderLog, recordAudit } from '../../store/audit.js'
import type { DeferredFile, FileResponse } from '../../usecases/operator-context.js'
import { etagOf, matchesTag } from '../cache/etag.js'
import { currentWindow, documentLinkPath } from '../documents/document-links.js'
import { attachment } from '../documents/downloads.js'
import { siteAddress } from '../portal/session-cookie.js'
import { baseUrl } from '../public/response-headers.js'
import { idempotencyKeyOf } from '../public/write-response.js'
import type { Service } from '../service.js'
import { clientAddress, trustedBaseUrl } from '../transport/client-address.js'
import { fillTemplate } from '../transport/input.js'
import { sendStoredProblem } from '../transport/problems.js'
import { bytesOf, linesOf, messageOf, readForm } from '../transport/request-bodies.js'
import { untilDisconnected } from '../transport/timeouts.js'

/** A handler of any operation; its context and input depend on the operation. */
export type AnyHandler = (context: unknown, input: unknown) => Promise<unknown>

/** `prepare` runs before the transaction starts. */
type Handlers = {
  handle: AnyHandler
  prepare: AnyHandler | undefined
  untilClosed(reply: FastifyReply): AbortSignal
}

type Input = { params?: Record<string, string>; query?: unknown; body?: unknown }
type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** The route handler of an operation, by whether it reads or writes and by the format of its body. */
export function operationHandler(
  service: Service,
  name: OperatorOperationName,
  operation: OperatorOperation,
  { handle, prepare, untilClosed }: Handlers,
  inputOf: (request: FastifyRequest, body: unknown) => unknown,
  idleTimeout: number,
): RouteHandler {
  const { db, files, forwarderName, quotas = {}, publicUrl, portal } = service
  const isAudited = operation.method !== 'GET' && !operation.recordsAudit

  async function contextOf<Source extends Reader>(request: FastifyRequest, { params }: Input, source: Source) {
    const { operator } = request
    const actor = operatorActor(service, request)
    const base = trustedBaseUrl(request.raw, publicUrl)
    const { sendMail, sendsMail = true, provider } = portal
    const common = {
      db: source,
      files,
      forwarderName,
      quotas,
      operator,
      author: actor.actor,
      actor,
      base,
      officeBase: trustedBaseUrl(request.raw, siteAddress(service, 'office').url),
      sendMail,
      sendsMail,
      hasProvider: provider !== undefined,
      replyAddress: service.replyAddress,
      reportError: (error: unknown) => request.log.error({ err: error }, 'a message could not be processed'),
    }
    if (params?.account === undefined) return { common, accountRow: undefined }
    const accountRow = await findAccountRow(source, params.account)
    if (!accountRow || !includesAccount(request.operator.accounts, accountRow.account_id)) {
      throw new Refusal('account_not_found')
    }
    return {
      common: { ...common, ...accountContext(service, request, accountRow) },
      accountRow,
    }
  }

  async function write(request: FastifyRequest, given: Input, fingerprint = ''): Promise<WriteResponse> {
    const { common, accountRow } = await contextOf(request, given, db)
    const prepared = prepare?.(common, given)
    // The handler awaits it, and reports a failure.
    await Promise.allSettled([prepared])
    const input = { ...given, prepared }
    const { db: _db, ...context } = common
    const { status } = operation.success
    const asResponse = async (result: Promise<unknown>) => ({ status, body: JSON.stringify(await result) })
    const deferred: (() => Promise<void>)[] = []
    const afterCommit = (work: () => Promise<void>) => void deferred.push(work)
    const written = accountRow
      ? await performWrite(
          db,
          accountRow.account_id,
          { ...requestOf(request, operation, input, fingerprint), quotas },
          async (tx) => {
            const response = await asResponse(handle({ ...context, tx, afterCommit }, input))
            if (isAudited) await recordAudit(tx.sql, accountRow.account_id, common.actor, actOf(name, input))
            return response
          },
        )
      : await performForwarderWrite(db, requestOf(request, operation, input, fingerprint), (sql) =>
          asResponse(handle({ ...context, sql, afterCommit }, input)),
        )
    if (written.status === status) for (const work of deferred) await work()
    return written
  }

  // Files that are not stored are removed before the response is sent.
  async function writeUpload(request: FastifyRequest): Promise<{ input: Input; written: WriteResponse }> {
    const intake = files.createIntake()
    try {
      const { fields, upload } = await readForm(request, intake, idleTimeout)
      const input = { ...(inputOf(request, fields) as Input), upload }
      return { input, written: await write(request, input, `${upload.hash} ${upload.name}`) }
    } finally {
      await intake.discard()
    }
  }

  function feedContext(request: FastifyRequest, reply: FastifyReply) {
    return { ...linkContext(service, request), signal: untilClosed(reply), eventDays: service.eventDays }
  }

  if (operation.accepts === 'lines') {
    return async (request, reply) => {
      const input = inputOf(request, undefined) as Input
      const { common } = await contextOf(request, input, db)
      const lines = linesOf(request)
      const result = await untilDisconnected(request.raw, (signal) => handle(common, { ...input, lines, signal }))
      return sendJson(reply, JSON.stringify(result))
    }
  }
  if (operation.accepts === 'message') {
    return async (request, reply) => {
      const input = inputOf(request, undefined) as Input
      const { common } = await contextOf(request, input, db)
      const result = await handle(common, {
        ...input,
        content: operation.mayBeEmpty ? bytesOf(request) : messageOf(request),
      })
      return sendJson(reply, JSON.stringify(result))
    }
  }
  if (operation.accepts === 'form') {
    return async (request, reply) => {
      const { input, written } = await writeUpload(request)
      return sendWritten(reply, operation, input, written)
    }
  }
  if (operation.readsOnly) {
    return async (request, reply) => {
      const input = inputOf(request, request.body) as Input
      const { common } = await contextOf(request, input, db)
      return sendJson(reply, JSON.stringify(await handle(common, input)))
    }
  }
  if (operation.method !== 'GET') {
    return async (request, reply) => {
      const input = inputOf(request, request.body) as Input
      return sendWritten(reply, operation, input, await write(request, input))
    }
  }
  return async (request, reply) => {
    const input = inputOf(request, undefined) as Input
    const readOf = isAsOf(input) ? readPast : readSnapshot
    const result = operation.isFeed
      ? await handle({ ...(await contextOf(request, input, db)).common, ...feedContext(request, reply) }, input)
      : await readOf(db, async (sql) => handle((await contextOf(request, input, sql)).common, input))
    if (operation.returns === 'file') {
      const file = await (result as DeferredFile)(db)
      const slug = input.params?.account
      const account = slug === undefined ? undefined : (await findAccountRow(db, slug))?.account_id
      const details = { ...actOf(name, input).details, ...(input.query as object | undefined), file: file.name }
      const act = { ...actOf(name, input), ...(operation.audit ? exported : downloaded), details }
      await recordAudit(db, account ?? forwarderLog, operatorActor(service, request), act)
      return sendFile(reply, file)
    }
    // A large response is written, hashed and sent in turns of their own.
    const others = takeTurns()
    const body = JSON.stringify(result)
    await others()
    const etag = etagOf(body)
    await others()
    reply.header('etag', etag).header('cache-control', 'private, no-cache').header('vary', 'accept-encoding')
    if (matchesTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return sendJson(reply, body)
  }
}

function operatorActor({ trustedProxies }: Service, { operator, raw }: FastifyRequest): Actor {
  const { operator_id, name } = operator
  return { actor: `operator:${operator_id}`, actor_name: name, address: clientAddress(raw, trustedProxies) }
}

/** What an operator did, by the identifiers in the path. */
const downloaded = { kind: 'download', action: 'downloaded' } as const
const exported = { kind: 'export', action: 'exported' } as const

function actOf(name: OperatorOperationName, { params: { account: _account, ...ids } = {} }: Input) {
  const [subject] = Object.values(ids)
  return { kind: 'operator', action: 'operator_acted', subject, details: { operation: name, ...ids } } as const
}

function isAsOf({ query }: Input): boolean {
  return (query as { as_of?: string } | undefined)?.as_of !== undefined
}

function accountContext(service: Service, request: FastifyRequest, accountRow: AccountRow) {
  return { account: accountRow.account_id, accountRow, ...linkContext(service, request) }
}

function linkContext(service: Service, request: FastifyRequest) {
  const { link_secret } = request.operator
  const base = baseUrl(service, request.raw)
  const window = currentWindow(systemTime() / 1000)
  return {
    signLink: (document: { id: string; account: number }) => base + documentLinkPath(link_secret, document, window),
  }
}

function requestOf(
  request: FastifyRequest,
  { method, path, containsSecret }: OperatorOperation,
  { params, query, body }: Input,
  fingerprint: string,
): WriteRequest {
  const { operator_id } = request.operator
  const key = idempotencyKeyOf(request)
  return {
    author: `operator:${operator_id}`,
    content: () => `${method} ${path}\n${JSON.stringify([params, query, body, fingerprint])}`,
    // Keys are scoped to the operator. Customers' keys cannot contain a line break, so they never collide.
    idempotencyKey: key === undefined ? undefined : `${operator_id}\n${key}`,
    encryptWith: containsSecret && request.operatorCredential,
    problemBody: (refusal) => JSON.stringify(problemOf(refusal, request.id)),
  }
}

function sendWritten(
  reply: FastifyReply,
  { success }: OperatorOperation,
  { params }: Input,
  { status, body, replayed }: WriteResponse,
): FastifyReply {
  if (replayed) reply.header('idempotent-replayed', 'true')
  if (status !== success.status) return sendStoredProblem(reply, status, body)
  if (success.location) {
    reply.header('location', fillTemplate(success.location, { ...params, ...(JSON.parse(body) as object) }))
  }
  return sendJson(reply.code(status), body)
}

function sendJson(reply: FastifyReply, body: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(body)
}

function sendFile(reply: FastifyReply, { name, mediaType, size, content }: FileResponse): FastifyReply {
  if (size !== undefined) reply.header('content-length', size)
  return reply
    .type(mediaType)
    .header('content-disposition', attachment(name))
    .header('cache-control', 'private, no-cache')
    .header('content-security-policy', "sandbox; default-src 'none'")
    .send(content)
}
