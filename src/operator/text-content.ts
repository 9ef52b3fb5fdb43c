import { createReadStream } from 'node:fs'

/** Text as people send it, told from bytes that are none, and from what a browser or a shell would run. */

type Text = {
  /** Without its byte order mark. */
  beginning: string
  /** What would run it, if anything would. */
  script: string | undefined
}

const beginningLength = 64 * 1024

/** Reads all of it; undefined if it is not text in UTF-8, in UTF-16 with its mark, in Latin-1 or Windows-1252. */
export async function readText(content: string | Uint8Array, extension: string): Promise<Text | undefined> {
  const isControl = extension === 'edi' ? isControlBesideSeparators : isControlCode
  let candidates: Decoding[] | undefined
  for await (const bytes of chunksOf(content)) {
    candidates = (candidates ?? decodingsOf(bytes, isControl)).filter((candidate) => candidate.take(bytes))
    if (candidates.length === 0) return undefined
  }
  const beginning = candidates?.[0]?.beginning() ?? ''
  return { beginning, script: scriptIn(extension === 'eml' ? headersOf(beginning) : beginning) }
}

// The marks that tell an encoding are two bytes long: the first chunk of a file has them if the file does.
async function* chunksOf(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  if (typeof content !== 'string') yield content
  else yield* createReadStream(content, { highWaterMark: beginningLength }) as AsyncIterable<Buffer>
}

type Decoding = {
  /** Whether it is still text with these bytes. */
  take(bytes: Uint8Array): boolean
  beginning(): string
}

// What spreadsheets in the West call Latin-1 is Windows-1252, which has the euro sign among its controls and leaves
// five codes out.
const unusedInWindows = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])

type IsControl = (code: number) => boolean

function decodingsOf([first, second]: Uint8Array, isControl: IsControl): Decoding[] {
  if (first === 0xff && second === 0xfe) return [decoding('utf-16le', isControl)]
  if (first === 0xfe && second === 0xff) return [decoding('utf-16be', isControl)]
  const isControlInLatin = (code: number) => isControl(code) || unusedInWindows.has(code)
  return [decoding('utf-8', isControl), decodingOfLatin(isControlInLatin)]
}

// A character that is cut off at the end is let pass: the content may be the beginning of a longer one.
function decoding(encoding: string, isControl: IsControl): Decoding {
  const decoder = new TextDecoder(encoding, { fatal: true })
  return collecting((bytes) => decoder.decode(bytes, { stream: true }), isControl)
}

// A decoder called latin1 would read Windows-1252, as on the web.
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

// Tabulators, line ends and form feeds are what text is laid out with.
function isControlCode(code: number): boolean {
  return (code < 0x20 && (code < 0x09 || code > 0x0d)) || code === 0x7f
}

// EDIFACT and X12 may separate their segments by the codes that are made for it.
function isControlBesideSeparators(code: number): boolean {
  return isControlCode(code) && !(code >= 0x1c && code <= 0x1f)
}

// A mail may have a body in HTML: it is a mail by its head.
function headersOf(beginning: string): string {
  return beginning.split(/\r?\n\r?\n/, 1)[0] as string
}

const nearTheStart = 4096

// What browsers take for HTML by its first tag, as the MIME Sniffing Standard lists it.
const firstTag = /^<(?:head|iframe|h1|div|font|table|a|style|title|b|body|br|p)[\s>]/i

function scriptIn(text: string): string | undefined {
  if (text.startsWith('#!') || /^\s*<\?php/i.test(text)) return 'a script'
  // A long comment must not push the rest out of sight.
  const start = text
    .replaceAll(/<!--[^]*?(?:-->|$)/g, '')
    .trimStart()
    .slice(0, nearTheStart)
  const tag = /<(?:[\w-]+:)?(html|svg|script)(?=[\s/>]|$)|<!doctype\s+(html|svg)/i.exec(start)
  if (!tag) return firstTag.test(start) ? 'HTML' : undefined
  return (tag[1] ?? tag[2])?.toLowerCase() === 'svg' ? 'SVG' : 'HTML'
}
