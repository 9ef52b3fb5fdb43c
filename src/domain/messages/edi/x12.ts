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

/** Interchanges of ANSI X12: `ISA` (`GS` (`ST` ... `SE`)* `GE`)* `IEA`, with their counts and control numbers. */

export type TransactionSet = {
  /** Such as `315`. */
  type: string
  control: string
  position: number
  /** From ST to SE. */
  segments: Segment[]
  /** Its code is one of AK5 (element 718). */
  fault?: SyntaxFault
}

export type FunctionalGroup = {
  header: Segment
  sets: TransactionSet[]
  /** Its code is one of AK9 (element 716). */
  fault?: SyntaxFault
}

export type X12Interchange = {
  header: Segment | undefined
  separators: Separators | undefined
  groups: FunctionalGroup[]
  warnings: string[]
  /** Why nothing of it is accepted. Its code is one of TA1 (element I18). */
  fault?: SyntaxFault
}

export function* readX12(bytes: Uint8Array): Generator<undefined, X12Interchange> {
  const read: X12Interchange = { header: undefined, separators: undefined, groups: [], warnings: [] }
  try {
    yield* readInto(read, bytes)
  } catch (error) {
    if (!(error instanceof EdiError)) throw error
    read.fault = error.fault
  }
  return read
}

const invalidStructure = '022'
const codes = {
  tooMany: invalidStructure,
  tooLong: invalidStructure,
  character: invalidStructure,
  unfinished: '023',
  tag: invalidStructure,
}

// X12 does not say: UTF-8 where it is, or else Latin-1.
const utf8 = new TextDecoder('utf-8', { fatal: true })
const latin1 = new TextDecoder('iso-8859-1')

function charsetOf(bytes: Uint8Array): TextDecoder {
  try {
    utf8.decode(bytes)
    return utf8
  } catch {
    return latin1
  }
}

function* readInto(read: X12Interchange, bytes: Uint8Array): Generator<undefined, void> {
  const from = startOf(bytes)
  const { separators, length } = separatorsIn(bytes, from)
  read.separators = separators
  if (length !== 106) read.warnings.push(`ISA has ${length} bytes instead of 106 (byte ${from})`)
  const decoder = charsetOf(bytes)
  const segments = yield* tokenize(bytes, {
    from,
    separators,
    tagForm: /^[A-Z][A-Z0-9]{1,2}$/,
    decoderFor: () => decoder,
    codes,
    onFirst(header) {
      read.header = header
    },
  })
  const [header, ...rest] = segments as [Segment, ...Segment[]]
  const end = rest.findIndex(({ tag }) => tag === 'IEA')
  const trailer = rest[end]
  if (!trailer) throw new EdiError('023', 'has no IEA: the end is missing', segments.at(-1)?.position ?? from, 'IEA')
  const after = rest[end + 1]
  if (after)
    throw new EdiError(
      invalidStructure,
      'has more after IEA: send each interchange by itself',
      after.position,
      after.tag,
    )
  splitGroups(read, rest.slice(0, end))
  const { position } = trailer
  if (!isCount(valueAt(trailer, 0), read.groups.length)) {
    const text = `IEA counts ${shown(valueAt(trailer, 0))} groups: there are ${read.groups.length}`
    throw new EdiError('021', text, position, 'IEA')
  }
  if (read.groups.length === 0) throw new EdiError('024', 'has no functional group', position, 'IEA')
  if (!isSameControl(valueAt(trailer, 1), valueAt(header, 12))) {
    const text = `IEA has the control number ${quoted(valueAt(trailer, 1))}, ISA has ${quoted(valueAt(header, 12))}`
    read.warnings.push(describeFault({ code: '001', text, position }))
  }
}

