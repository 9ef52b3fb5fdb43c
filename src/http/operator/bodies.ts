import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import multipart, { type Multipart, type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalid, Refusal } from '../../contract/refusals.js'
import { cleanFileName } from '../../domain/file-name.js'
import type { Upload } from '../../operator/handlers.js'
import type { Intake } from '../../storage/document-files.js'
import { readBody, within } from '../patience.js'

const largestFile = 100 * 1024 * 1024
const mostFields = 20
const largestField = 64 * 1024
const largestForm = largestFile + 2 * mostFields * largestField

/** Forms with one file, whose bytes go straight to where they wait to be kept. */
export async function acceptForms(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers()
  await scope.register(multipart, {
    limits: {
      fileSize: largestFile,
      files: 1,
      fields: mostFields,
      fieldSize: largestField,
      fieldNameSize: 100,
      parts: mostFields + 1,
    },
    throwFileSizeLimit: false,
  })
  scope.addContentTypeParser('*', async () => Promise.reject(noForm()))
}

function noForm(): Refusal {
  return new Refusal('unsupported_media_type', 'This takes a form: `multipart/form-data` with one `file`.')
}

type Form<Kept> = { fields: Record<string, string>; upload: Kept }

/** Fields and file in any order; the bytes wait in the intake. */
export async function readForm(request: FastifyRequest, intake: Intake, silence: number): Promise<Form<Upload>> {
  return readFormWith(request, silence, async (name, bytes) => ({
    ...(await intake.add(Readable.from(bytes))),
    name,
    intake,
  }))
}

/** The same, with the bytes kept in memory: for files that are small. */
export async function readSmallForm(
  request: FastifyRequest,
  silence: number,
  most: number,
): Promise<Form<{ name: string; content: Buffer }>> {
  return readFormWith(request, silence, async (name, bytes) => {
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of bytes) {
      length += chunk.length
      if (length > most) throw tooLarge(most)
      chunks.push(chunk)
    }
    return { name, content: Buffer.concat(chunks) }
  })
}

type KeepFile<Kept> = (name: string, bytes: AsyncIterable<Buffer>) => Promise<Kept>

async function readFormWith<Kept>(request: FastifyRequest, silence: number, keep: KeepFile<Kept>): Promise<Form<Kept>> {
  if (!request.isMultipart()) throw noForm()
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new Refusal('unsupported_media_type', 'The form comes as it is, without compression.')
  if (Number(request.headers['content-length']) > largestForm) throw tooLarge()
  const fields = new Map<string, string>()
  let upload: Kept | undefined
  try {
    for await (const part of partsOf(request, silence)) {
      if (part.type === 'field') addField(fields, part)
      else upload = await takeIn(part, silence, keep)
    }
  } finally {
    // Whatever still comes is not for the parser.
    request.raw.unpipe()
  }
  if (!upload) throw invalid([{ pointer: '/file', detail: 'is required' }])
  return { fields: Object.fromEntries(fields), upload }
}

async function* partsOf(request: FastifyRequest, silence: number): AsyncGenerator<Multipart> {
  const parts = request.parts()
  const end = new Promise((resolve) => void request.raw.once('end', resolve))
  for (;;) {
    const found = new AbortController()
    const nextPart = Promise.race([parts.next(), overdue(end), stuck(request.raw, found.signal)])
    const part = await within(silence, nextPart)
      .catch((error: unknown) => {
        throw formRefusalOf(error)
      })
      .finally(() => found.abort())
    if (part.done) return
    yield part.value
  }
}

// Nor does it go on within a long part that has no name, sometimes: what has come waits, though nobody reads a file.
async function stuck(body: IncomingMessage, signal: AbortSignal): Promise<never> {
  let looks = 0
  for (let before = -1; looks < 3 && !signal.aborted; before = body.socket.bytesRead) {
    await sleep(1000, undefined, { ref: false })
    looks = body.readableFlowing !== true && body.socket.bytesRead === before ? looks + 1 : 0
  }
  throw malformed('The form cannot be read: a part of it has no name.')
}

// The parser waits for ever for the blank line of a part that has none: a while after the end none comes any more.
async function overdue(end: Promise<unknown>): Promise<never> {
  await end
  await sleep(1000, undefined, { ref: false })
  throw malformed('The form cannot be read: a part of it has no content.')
}

