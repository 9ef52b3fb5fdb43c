import { deflateSync, gzipSync } from 'node:zlib'
import type { Random } from '../../src/sandbox/random.js'
import { type Given, type Mutation, withKind } from './mutation.js'
import { type Request, writtenRequest } from './request.js'

/** Mutations of the body as bytes: type, charset, encoding, length, and invalid bodies. */
export const bodyMutations: Mutation[] = [
  mutateType,
  mutateType,
  mutateEncoding,
  mutateCharset,
  mutateBytes,
  mutateBytes,
  mutateLength,
  addBody,
]

type Headers = Request['headers']

function withHeader(headers: Headers, name: string, value: string | undefined): Headers {
  const rest = headers.filter(([each]) => each !== name)
  return value === undefined ? rest : [...rest, [name, value]]
}

function bytesOf(request: Request): Buffer | undefined {
  return writtenRequest(request).body
}

const types = [
  undefined,
  '',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/xml',
  'application/jsonlines',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/problem+json',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary=${'b'.repeat(300)}`,
  'application/x-ndjson',
  'APPLICATION/JSON',
  'application/json;',
  'application/json; charset=utf-8; charset=utf-16',
  'application/json, text/plain',
  '/;=',
  'json',
  '\u00e9/\u00e9',
]

function mutateType(request: Request, { random }: Given): Request | undefined {
  if (!request.body) return undefined
  return withKind(request, 'media type', { headers: withHeader(request.headers, 'content-type', random.pick(types)) })
}

function mutateEncoding(request: Request, { random }: Given): Request | undefined {
  const bytes = bytesOf(request)
  if (!bytes) return undefined
  const [encoding, encoded] = random.pick<[string, Buffer]>([
    ['gzip', gzipSync(bytes)],
    ['deflate', deflateSync(bytes)],
    ['gzip', bytes],
    ['identity', bytes],
    ['br', bytes],
    ['gzip, gzip', gzipSync(gzipSync(bytes))],
    ['gzip', gzipSync(Buffer.alloc(5_000_000, ' '))],
    ['', bytes],
  ])
  const headers = withHeader(request.headers, 'content-encoding', encoding)
  return withKind(request, 'encoding', { headers, body: { is: 'bytes', bytes: encoded } })
}

function mutateCharset(request: Request, { random }: Given): Request | undefined {
  const bytes = bytesOf(request)
  const type = request.operation.body?.mediaType
  if (!bytes || type === undefined) return undefined
  const text = bytes.toString()
  const [charset, encoded] = random.pick<[string, Buffer]>([
    ['utf-16', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['utf-8', Buffer.from(`\ufeff${text}`)],
    ['iso-8859-1', Buffer.from(text, 'latin1')],
    ['utf-7', bytes],
    ['nonsense', bytes],
    ['"utf-8"', bytes],
  ])
  const headers = withHeader(request.headers, 'content-type', `${type}; charset=${charset}`)
  return withKind(request, 'charset', { headers, body: { is: 'bytes', bytes: encoded } })
}

function mutateBytes(request: Request, { random }: Given): Request | undefined {
  const bytes = bytesOf(request)
  if (!bytes) return undefined
  return withKind(request, 'syntax', { body: { is: 'bytes', bytes: broken(bytes, random) } })
}

// The limit of JSON bodies is 4 MiB.
const tooLong = 4 * 1024 * 1024 + 1

function broken(bytes: Buffer, random: Random): Buffer {
  if (random.chance(0.03))
    return random.pick([Buffer.alloc(tooLong, ' '), Buffer.from(`{"a":"${'x'.repeat(tooLong)}"}`)])
  const place = random.integer(0, Math.max(bytes.length - 1, 0))
  return random.pick<() => Buffer>([
    () => Buffer.alloc(0),
    () => bytes.subarray(0, place),
    () => bytes.subarray(place),
    () => Buffer.concat([bytes, bytes]),
    () => Buffer.concat([bytes.subarray(0, place), Buffer.from([random.integer(0, 255)]), bytes.subarray(place + 1)]),
    () => Buffer.concat([bytes.subarray(0, place), Buffer.from([0xff, 0xc0, 0xaf]), bytes.subarray(place)]),
    () => Buffer.concat([bytes.subarray(0, place), Buffer.from([0xed, 0xa0, 0x80]), bytes.subarray(place)]),
    () => Buffer.concat([Buffer.from('  \n\t'), bytes, Buffer.from('\n\n')]),
    () => Buffer.from(bytes.toString().replaceAll('"', "'")),
    () => Buffer.from('null'),
    () => Buffer.from('[]'),
    () => Buffer.from('"text"'),
    () => Buffer.from('{'.repeat(10_000)),
  ])()
}

/** A length that differs from that of the body; the rest is not a request either. */
function mutateLength(request: Request, { random }: Given): Request | undefined {
  const bytes = bytesOf(request)
  if (!bytes || bytes.length < 2) return undefined
  const [name, value] = random.pick([
    ['content-length', '0'],
    ['content-length', String(bytes.length - 1)],
    ['content-length', String(random.integer(1, bytes.length - 1))],
    ['content-length', 'x'],
    ['content-length', '-1'],
    ['content-length', `0${bytes.length}`],
    ['content-length', `${bytes.length}, ${bytes.length}`],
    ['content-length', '99999999999999999999'],
    ['transfer-encoding', 'chunked'],
  ] as [string, string][])
  return withKind(request, 'length', { headers: withHeader(request.headers, name, value), isAlone: true })
}

/** A body for an operation without one. */
function addBody(request: Request, { random }: Given): Request | undefined {
  if (request.body) return undefined
  const type = random.pick([undefined, 'application/json', 'text/plain', 'multipart/form-data; boundary=x'])
  const bytes = Buffer.from(random.pick(['', '{}', '{"a":1}', '{', 'text', '\0']))
  return withKind(request, 'needless body', {
    headers: withHeader(request.headers, 'content-type', type),
    body: { is: 'bytes', bytes },
    isAlone: true,
  })
}