function splitGroups(read: X12Interchange, segments: Segment[]): void {
  let group: FunctionalGroup | undefined
  let open: TransactionSet | undefined
  for (const segment of segments) {
    const { tag, position } = segment
    if (open && (tag === 'ST' || tag === 'GE' || tag === 'GS')) {
      open.fault ??= { code: '2', text: `${tag} comes before SE of the transaction set`, position, tag: 'SE' }
      open = undefined
    }
    if (tag === 'GS') {
      if (group) group.fault ??= { code: '3', text: 'GS comes before GE of the group before', position, tag: 'GE' }
      group = { header: segment, sets: [] }
      read.groups.push(group)
    } else if (tag === 'GE' && group) {
      checkGroup(group, segment)
      group = undefined
    } else if (tag === 'ST' && group) {
      open = { type: valueAt(segment, 0), control: valueAt(segment, 1), position, segments: [segment] }
      if (open.control === '') open.fault = { code: '7', text: 'ST has no control number', position, tag: 'ST' }
      group.sets.push(open)
    } else if (open) {
      open.segments.push(segment)
      if (tag === 'SE') {
        checkSet(open, segment)
        open = undefined
      }
    } else if (tag !== 'TA1' || group) {
      const place = group ? 'a transaction set' : 'a functional group'
      throw new EdiError(invalidStructure, `${tag} is outside of ${place}`, position, tag)
    }
  }
  if (open) open.fault ??= { code: '2', text: 'the transaction set has no SE', position: open.position, tag: 'SE' }
  if (group) group.fault ??= { code: '3', text: 'the group has no GE', position: group.header.position, tag: 'GE' }
}

function checkSet(set: TransactionSet, trailer: Segment): void {
  const { position } = trailer
  const [count, control] = [valueAt(trailer, 0), valueAt(trailer, 1)]
  const actual = set.segments.length
  if (!isCount(count, actual))
    set.fault ??= { code: '4', text: `SE counts ${shown(count)} segments: there are ${actual}`, position, tag: 'SE' }
  if (!isSameControl(control, set.control)) {
    const text = `SE has the control number ${quoted(control)}, ST has ${quoted(set.control)}`
    set.fault ??= { code: '3', text, position, tag: 'SE' }
  }
}

function checkGroup(group: FunctionalGroup, trailer: Segment): void {
  const { position } = trailer
  const [count, control, expected] = [valueAt(trailer, 0), valueAt(trailer, 1), valueAt(group.header, 5)]
  const actual = group.sets.length
  if (!isCount(count, actual))
    group.fault ??= {
      code: '5',
      text: `GE counts ${shown(count)} transaction sets: there are ${actual}`,
      position,
      tag: 'GE',
    }
  if (!isSameControl(control, expected)) {
    const text = `GE has the control number ${quoted(control)}, GS has ${quoted(expected)}`
    group.fault ??= { code: '4', text, position, tag: 'GE' }
  }
}

function isCount(text: string, actual: number): boolean {
  return /^\d{1,9}$/.test(text) && Number(text) === actual
}

// Some systems write them as numbers, without the zeros in front.
function isSameControl(one: string, other: string): boolean {
  return one === other || (/^\d{1,9}$/.test(one) && /^\d{1,9}$/.test(other) && Number(one) === Number(other))
}

function shown(count: string): string {
  return /^\d{1,9}$/.test(count) ? String(Number(count)) : quoted(count)
}

const longestHeader = 512

/** ISA names the separators by their place: after its tag, and after its 16 elements. Some files lack the padding. */
function separatorsIn(bytes: Uint8Array, from: number): { separators: Separators; length: number } {
  if (String.fromCharCode(...bytes.subarray(from, from + 3)) !== 'ISA')
    throw new EdiError(invalidStructure, 'is no X12 interchange: it must begin with ISA', from)
  const element = bytes[from + 3]
  if (element === undefined) throw new EdiError('023', 'ends within ISA', from, 'ISA')
  let at = from + 3
  const end = Math.min(bytes.length, from + longestHeader)
  for (let elements = 0; at < end; at++) {
    if (bytes[at] === element) elements += 1
    if (elements === 16) break
  }
  const [component, terminator] = [bytes[at + 1], bytes[at + 2]]
  if (at >= end || component === undefined || terminator === undefined)
    throw new EdiError('023', 'has no ISA of 16 elements', from, 'ISA')
  const used = [element, component, terminator]
  if (
    new Set(used).size < used.length ||
    used.some((byte) => byte > 0x7e || /[A-Za-z0-9 ]/.test(String.fromCharCode(byte)))
  )
    throw new EdiError(invalidStructure, 'ISA names separators that are not distinct', from, 'ISA')
  return { separators: { element, component, terminator, release: undefined }, length: at + 3 - from }
}