function addField(fields: Map<string, string>, part: Exclude<Multipart, MultipartFile>): void {
  const { value, valueTruncated } = part
  const name = nameOf(part)
  const pointer = pointerTo(name)
  if (name === 'file') throw invalid([{ pointer, detail: 'must be a file, with a file name' }])
  if (fields.has(name)) throw invalid([{ pointer, detail: 'is given twice' }])
  if (typeof value !== 'string' || valueTruncated)
    throw invalid([{ pointer, detail: 'must be a text of at most 64 KiB' }])
  fields.set(name, value)
}

function nameOf({ fieldname }: Multipart): string {
  if (fieldname && fieldname.isWellFormed() && !/\p{Cc}/u.test(fieldname)) return fieldname
  throw invalid([{ pointer: '', detail: 'has a part without a name that can be read' }])
}

function pointerTo(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

async function takeIn<Kept>(part: MultipartFile, silence: number, keep: KeepFile<Kept>): Promise<Kept> {
  const { file, filename } = part
  const fieldName = nameOf(part)
  if (fieldName !== 'file')
    throw invalid([{ pointer: pointerTo(fieldName), detail: 'is not accepted here: the file is called `file`' }])
  const name = cleanFileName(filename ?? '')
  if (name === '') throw invalid([{ pointer: '/file', detail: 'must have a file name' }])
  // At once, not when the rest of it has come.
  file.once('limit', () => file.destroy(tooLarge()))
  return keep(name, readBody(file, silence))
}

function tooLarge(most = largestFile): Refusal {
  return new Refusal('payload_too_large', `The file is larger than ${most / 1024 / 1024} MiB.`)
}

function malformed(detail: string): Refusal {
  return new Refusal('malformed_request', detail)
}

/** What the parser of forms complains of. */
function formRefusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const { code, message } = error as Error & { code?: string }
  switch (code) {
    case 'FST_FILES_LIMIT':
      return invalid([{ pointer: '/file', detail: 'must be one file: the form has several' }])
    case 'FST_FIELDS_LIMIT':
    case 'FST_PARTS_LIMIT':
      return invalid([{ pointer: '', detail: `must have at most ${mostFields} fields` }])
    case 'FST_PROTO_VIOLATION':
      return invalid([{ pointer: '', detail: 'has a field with a name that is not accepted' }])
    case 'FST_INVALID_JSON_FIELD_ERROR':
      return invalid([{ pointer: '', detail: 'has a field that is sent as JSON, but is none; fields are text' }])
    case 'FST_MP_PREMATURE_CLOSE':
      return malformed('The body broke off before its end.')
    default:
      return malformed(`The form cannot be read: ${message}.`)
  }
}

// A document of 100 MiB in base64 fits, with all that is said of it.
const longestLine = 144 * 1024 * 1024
const lineFeed = 0x0a

/** Lines of any number, handed on as they come. */
export function acceptLines(scope: FastifyInstance, silence: number): void {
  scope.removeAllContentTypeParsers()
  const types = ['application/x-ndjson', 'application/jsonl', 'application/jsonlines']
  scope.addContentTypeParser(types, async ({ headers }: FastifyRequest, body: Readable) => {
    if ((headers['content-encoding'] ?? 'identity') !== 'identity')
      throw new Refusal('unsupported_media_type', 'The lines come as they are, without compression.')
    return readLinesOf(body, silence)
  })
  scope.addContentTypeParser('*', async () => Promise.reject(noLines()))
}

/** The lines of a request, which may have come without any body at all. */
export function linesOf({ body }: FastifyRequest): AsyncIterable<Buffer> {
  if (body === undefined) throw noLines()
  return body as AsyncIterable<Buffer>
}

function noLines(): Refusal {
  return new Refusal('unsupported_media_type', 'This takes import lines: `application/x-ndjson`.')
}

async function* readLinesOf(body: Readable, silence: number): AsyncGenerator<Buffer> {
  let length = 0
  for await (const chunk of readBody(body, silence)) {
    const end = chunk.lastIndexOf(lineFeed)
    length = end < 0 ? length + chunk.length : chunk.length - end - 1
    if (length > longestLine) throw new Refusal('payload_too_large', 'A line is longer than 144 MiB.')
    yield chunk
  }
}
