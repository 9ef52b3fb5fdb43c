import type { Collected, EdiContext } from './edi-context.js'
import { type EdifactMessage, readEdifact } from './edifact.js'
import { type Segment, type SyntaxFault, valueAt } from './segments.js'
import { type FunctionalGroup, readX12, type TransactionSet } from './x12.js'
import { read214 } from './x12-214.js'
import { read315 } from './x12-315.js'

/** Acknowledgements of interchanges: CONTRL for EDIFACT, 997 or 999 for X12. They follow from the bytes alone. */

type Ours = { /** Unique among ours. */ number: number; at: Date }

/** Undefined if it is no interchange that can be answered: its header is unreadable, or it is an acknowledgement itself. */
export function* contrlFor(bytes: Uint8Array, { number, at }: Ours): Generator<undefined, string | undefined> {
  const { header, messages, fault } = yield* readEdifact(bytes)
  if (!header) return undefined
  const answered = messages.filter(({ type }) => type[0] !== 'CONTRL')
  if (!fault && answered.length === 0) return undefined
  const [sender, recipient] = [header.elements[1] ?? [], header.elements[2] ?? []]
  const time = stamp(at)
  const body = [
    ['UNH', '1', ['CONTRL', 'D', '3', 'UN']],
    ['UCI', valueAt(header, 4), sender, recipient, ...(fault ? refusal(fault) : ['7'])],
    ...(fault ? [] : answered.map((message) => ['UCM', message.reference, message.type, ...actionOn(message)])),
  ]
  const reference = String(number)
  const segments = [
    ['UNB', ['UNOC', '3'], recipient, sender, [time.slice(2, 8), time.slice(8, 12)], reference],
    ...body,
    ['UNT', String(body.length + 1), '1'],
    ['UNZ', '1', reference],
  ]
  return segments.map((segment) => `${segment.map(edifactElement).join('+')}'\r\n`).join('')
}

function actionOn({ type, fault }: EdifactMessage): string[] {
  if (fault) return refusal(fault)
  return type[0] === 'IFTSTA' ? ['7'] : ['4', '14', 'UNH']
}

/** Refused, with the code of the fault and the service segment that it is in. */
function refusal({ code, tag }: SyntaxFault): string[] {
  const isService = tag?.startsWith('UN') === true
  return ['4', code, ...(isService ? [tag] : [])]
}

