import { createReadStream } from 'node:fs'

/** Recognises text, as opposed to binary content and to scripts that a browser or a shell would execute. */

type Text = {
  /** Without its byte order mark. */
  beginning: string
  /** The kind of script, if it is one. */
  script: string | undefined
}

const beginningLength = 64 * 1024

/** Undefined unless the whole file is text in UTF-8, UTF-16 with a byte order mark, Latin-1 or Windows-1252. */
export async function readText(path: string, extension: string): Promise<Text | undefined> {
  const isControl = extension === 'edi' ? isControlOtherThanSeparator : isControlCode
  let decodings: Decoding[] | undefined
  // A byte order mark is in the first chunk.
  for await (const bytes of createReadStream(path, { highWaterMark: beginningLength }) as AsyncIterable<Buffer>) {
    decodings = (decodings ?? decodingsOf(bytes, isControl)).filter((each) => each.take(bytes))
    if (decodings.length === 0) return undefined
  }
  const beginning = decodings?.[0]?.beginning() ?? ''
  return { beginning, script: scriptIn(extension === 'eml' ? headersOf(beginning) : beginning) }
}

type Decoding = {
  /** Whether the content is still text with these bytes. */
  take(bytes: Uint8Array): boolean
  beginning(): string
}

// Files called Latin-1 are often Windows-1252, which has printable characters among the C1 controls and leaves five codes
// unassigned.
const unusedInWindows = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])

type IsControl = (code: number) => boolean

function decodingsOf([first, second]: Uint8Array, isControl: IsControl): Decoding[] {
  if (first === 0xff && second === 0xfe) return [decoding('utf-16le', isControl)]
  if (first === 0xfe && second === 0xff) return [decoding('utf-16be', isControl)]
  const isControlInLatin = (code: number) => isControl(code) || unusedInWindows.has(code)
  return [decoding('utf-8', isControl), decodingOfLatin(isControlInLatin)]
}

// A truncated character at the end is accepted.
function decoding(encoding: string, isControl: IsControl): Decoding {
  const decoder = new TextDecoder(encoding, { fatal: true })
  return collecting((bytes) => decoder.decode(bytes, { stream: true }), isControl)
}

// TextDecoder treats latin1 as Windows-1252, as the web does.
function decodingOfLatin(isControl: IsControl): Decoding {
  return collecting((bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'), isControl)
}

function collecting(decode: (bytes: Uint8Array) => string, isControl: IsControl): Decoding {
  let beginning = ''
  return {
    take(bytes) {
      let text: string
      try {
        text = decode(bytes)
      } catch {
        return false
      }
      for (let index = 0; index < text.length; index += 1) if (isControl(text.charCodeAt(index))) return false
      if (beginning.length < beginningLength) beginning += text.slice(0, beginningLength - beginning.length)
      return true
    },
    beginning: () => beginning,
  }
}

// Tabs, line breaks and form feeds are allowed.
function isControlCode(code: number): boolean {
  return (code < 0x20 && (code < 0x09 || code > 0x0d)) || code === 0x7f
}

// EDIFACT and X12 may use the separator control codes.
function isControlOtherThanSeparator(code: number): boolean {
  return isControlCode(code) && !(code >= 0x1c && code <= 0x1f)
}

// A mail may have an HTML body: only its headers are checked.
function headersOf(beginning: string): string {
  return beginning.split(/\r?\n\r?\n/, 1)[0] as string
}

const nearTheStart = 4096

// The first tags that browsers recognise as HTML (MIME Sniffing Standard).
const firstTag = /^<(?:head|iframe|h1|div|font|table|a|style|title|b|body|br|p)[\s>]/i

function scriptIn(text: string): string | undefined {
  if (text.startsWith('#!') || /^\s*<\?php/i.test(text)) return 'a script'
  // Comments are removed first: a long one must not hide the tags.
  const start = text
    .replaceAll(/<!--[^]*?(?:-->|$)/g, '')
    .trimStart()
    .slice(0, nearTheStart)
  const tag = /<(?:[\w-]+:)?(html|svg|script)(?=[\s/>]|$)|<!doctype\s+(html|svg)/i.exec(start)
  if (!tag) return firstTag.test(start) ? 'HTML' : undefined
  return (tag[1] ?? tag[2])?.toLowerCase() === 'svg' ? 'SVG' : 'HTML'
}
