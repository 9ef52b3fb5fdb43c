import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OperatorOperation } from '../../contract/ops/operation.js'
import { problemOf } from '../../contract/problem.js'
import { Refusal } from '../../contract/refusals.js'
import type { FileAnswer, FileMaking } from '../../operator/handlers.js'
import { type AccountRow, findAccountRow } from '../../storage/accounts.js'
import type { Reader } from '../../storage/database.js'
import {
  performForwarderWrite,
  performWrite,
  type WriteAnswer,
  type WriteRequest,
} from '../../storage/idempotent-write.js'
import { readPast, readSnapshot } from '../../storage/snapshot.js'
import { baseUrl } from '../answer-read.js'
import { filledIn, idempotencyKeyOf } from '../answer-write.js'
import { bearerOf } from '../authentication.js'
import { currentWindow, documentAddress } from '../document-links.js'
import { attachment } from '../downloads.js'
import { etagOf, matches } from '../etag.js'
import { sendProblemAgain } from '../problems.js'
import type { Service } from '../service.js'
import { linesOf, readForm } from './bodies.js'

/** A handler of any operation: which context and input it gets is told by the operation. */
export type AnyHandler = (context: unknown, input: unknown) => Promise<unknown>

/** `prepare`: what it does before its transaction begins, if anything. */
type Handling = { handle: AnyHandler; prepare: AnyHandler | undefined }

type Input = { params?: Record<string, string>; query?: unknown; body?: unknown }
type Answering = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** How an operation is answered: by what it reads or writes, and in which form. */
export function answerOf(
  service: Service,
  operation: OperatorOperation,
  { handle, prepare }: Handling,
  inputOf: (request: FastifyRequest, body: unknown) => unknown,
  silence: number,
): Answering {
  const { db, files, forwarderName } = service

  async function contextOf<Source extends Reader>(request: FastifyRequest, { params }: Input, source: Source) {
    const { operator } = request
    const common = { db: source, files, forwarderName, operator, author: `operator:${operator.operator_id}` }
    if (params?.account === undefined) return { common, accountRow: undefined }
    const accountRow = await findAccountRow(source, params.account)
    if (!accountRow) throw new Refusal('account_not_found')
    return {
      common: { ...common, ...accountContext(service, request, accountRow) },
      accountRow,
    }
  }

  async function write(request: FastifyRequest, given: Input, mark = ''): Promise<WriteAnswer> {
    const { common, accountRow } = await contextOf(request, given, db)
    const prepared = prepare?.(common, given)
    // Whether it went well is for the handler to ask.
    await Promise.allSettled([prepared])
    const input = { ...given, prepared }
    const { db: _db, ...context } = common
    const { status } = operation.success
    const asAnswer = async (answer: Promise<unknown>) => ({ status, body: JSON.stringify(await answer) })
    return accountRow
      ? performWrite(db, accountRow.account_id, requestOf(request, operation, input, mark), (tx) =>
          asAnswer(handle({ ...context, tx }, input)),
        )
      : performForwarderWrite(db, requestOf(request, operation, input, mark), (sql) =>
          asAnswer(handle({ ...context, sql }, input)),
        )
  }

  // What is not kept is gone before the answer is sent.
  async function writeUpload(request: FastifyRequest): Promise<{ input: Input; written: WriteAnswer }> {
    const intake = files.takeIn()
    try {
      const { fields, upload } = await readForm(request, intake, silence)
      const input = { ...(inputOf(request, fields) as Input), upload }
      return { input, written: await write(request, input, `${upload.hash} ${upload.name}`) }
    } finally {
      await intake.discard()
    }
  }

  if (operation.accepts === 'lines') {
    return async (request, reply) => {
      const input = inputOf(request, undefined) as Input
      const { common } = await contextOf(request, input, db)
      return sendJson(reply, JSON.stringify(await handle(common, { ...input, lines: linesOf(request) })))
    }
  }
  if (operation.accepts === 'form') {
    return async (request, reply) => {
      const { input, written } = await writeUpload(request)
      return sendWritten(reply, operation, input, written)
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
    const readOf = isOfPast(input) ? readPast : readSnapshot
    const answer = await readOf(db, async (sql) => handle((await contextOf(request, input, sql)).common, input))
    if (operation.answers === 'file') return sendFile(reply, await (answer as FileMaking)())
    const body = JSON.stringify(answer)
    const etag = etagOf(body)
    reply.header('etag', etag).header('cache-control', 'private, no-cache').header('vary', 'accept-encoding')
    if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return sendJson(reply, body)
  }
}

function isOfPast({ query }: Input): boolean {
  return (query as { as_of?: string } | undefined)?.as_of !== undefined
}

function accountContext(service: Service, request: FastifyRequest, accountRow: AccountRow) {
  const { link_secret } = request.operator
  const base = baseUrl(service, request)
  const window = currentWindow(Date.now() / 1000)
  return {
    account: accountRow.account_id,
    accountRow,
    signLink: (document: { id: string; account: number }) => base + documentAddress(link_secret, document, window),
  }
}

function requestOf(
  request: FastifyRequest,
  { method, path, answersSecret }: OperatorOperation,
  { params, query, body }: Input,
  mark: string,
): WriteRequest {
  const { operator_id } = request.operator
  const key = idempotencyKeyOf(request)
  return {
    author: `operator:${operator_id}`,
    content: `${method} ${path}\n${JSON.stringify([params, query, body, mark])}`,
    // Of each operator's own: no key that a customer may send has a line break in it.
    idempotencyKey: key === undefined ? undefined : `${operator_id}\n${key}`,
    sealedWith: answersSecret && bearerOf(request.headers.authorization ?? ''),
    problemBody: (refusal) => JSON.stringify(problemOf(refusal, request.id)),
  }
}

function sendWritten(
  reply: FastifyReply,
  { success }: OperatorOperation,
  { params }: Input,
  { status, body, replayed }: WriteAnswer,
): FastifyReply {
  if (replayed) reply.header('idempotent-replayed', 'true')
  if (status !== success.status) return sendProblemAgain(reply, status, body)
  if (success.location) {
    reply.header('location', filledIn(success.location, { ...params, ...(JSON.parse(body) as object) }))
  }
  return sendJson(reply.code(status), body)
}

function sendJson(reply: FastifyReply, body: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(body)
}

function sendFile(reply: FastifyReply, { name, mediaType, size, content }: FileAnswer): FastifyReply {
  return reply
    .type(mediaType)
    .header('content-length', size)
    .header('content-disposition', attachment(name))
    .header('cache-control', 'private, no-cache')
    .header('content-security-policy', "sandbox; default-src 'none'")
    .send(content)
}
