import {
  describeFault,
  EdiError,
  quoted,
  type Segment,
  type Separators,
  type SyntaxFault,
  startOf,
  tokenize,
  valueAt,
} from './segments.js'

/** Interchanges of UN/EDIFACT: `UNA` `UNB` (`UNH` ... `UNT`)* `UNZ`, with their counts and references. */

export type EdifactMessage = {
  reference: string
  /** Type, version, release, agency: `IFTSTA`, `D`, `00B`, `UN`. */
  type: string[]
  position: number
  /** From UNH to UNT. */
  segments: Segment[]
  fault?: SyntaxFault
}

export type EdifactInterchange = {
  /** Undefined if not even UNB can be read. */
  header: Segment | undefined
  messages: EdifactMessage[]
  warnings: string[]
  /** Why nothing of it is accepted. */
  fault?: SyntaxFault
}

export function* readEdifact(bytes: Uint8Array): Generator<undefined, EdifactInterchange> {
  const read: EdifactInterchange = { header: undefined, messages: [], warnings: [] }
  try {
    yield* readInto(read, bytes)
  } catch (error) {
    if (!(error instanceof EdiError)) throw error
    read.fault = error.fault
  }
  return read
}

// Codes of the data element 0085.
const codes = { tooMany: '35', tooLong: '39', character: '21', unfinished: '13', tag: '18' }
const [mismatch, wrongCount, missing, invalid, misplaced, empty] = ['28', '29', '13', '12', '33', '32']

const charsets: Record<string, string> = {
  // Both are ASCII, but senders put names of people and places in them.
  UNOA: 'iso-8859-1',
  UNOB: 'iso-8859-1',
  UNOC: 'iso-8859-1',
  UNOD: 'iso-8859-2',
  UNOE: 'iso-8859-5',
  UNOF: 'iso-8859-7',
  UNOG: 'iso-8859-3',
  UNOH: 'iso-8859-4',
  UNOI: 'iso-8859-6',
  UNOJ: 'iso-8859-8',
  UNOK: 'iso-8859-9',
  UNOW: 'utf-8',
  UNOY: 'utf-8',
}
function charsetOf(syntax: string): string | undefined {
  return Object.hasOwn(charsets, syntax) ? charsets[syntax] : undefined
}

const decoders = new Map<string, TextDecoder>()

function decoderOf(charset: string): TextDecoder {
  const decoder = decoders.get(charset) ?? new TextDecoder(charset, { fatal: charset === 'utf-8' })
  decoders.set(charset, decoder)
  return decoder
}

function* readInto(read: EdifactInterchange, bytes: Uint8Array): Generator<undefined, void> {
  const { from, separators } = separatorsIn(bytes)
  const segments = yield* tokenize(bytes, {
    from,
    separators,
    tagForm: /^[A-Z][A-Z0-9]{2}$/,
    decoderFor: (first) => decoderOf(charsetOf(first ? valueAt(first, first.tag === '' ? 1 : 0) : '') ?? 'iso-8859-1'),
    codes,
    onFirst(header) {
      if (header.tag !== 'UNB') throw new EdiError(missing, 'must begin with UNB', header.position)
      read.header = header
    },
  })
  const [header, ...rest] = segments
  if (!header) throw new EdiError(missing, 'must begin with UNB', from)
  const syntax = valueAt(header, 0)
  if (charsetOf(syntax) === undefined)
    throw new EdiError('2', `UNB has the unknown character set ${quoted(syntax)}`, header.position, 'UNB')
  if (valueAt(header, 4) === '') throw new EdiError(missing, 'UNB has no control reference', header.position, 'UNB')
  const end = rest.findIndex(({ tag }) => tag === 'UNZ')
  const trailer = rest[end]
  if (!trailer) throw new EdiError(missing, 'has no UNZ: the end is missing', segments.at(-1)?.position ?? from, 'UNZ')
  const after = rest[end + 1]
  if (after)
    throw new EdiError(misplaced, 'has more after UNZ: send each interchange by itself', after.position, after.tag)
  const groups = splitMessages(read, rest.slice(0, end))
  checkTrailer(read, header, trailer, groups)
}

/** Fills in the messages, and returns the number of groups, which old interchanges have. */
function splitMessages(read: EdifactInterchange, segments: Segment[]): number {
  let open: EdifactMessage | undefined
  let group: { header: Segment; messages: number } | undefined
  let groups = 0
  for (const segment of segments) {
    const { tag, position } = segment
    if (open && (tag === 'UNH' || tag === 'UNG' || tag === 'UNE')) {
      open.fault ??= { code: missing, text: `${tag} comes before UNT of the message`, position, tag: 'UNT' }
      open = undefined
    }
    if (tag === 'UNG') {
      groups += 1
      group = { header: segment, messages: 0 }
    } else if (tag === 'UNE') {
      checkGroup(read, group, segment)
      group = undefined
    } else if (tag === 'UNH') {
      open = messageOf(segment)
      read.messages.push(open)
      if (group) group.messages += 1
    } else if (open) {
      open.segments.push(segment)
      if (tag === 'UNT') {
        checkMessage(open, segment)
        open = undefined
      }
    } else throw new EdiError(misplaced, `${tag} is outside of a message`, position, tag)
  }
  if (open) open.fault ??= { code: missing, text: 'the message has no UNT', position: open.position, tag: 'UNT' }
  return groups
}

