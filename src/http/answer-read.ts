import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OperationName, PublicOperation } from '../contract/operations.js'
import type { Input, ReadContext, RenderedList } from '../customer/handlers.js'
import type { RenderedBody } from '../storage/rendered.js'
import type { AnswerMemory } from './answer-memory.js'
import { currentWindow, documentAddress } from './document-links.js'
import { etagOf, matches } from './etag.js'
import { answerName } from './remembered-reads.js'
import type { Service } from './service.js'

export type Read = (context: ReadContext, input: Input<OperationName>) => Promise<RenderedBody | RenderedList>

/** Sends stored bytes, or nothing at all when the client has them. */
export function answerRead(service: Service, memory: AnswerMemory, operation: PublicOperation, read: Read) {
  const { db } = service
  const isList = operation.params === undefined

  return async (input: Input<OperationName>, request: FastifyRequest, reply: FastifyReply) => {
    const { account_id: account, revisions, secrets } = request.caller
    const ifNoneMatch = request.headers['if-none-match']
    const base = operation.kind === 'document' ? baseUrl(service, request) : ''
    const window = operation.kind === 'document' ? currentWindow(Date.now() / 1000) : 0

    // The revision was read before the list is: a list is never older than its tag says.
    const listTag = isList
      ? etagOf(secrets.epoch, account, operation.kind, revisions[operation.kind], base, window)
      : ''
    const matchesAnything = ifNoneMatch?.trim() === '*'
    if (isList && !matchesAnything && matches(ifNoneMatch, listTag)) return notModified(reply, listTag)

    const signLink: ReadContext['signLink'] = (document) =>
      base + documentAddress(secrets.link_secret, document, window)
    const answer = await read({ db, account, signLink }, input)
    // Links in documents end: those answers are made anew.
    const remember = (etag: string, body: Buffer) => {
      if (operation.kind === 'document') return
      memory.keep(answerName(request.caller, operation.kind, request.raw.url as string), { etag, body })
    }
    if ('stretches' in answer) {
      if (matchesAnything) return notModified(reply, listTag)
      return sendList(withHeaders(reply, listTag), answer, (body) => remember(listTag, body))
    }
    const tag = etagOf(secrets.epoch, account, operation.kind, answer.revision, answer.id)
    remember(tag, answer.body)
    if (matches(ifNoneMatch, tag)) return notModified(reply, tag)
    return withHeaders(reply, tag).send(answer.body)
  }
}

function withHeaders(reply: FastifyReply, etag: string): FastifyReply {
  return validated(reply, etag).type('application/json; charset=utf-8')
}

function notModified(reply: FastifyReply, etag: string): FastifyReply {
  return validated(reply, etag).code(304).send()
}

// For the client's own cache only, which asks each time; the same address has a plain and a compressed answer.
function validated(reply: FastifyReply, etag: string): FastifyReply {
  return reply.header('etag', etag).header('cache-control', 'private, no-cache').header('vary', 'accept-encoding')
}

const plausibleHost = /^[\w.:[\]-]+$/

export function baseUrl({ publicUrl }: Service, { raw }: FastifyRequest): string {
  if (publicUrl !== undefined) return publicUrl
  const host = raw.headers.host
  if (host !== undefined && plausibleHost.test(host)) return `http://${host}`
  return `http://${raw.socket.localAddress}:${raw.socket.localPort}`
}

const opening = Buffer.from('[')
const comma = Buffer.from(',')
const closing = Buffer.from(']')

// What fits one stretch is sent whole, with its length; a longer list flows as fast as it is read.
async function sendList(
  reply: FastifyReply,
  { stretches }: RenderedList,
  remember: (body: Buffer) => void,
): Promise<FastifyReply> {
  const iterator = stretches[Symbol.asyncIterator]()
  const first = await iterator.next()
  const second = first.done ? first : await iterator.next()
  const start = joined(opening, first.done ? [] : first.value)
  if (second.done) {
    const body = Buffer.concat([start, closing])
    remember(body)
    return reply.send(body)
  }
  return reply.send(Readable.from(rest(start, second.value, iterator)))
}

async function* rest(start: Buffer, second: Buffer[], iterator: AsyncIterator<Buffer[]>): AsyncGenerator<Buffer> {
  yield start
  if (second.length > 0) yield joined(comma, second)
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    if (next.value.length > 0) yield joined(comma, next.value)
  }
  yield closing
}

function joined(start: Buffer, bodies: Buffer[]): Buffer {
  return Buffer.concat([start, ...bodies.flatMap((body, index) => (index === 0 ? [body] : [comma, body]))])
}
