/** What EDIFACT and X12 have in common: segments of elements of components, and faults that say where they are. */

/** `elements[2][0]` is the first component of the third element after the tag. Absent ones are empty or missing. */
export type Segment = {
  tag: string
  /** The byte at which it begins, from 0. */
  position: number
  elements: string[][]
}

/** Input from outside is bounded; no real interchange comes near. */
export const limits = { segments: 50_000, elements: 100, components: 30, elementBytes: 4096, values: 250_000 }

/** Why an interchange, or a message of it, cannot be accepted. `code` is that of the acknowledgement. */
export type SyntaxFault = { code: string; text: string; position: number; tag?: string | undefined }

export class EdiError extends Error {
  readonly fault: SyntaxFault

  constructor(code: string, text: string, position: number, tag?: string) {
    super(text)
    this.fault = { code, text, position, tag }
  }
}

/** `UNT counts 3 segments: there are 4 (byte 210)`. */
export function describeFault({ text, position }: SyntaxFault): string {
  return `${text} (byte ${position})`
}

export function valueAt({ elements }: Segment, element: number, component = 0): string {
  return elements[element]?.[component]?.trim() ?? ''
}

/** Text of others in a message of ours: short, and in quotes. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text)
}

function isBlank(code: number): boolean {
  return code <= 0x20
}

/** The position after a byte order mark and blanks. */
export function startOf(bytes: Uint8Array): number {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  while (at < bytes.length && isBlank(bytes[at] as number)) at++
  return at
}

// One character for each byte, so that positions in the text are positions in the bytes.
const bytewise = new TextDecoder('windows-1252')

export type Separators = {
  element: number
  component: number
  terminator: number
  /** Takes the meaning from the separator that follows; undefined: there is none. */
  release: number | undefined
}

type Options = {
  from: number
  separators: Separators
  tagForm: RegExp
  /** How to decode text that is not ASCII; asked at each segment that has any. */
  decoderFor(first: Segment | undefined): TextDecoder
  /** Called with the header, which is known also if a later segment is wrong: who sent it can be answered. */
  onFirst(header: Segment): void
  codes: { tooMany: string; tooLong: string; character: string; unfinished: string; tag: string }
}

/** Splits an interchange into segments, in one pass: a segment a step. */
export function* tokenize(
  bytes: Uint8Array,
  { from, separators, tagForm, decoderFor, codes, onFirst }: Options,
): Generator<undefined, Segment[]> {
  const text = bytewise.decode(bytes)
  const { element, component, terminator, release } = separators
  const segments: Segment[] = []
  let values = 0
  let at = skipBlanks(text, from, terminator)
  while (at < text.length) {
    if (segments.length >= limits.segments)
      throw new EdiError(codes.tooMany, `has more than ${limits.segments} segments`, at)
    const position = at
    const elements: string[][] = []
    let components: string[] = []
    let start = at
    let [isEscaped, isPlain] = [false, true]
    let isOpen = true
    while (isOpen) {
      if (at >= text.length)
        throw new EdiError(codes.unfinished, 'ends within a segment: its terminator is missing', position)
      const code = text.charCodeAt(at)
      if (code === release) {
        isEscaped = true
        values += 1
        at += 2
        continue
      }
      if (code !== component && code !== element && code !== terminator) {
        if (code < 0x20 || code > 0x7e) isPlain = false
        at += 1
        continue
      }
      if (at - start > limits.elementBytes)
        throw new EdiError(codes.tooLong, `has an element of more than ${limits.elementBytes} bytes`, start)
      let value = text.slice(start, at)
      if (!isPlain) value = cleaned(bytes, start, at, decoderFor(segments[0] ?? { tag: '', position, elements }), codes)
      components.push(isEscaped ? unescape(value, release as number) : value)
      values += 1
      if (values > limits.values) throw new EdiError(codes.tooMany, `has more than ${limits.values} values`, position)
      if (components.length > limits.components)
        throw new EdiError(codes.tooMany, `has an element of more than ${limits.components} components`, position)
      if (code !== component) {
        elements.push(components)
        components = []
        if (elements.length > limits.elements)
          throw new EdiError(codes.tooMany, `has a segment of more than ${limits.elements} elements`, position)
      }
      isOpen = code !== terminator
      at += 1
      start = at
      isEscaped = false
      isPlain = true
    }
    const tag = elements.shift()?.[0] ?? ''
    if (!tagForm.test(tag)) throw new EdiError(codes.tag, `has a segment without a valid tag: ${quoted(tag)}`, position)
    const segment = { tag, position, elements }
    if (segments.length === 0) onFirst(segment)
    segments.push(segment)
    yield
    at = skipBlanks(text, at, terminator)
  }
  return segments
}

// A line break may be the terminator itself.
function skipBlanks(text: string, from: number, terminator: number): number {
  let at = from
  while (at < text.length && isBlank(text.charCodeAt(at)) && text.charCodeAt(at) !== terminator) at++
  return at
}

function cleaned(bytes: Uint8Array, start: number, end: number, decoder: TextDecoder, codes: Options['codes']): string {
  try {
    // Lines that are wrapped within a segment: breaks are no part of the data.
    return decoder
      .decode(bytes.subarray(start, end))
      .replaceAll(/[\r\n]+/g, '')
      .replaceAll(/\p{Cc}+/gu, ' ')
  } catch {
    throw new EdiError(codes.character, 'has characters that its character set does not have', start)
  }
}

function unescape(value: string, release: number): string {
  let result = ''
  let start = 0
  for (let at = 0; at < value.length; at++) {
    if (value.charCodeAt(at) !== release) continue
    result += value.slice(start, at)
    start = at + 1
    at += 1
  }
  return result + value.slice(start)
}
