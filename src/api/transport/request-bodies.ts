import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import multipart, { type Multipart, type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuseCounts } from '../../contract/json-counts.js'
import { pointerTo } from '../../contract/pointer.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { Intake } from '../../documents/document-files.js'
import { cleanFileName } from '../../domain/documents/file-name.js'
import type { Upload } from '../../usecases/upload.js'
import { readWhole } from './json-body.js'
import { readChunks, withRequestTimeout } from './timeouts.js'

const maxFileBytes = 100 * 1024 * 1024
const maxFields = 20
const maxFieldBytes = 64 * 1024

/** Accepts forms with one file, which is streamed to the intake. */
export async function acceptForms(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers()
  await scope.register(multipart, {
    limits: {
      fileSize: maxFileBytes,
      files: 1,
      fields: maxFields,
      fieldSize: maxFieldBytes,
      fieldNameSize: 100,
      parts: maxFields + 1,
    },
    throwFileSizeLimit: false,
  })
  scope.addContentTypeParser('*', async () => Promise.reject(notAForm()))
}

function notAForm(): Refusal {
  return new Refusal('unsupported_media_type', 'The body must be a form: `multipart/form-data` with one `file`.')
}

type Form<Stored> = { fields: Record<string, string>; upload: Stored }

/** Reads a form with fields and file in any order; the file is streamed to the intake. */
export async function readForm(
  request: FastifyRequest,
  intake: Intake,
  idleTimeout: number,
  maxBytes = maxFileBytes,
): Promise<Form<Upload>> {
  return readFormWith(request, idleTimeout, maxBytes, async (name, bytes) => ({
    ...(await intake.add(Readable.from(limited(bytes, maxBytes)))),
    name,
    intake,
  }))
}

/** Reads a form with a small file into memory. */
export async function readSmallForm(
  request: FastifyRequest,
  idleTimeout: number,
  maxBytes: number,
): Promise<Form<{ name: string; content: Buffer }>> {
  return readFormWith(request, idleTimeout, maxBytes, async (name, bytes) => {
    const chunks: Buffer[] = []
    for await (const chunk of limited(bytes, maxBytes)) chunks.push(chunk)
    return { name, content: Buffer.concat(chunks) }
  })
}

async function* limited(bytes: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > maxBytes) throw tooLarge(maxBytes)
    yield chunk
  }
}

type StoreFile<Stored> = (name: string, bytes: AsyncIterable<Buffer>) => Promise<Stored>

async function readFormWith<Stored>(
  request: FastifyRequest,
  idleTimeout: number,
  maxBytes: number,
  store: StoreFile<Stored>,
): Promise<Form<Stored>> {
  if (!request.isMultipart()) throw notAForm()
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new Refusal('unsupported_media_type', 'The form must not be compressed.')
  if (Number(request.headers['content-length']) > maxBytes + 2 * maxFields * maxFieldBytes) throw tooLarge(maxBytes)
  const fields = new Map<string, string>()
  let upload: Stored | undefined
  try {
    for await (const part of partsOf(request, idleTimeout)) {
      if (part.type === 'field') addField(fields, part)
      else upload = await storeFile(part, idleTimeout, store)
    }
  } finally {
    // Detach the parser from the rest of the body.
    request.raw.unpipe()
  }
  if (!upload) throw invalid([{ pointer: '/file', detail: 'is required' }])
  return { fields: Object.fromEntries(fields), upload }
}

async function* partsOf(request: FastifyRequest, idleTimeout: number): AsyncGenerator<Multipart> {
  const parts = request.parts()
  const end = new Promise((resolve) => void request.raw.once('end', resolve))
  for (;;) {
    const done = new AbortController()
    const nextPart = Promise.race([parts.next(), missingContent(end), stuckParser(request.raw, done.signal)])
    const part = await withRequestTimeout(idleTimeout, nextPart)
      .catch((error: unknown) => {
        throw formRefusalOf(error)
      })
      .finally(() => done.abort())
    if (part.done) return
    yield part.value
  }
}

// The parser sometimes hangs in a long part without a name: received data stays unread although no file is being read.
async function stuckParser(body: IncomingMessage, signal: AbortSignal): Promise<never> {
  let stalls = 0
  for (let before = -1; stalls < 3 && !signal.aborted; before = body.socket.bytesRead) {
    await sleep(1000, undefined, { ref: false })
    stalls = body.readableFlowing !== true && body.socket.bytesRead === before ? stalls + 1 : 0
  }
  throw malformed('The form cannot be read: a part of it has no name.')
}

// The parser waits forever if the headers of a part have no terminating blank line: give up a second after the end of the body.
async function missingContent(end: Promise<unknown>): Promise<never> {
  await end
  await sleep(1000, undefined, { ref: false })
  throw malformed('The form cannot be read: a part of it has no content.')
}

function addField(fields: Map<string, string>, part: Exclude<Multipart, MultipartFile>): void {
  const { value, valueTruncated } = part
  const name = nameOf(part)
  const pointer = pointerTo([name])
  if (name === 'file') throw invalid([{ pointer, detail: 'must be a file, with a file name' }])
  if (fields.has(name)) throw invalid([{ pointer, detail: 'is given twice' }])
  if (typeof value !== 'string' || valueTruncated)
    throw invalid([{ pointer, detail: 'must be a text of at most 64 KiB' }])
  fields.set(name, value)
}

