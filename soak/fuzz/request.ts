import type { Described } from './description.js'
import { writeJson } from './json-text.js'

/** A request before serialization, in parts that can be mutated or left out. */

export type FormPart = { name: string; filename?: string; content: Buffer | string; head?: string }

export type Body =
  | { is: 'json'; value: unknown }
  | { is: 'lines'; lines: unknown[] }
  | { is: 'form'; parts: FormPart[]; isOpenEnded?: boolean }
  | { is: 'bytes'; bytes: Buffer }

/** Sent verbatim; other texts are percent-encoded. */
export type Written = { written: string }
export type Text = string | Written

export type Request = {
  operation: Described
  method: string
  params: Record<string, string>
  /** The whole path, if it is not that of the operation. */
  path?: string
  query: [name: Text, value: Text | undefined][]
  headers: [name: string, value: string][]
  body?: Body
  /** The kinds of its mutations; empty for a valid request. */
  kinds: string[]
  /** Its connection cannot be reused. */
  isAlone?: boolean
}

export type Wire = {
  method: string
  target: string
  headers: [string, string][]
  body: Buffer | undefined
  isAlone: boolean
}

export const boundary = 'a-boundary-of-the-fuzzer'

/** Serializes a request. */
export function writtenRequest(request: Request): Wire {
  const { method, isAlone = false } = request
  const body = request.body && bytesOf(request.body)
  return { method, target: targetOf(request), headers: framed(request.headers, body?.length ?? 0), body, isAlone }
}

const longestLength = 1e15

// A content length beyond the body would only wait for a timeout, which is tested elsewhere.
function framed(headers: Request['headers'], length: number): Request['headers'] {
  return headers.map(([name, value]) => {
    const detail = name === 'content-length' ? Number(value) : 0
    return detail > length && detail < longestLength ? [name, String(length)] : [name, value]
  })
}

export function pathOf({ operation, params, path }: Request): string {
  return path ?? operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(params[name] ?? ''))
}

function targetOf(request: Request): string {
  const pairs = request.query.map(([name, value]) =>
    value === undefined ? text(name) : `${text(name)}=${text(value)}`,
  )
  return pairs.length === 0 ? pathOf(request) : `${pathOf(request)}?${pairs.join('&')}`
}

function text(part: Text): string {
  return typeof part === 'string' ? encoded(part) : part.written
}

// Lone surrogates have no encoding; they are sent as three bytes that are invalid UTF-8.
function encoded(part: string): string {
  return part.isWellFormed() ? encodeURIComponent(part) : Array.from(part, encodedUnit).join('')
}

function encodedUnit(unit: string): string {
  if (unit.isWellFormed()) return encodeURIComponent(unit)
  const code = unit.charCodeAt(0)
  const bytes = [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]
  return bytes.map((byte) => `%${byte.toString(16)}`).join('')
}

function bytesOf(body: Body): Buffer {
  switch (body.is) {
    case 'json':
      return Buffer.from(writeJson(body.value))
    case 'lines':
      return Buffer.from(body.lines.map((line) => `${writeJson(line)}\n`).join(''))
    case 'form':
      return formBytes(body.parts, body.isOpenEnded)
    case 'bytes':
      return body.bytes
  }
}

function formBytes(parts: FormPart[], isOpenEnded = false): Buffer {
  const pieces = parts.flatMap(({ name, filename, content, head }) => [
    Buffer.from(`--${boundary}\r\n${head ?? headOf(name, filename)}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...pieces, Buffer.from(isOpenEnded ? '' : `--${boundary}--\r\n`)])
}

function headOf(name: string, filename: string | undefined): string {
  const disposition = `Content-Disposition: form-data; name="${quotable(name)}"`
  if (filename === undefined) return disposition
  return `${disposition}; filename="${quotable(filename)}"\r\nContent-Type: application/octet-stream`
}

// Escaped as browsers do in forms.
function quotable(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

/** The value of a request header. */
export function headerOf({ headers }: Pick<Request, 'headers'>, name: string): string | undefined {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1]
}
