import type { OperationName, PublicOperation } from '../contract/operations.js'
import type { Input, ReadContext, Rendered, RenderedList } from '../customer/handlers.js'
import type { KeyHolder } from '../storage/keys.js'
import type { Readers } from '../storage/readers.js'
import type { AnswerMemory } from './answer-memory.js'
import { currentWindow, documentAddress } from './document-links.js'
import { etagOf, matches } from './etag.js'
import { isPieces, type Pieces } from './pieces.js'

export type Read = (context: ReadContext, input: Input<OperationName>) => Promise<Rendered>

/** Who reads what. */
export type Reading = {
  caller: KeyHolder
  /** As it was asked for, with its query: an answer is remembered under it. */
  url: string
  ifNoneMatch: string | undefined
  /** What addresses in the answer begin with. */
  base: string
}

/** Where answers are taken from, and kept. */
export type ReadSource = { memory: AnswerMemory; readers: Readers }

/** Bytes with their validator; without bytes where the client has them. */
export type ReadAnswer = { etag: string; body?: Pieces | AsyncIterable<Buffer> }

/** Makes the answer to a read out of stored bytes, and keeps it to be sent again. */
export function answerMaker({ memory, readers }: ReadSource, operation: PublicOperation, read: Read) {
  const { kind } = operation
  const isList = operation.params === undefined

  return async (input: Input<OperationName>, reading: Reading): Promise<ReadAnswer> => {
    const { caller, ifNoneMatch, base } = reading
    const { account_id: account, revisions, secrets } = caller
    const window = kind === 'document' ? currentWindow(Date.now() / 1000) : 0

    // The revision was read before the list is: a list is never older than its tag says.
    const listTag = isList ? etagOf(secrets.epoch, account, kind, revisions[kind], base, window) : ''
    const matchesAnything = ifNoneMatch?.trim() === '*'
    if (isList && !matchesAnything && matches(ifNoneMatch, listTag)) return { etag: listTag }

    const signLink: ReadContext['signLink'] = (document) =>
      base + documentAddress(secrets.link_secret, document, window)
    const rendered = await read({ ask: (work) => readers.read(caller, work), account, signLink }, input)
    const body = await bytesOf(rendered)

    const etag = 'revision' in rendered ? etagOf(secrets.epoch, account, kind, rendered.revision, rendered.id) : listTag
    // Links in documents end: those answers are made anew.
    const isKept = isPieces(body) && kind !== 'document'
    const kept = isKept ? memory.keep(caller.shelves[kind], reading.url, { etag, body }) : undefined
    return matches(ifNoneMatch, etag) ? { etag } : (kept ?? { etag, body })
  }
}

const opening = Buffer.from('[')
const comma = Buffer.from(',')
const closing = Buffer.from(']')

function bytesOf(rendered: Rendered): Pieces | Promise<Buffer | AsyncIterable<Buffer>> {
  if ('stretches' in rendered) return listBytes(rendered)
  return 'bodies' in rendered ? [opening, rendered.bodies, closing] : rendered.body
}

// What fits one stretch is sent whole, with its length; a longer list flows as fast as it is read.
async function listBytes({ stretches }: RenderedList): Promise<Buffer | AsyncIterable<Buffer>> {
  const iterator = stretches[Symbol.asyncIterator]()
  const first = await iterator.next()
  const second = first.done ? first : await iterator.next()
  const start = joined(opening, first.done ? [] : first.value)
  return second.done ? Buffer.concat([start, closing]) : rest(start, second.value, iterator)
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