function nameOf({ fieldname }: Multipart): string {
  if (fieldname && fieldname.isWellFormed() && !/\p{Cc}/u.test(fieldname)) return fieldname
  throw invalid([{ pointer: '', detail: 'has a part without a valid name' }])
}

async function storeFile<Stored>(part: MultipartFile, idleTimeout: number, store: StoreFile<Stored>): Promise<Stored> {
  const { file, filename } = part
  const fieldName = nameOf(part)
  if (fieldName !== 'file')
    throw invalid([{ pointer: pointerTo([fieldName]), detail: 'is not accepted here: the file is called `file`' }])
  const name = cleanFileName(filename ?? '')
  if (name === '') throw invalid([{ pointer: '/file', detail: 'must have a file name' }])
  // Fail at the limit, not after the rest of the file was received.
  file.once('limit', () => file.destroy(tooLarge()))
  return store(name, readChunks(file, idleTimeout))
}

function tooLarge(maxBytes = maxFileBytes): Refusal {
  return new Refusal('payload_too_large', `The file is larger than ${maxBytes / 1024 / 1024} MiB.`)
}

function malformed(detail: string): Refusal {
  return new Refusal('malformed_request', detail)
}

/** Converts errors of the form parser. */
function formRefusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const { code, message } = error as Error & { code?: string }
  switch (code) {
    case 'FST_FILES_LIMIT':
      return invalid([{ pointer: '/file', detail: 'must be one file: the form has several' }])
    case 'FST_FIELDS_LIMIT':
    case 'FST_PARTS_LIMIT':
      return invalid([{ pointer: '', detail: `must have at most ${maxFields} fields` }])
    case 'FST_PROTO_VIOLATION':
      return invalid([{ pointer: '', detail: 'has a field with a name that is not accepted' }])
    case 'FST_INVALID_JSON_FIELD_ERROR':
      return invalid([{ pointer: '', detail: 'has a field with invalid JSON; fields must be text' }])
    case 'FST_MP_PREMATURE_CLOSE':
      return malformed('The body ended before it was complete.')
    default:
      return malformed(`The form cannot be read: ${message}.`)
  }
}

// A line is held in up to four copies, here and on its way to the process that reads it. Measured by import-memory.test.ts: one of
// 16 MiB adds 44 MiB to the peak.
const maxLineBytes = 16 * 1024 * 1024
const lineFeed = 0x0a

/** Accepts import lines as a stream. */
export function acceptLines(scope: FastifyInstance, idleTimeout: number): void {
  scope.removeAllContentTypeParsers()
  const types = ['application/x-ndjson', 'application/jsonl', 'application/jsonlines']
  scope.addContentTypeParser(types, async ({ headers }: FastifyRequest, body: Readable) => {
    if ((headers['content-encoding'] ?? 'identity') !== 'identity')
      throw new Refusal('unsupported_media_type', 'The lines must not be compressed.')
    return limitLines(body, idleTimeout)
  })
  scope.addContentTypeParser('*', async () => Promise.reject(notLines()))
}

/** The import lines of a request; refuses a request without a body. */
export function linesOf({ body }: FastifyRequest): AsyncIterable<Buffer> {
  if (body === undefined) throw notLines()
  return body as AsyncIterable<Buffer>
}

function notLines(): Refusal {
  return new Refusal('unsupported_media_type', 'The body must be import lines: `application/x-ndjson`.')
}

async function* limitLines(body: Readable, idleTimeout: number): AsyncGenerator<Buffer> {
  let length = 0
  for await (const chunk of readChunks(body, idleTimeout)) {
    const end = chunk.lastIndexOf(lineFeed)
    length = end < 0 ? length + chunk.length : chunk.length - end - 1
    if (length > maxLineBytes) {
      const instead = 'Upload the document with `POST /ops/v1/accounts/{account}/documents`, or use `waybill import`.'
      throw new Refusal('payload_too_large', `A line is longer than 16 MiB. ${instead}`)
    }
    yield chunk
  }
}

/** Accepts messages in any format: their bytes are stored as they come. */
export function acceptMessages(scope: FastifyInstance, timeout: number): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', async ({ headers, query, routeOptions }: FastifyRequest, body: Readable) => {
    if ((headers['content-encoding'] ?? 'identity') !== 'identity')
      throw new Refusal('unsupported_media_type', 'The message must not be compressed.')
    const message = await readWhole(body, timeout, routeOptions.config.maxBytes)
    // A table may begin with a quote as well, and of a file only the text is read.
    const isParsed = (query as { format?: unknown }).format !== 'table' && !routeOptions.config.takesFile
    if (isParsed && isJson(message)) refuseCounts(message)
    return message
  })
}

// Interchanges of EDIFACT and X12, and tables, have limits of their own.
function isJson(message: Buffer): boolean {
  return /^(\xef\xbb\xbf)?\s*[[{"]/.test(message.toString('latin1', 0, 1000))
}

/** The bytes of the body, if it has any. */
export function bytesOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
}

/** The bytes of the message; refuses a request without any. */
export function messageOf({ body }: FastifyRequest): Buffer {
  if (Buffer.isBuffer(body) && body.length > 0) return body
  throw malformed('The body is empty: it must be the message.')
}