function edifactElement(element: string | string[]): string {
  return [element]
    .flat()
    .map((text) => plain(text).replaceAll(/[?+:']/g, '?$&'))
    .join(':')
    .replace(/:+$/, '')
}

function plain(text: string): string {
  return text.replaceAll(/[^ -~]/g, ' ').slice(0, 70)
}

/** CCYYMMDDHHMM in UTC. */
function stamp(at: Date): string {
  return at
    .toISOString()
    .replaceAll(/[^0-9]/g, '')
    .slice(0, 12)
}

export type X12AcknowledgementType = '997' | '999'

/** Without a type: 999 where the group follows an implementation guide of 005010 (`005010X...`), or else 997. */
export function* functionalAcknowledgementFor(
  bytes: Uint8Array,
  { number, at }: Ours,
  type?: X12AcknowledgementType,
): Generator<undefined, string | undefined> {
  const { header, groups, fault, warnings } = yield* readX12(bytes)
  if (!header) return undefined
  const answered = fault ? [] : groups.filter((group) => valueAt(group.header, 0) !== 'FA')
  const isAsked = valueAt(header, 13) === '1'
  if (!fault && answered.length === 0) return undefined
  const hasMismatch = warnings.some((warning) => warning.startsWith('IEA'))
  const time = stamp(at)
  const control = String(number % 1_000_000_000).padStart(9, '0')
  const [day, clock] = [time.slice(0, 8), time.slice(8)]
  const received = [valueAt(header, 12), valueAt(header, 8), valueAt(header, 9)]
  const noted = fault ? ['R', fault.code] : hasMismatch ? ['E', '001'] : ['A', '000']
  const bodies: string[][][] = []
  for (const [index, group] of answered.entries()) bodies.push(yield* groupFor(group, index + 1, [day, clock], type))
  const segments: string[][] = [
    isaOf(header, day, clock, control),
    ...(fault || isAsked || hasMismatch ? [['TA1', ...received, ...noted]] : []),
    ...bodies.flat(),
    ['IEA', String(answered.length), control],
  ]
  return segments.map((segment) => `${segment.map(x12Element).join('*')}~\n`).join('')
}

function isaOf(header: Segment, day: string, clock: string, control: string): string[] {
  const id = (element: number) => valueAt(header, element).slice(0, 15).padEnd(15)
  const version = valueAt(header, 11)
  const none = ' '.repeat(10)
  const receiver = [valueAt(header, 6), id(7), valueAt(header, 4), id(5)]
  const repetition = version > '00401' ? '^' : 'U'
  return [
    'ISA',
    '00',
    none,
    '00',
    none,
    ...receiver,
    day.slice(2),
    clock,
    repetition,
    version,
    control,
    '0',
    valueAt(header, 14),
    '>',
  ]
}

function* groupFor(
  group: FunctionalGroup,
  number: number,
  time: [string, string],
  type: X12AcknowledgementType | undefined,
): Generator<undefined, string[][]> {
  const { header, sets, fault } = group
  const version = valueAt(header, 7)
  const as = type ?? (version.startsWith('005010X') ? '999' : '997')
  const guide = '005010X231A1'
  const results: (Check & { set: TransactionSet })[] = []
  for (const set of sets) {
    results.push({ set, ...(yield* checkOf(set)) })
    yield
  }
  const accepted = fault ? 0 : results.filter(({ status }) => status !== 'R').length
  const noted = results.some(({ status }) => status === 'E')
  const status = accepted === 0 ? 'R' : accepted < sets.length ? 'P' : noted ? 'E' : 'A'
  const body: string[][] = [
    ['ST', as, '0001', ...(as === '999' ? [guide] : [])],
    ['AK1', valueAt(header, 0), valueAt(header, 5), ...(as === '999' ? [version] : [])],
    ...results.flatMap(({ set, status: each, codes, places }) => [
      ['AK2', set.type, set.control],
      ...places.map(([tag, index]) => [as === '999' ? 'IK3' : 'AK3', tag, String(index), '', '8']),
      [as === '999' ? 'IK5' : 'AK5', each, ...codes],
    ]),
    ['AK9', status, String(sets.length), String(sets.length), String(accepted), ...(fault ? [fault.code] : [])],
  ]
  const envelope = ['FA', valueAt(header, 2), valueAt(header, 1), ...time, String(number), 'X']
  return [
    ['GS', ...envelope, as === '999' ? guide : version],
    ...body,
    ['SE', String(body.length + 1), '0001'],
    ['GE', '1', String(number)],
  ]
}

type Check = { status: 'A' | 'E' | 'R'; codes: string[]; places: [tag: string, index: number][] }

// Acknowledgements are about the form: what a code or a place means does not matter.
const anywhere: EdiContext = {
  zoneOf: () => undefined,
  zoneOfCountry: () => undefined,
  cityOf: () => undefined,
  mappingOf: () => undefined,
}

function* checkOf(set: TransactionSet): Generator<undefined, Check> {
  if (set.fault) return { status: 'R', codes: [set.fault.code], places: [] }
  const collected: Collected = { events: [], warnings: [], foreign: [], faulty: [] }
  if (set.type === '315') read315(set, undefined, anywhere, collected)
  else if (set.type === '214') yield* read214(set, undefined, anywhere, collected)
  else return { status: 'R', codes: ['1'], places: [] }
  const faults = collected.events.filter((each) => 'fault' in each).length
  if (faults === 0) return { status: 'A', codes: [], places: [] }
  const indexes = new Map(set.segments.map((segment, index) => [segment, index + 1]))
  const places = collected.faulty.slice(0, 100).map((each): [string, number] => [each.tag, indexes.get(each) ?? 1])
  return { status: faults < collected.events.length ? 'E' : 'R', codes: ['5'], places }
}

function x12Element(text: string): string {
  return plain(text).replaceAll(/[*~]/g, ' ')
}