function messageOf(header: Segment): EdifactMessage {
  const message: EdifactMessage = {
    reference: valueAt(header, 0),
    type: header.elements[1] ?? [],
    position: header.position,
    segments: [header],
  }
  if (message.reference === '' || valueAt(header, 1) === '')
    message.fault = {
      code: missing,
      text: 'UNH must have a reference and a message type',
      position: header.position,
      tag: 'UNH',
    }
  return message
}

function checkMessage(message: EdifactMessage, trailer: Segment): void {
  const { position } = trailer
  const [count, reference] = [valueAt(trailer, 0), valueAt(trailer, 1)]
  const actual = message.segments.length
  if (!isCount(count, actual))
    message.fault ??= {
      code: wrongCount,
      text: `UNT counts ${shown(count)} segments: there are ${actual}`,
      position,
      tag: 'UNT',
    }
  if (reference !== message.reference) {
    const text = `UNT has the reference ${quoted(reference)}, UNH has ${quoted(message.reference)}`
    message.fault ??= { code: mismatch, text, position, tag: 'UNT' }
  }
}

function checkGroup(
  read: EdifactInterchange,
  group: { header: Segment; messages: number } | undefined,
  trailer: Segment,
): void {
  const { position } = trailer
  if (!group) throw new EdiError(misplaced, 'UNE has no UNG', position, 'UNE')
  const count = valueAt(trailer, 0)
  if (!isCount(count, group.messages))
    throw new EdiError(wrongCount, `UNE counts ${shown(count)} messages: there are ${group.messages}`, position, 'UNE')
  const [given, reference] = [valueAt(trailer, 1), valueAt(group.header, 4)]
  if (given !== reference) read.warnings.push(mismatchWarning('UNE', given, 'UNG', reference, position))
}

function checkTrailer(read: EdifactInterchange, header: Segment, trailer: Segment, groups: number): void {
  const { position } = trailer
  const actual = groups || read.messages.length
  const count = valueAt(trailer, 0)
  if (!isCount(count, actual)) {
    const text = `UNZ counts ${shown(count)} ${groups ? 'groups' : 'messages'}: there are ${actual}`
    throw new EdiError(wrongCount, text, position, 'UNZ')
  }
  if (read.messages.length === 0) throw new EdiError(empty, 'has no messages', position, 'UNZ')
  const [given, reference] = [valueAt(trailer, 1), valueAt(header, 4)]
  // Seen in files that are otherwise right: nothing is missing, so it is no reason to refuse.
  if (given !== reference) read.warnings.push(mismatchWarning('UNZ', given, 'UNB', reference, position))
}

function mismatchWarning(tag: string, given: string, other: string, expected: string, position: number): string {
  return describeFault({
    code: mismatch,
    text: `${tag} has the reference ${quoted(given)}, ${other} has ${quoted(expected)}`,
    position,
  })
}

function isCount(text: string, actual: number): boolean {
  return /^\d{1,9}$/.test(text) && Number(text) === actual
}

function shown(count: string): string {
  return /^\d{1,9}$/.test(count) ? String(Number(count)) : quoted(count)
}

function separatorsIn(bytes: Uint8Array): { from: number; separators: Separators } {
  const start = startOf(bytes)
  const tag = String.fromCharCode(...bytes.subarray(start, start + 3))
  if (tag === 'UNB')
    return { from: start, separators: { component: 0x3a, element: 0x2b, release: 0x3f, terminator: 0x27 } }
  if (tag !== 'UNA') throw new EdiError(missing, 'is no EDIFACT interchange: it must begin with UNA or UNB', start)
  const [component, element, , release, , terminator] = bytes.subarray(start + 3, start + 9)
  if (component === undefined || element === undefined || release === undefined || terminator === undefined)
    throw new EdiError(missing, 'ends within UNA', start, 'UNA')
  const used = [component, element, terminator, ...(release === 0x20 ? [] : [release])]
  if (new Set(used).size < used.length || used.some(isUnusable))
    throw new EdiError(invalid, 'UNA names separators that are not distinct', start, 'UNA')
  const separators = { component, element, terminator, release: release === 0x20 ? undefined : release }
  return { from: start + 9, separators }
}

function isUnusable(byte: number): boolean {
  return byte > 0x7e || /[A-Za-z0-9 ]/.test(String.fromCharCode(byte))
}
