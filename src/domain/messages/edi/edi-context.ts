import type { CodeFormat } from '../../../contract/operator/codes.js'
import type { EventCode } from '../../../contract/public/event-codes.js'
import { isContainerNumber } from '../../shipments/container-number.js'
import { mostEvents } from '../dcsa.js'
import type { DocumentReference, EventDetails, ForeignCode, IncomingEvent, ReadEvent } from '../incoming-event.js'
import { normalReference } from '../references.js'
import { describeFault, type Segment } from './segments.js'

/** What the readers of IFTSTA, 315 and 214 share. */

export type CodeMapping = { code: EventCode; status?: 'planned' | 'estimated' | 'actual' | undefined }

/** A place of the world, as far as it is known. */
export type KnownPlace = { unlocode: string | undefined; timeZone: string | undefined }

export type EdiContext = {
  /** The time zone of a known place. */
  zoneOf(unlocode: string): string | undefined
  /** The time zone of a country that has only one. */
  zoneOfCountry(country: string): string | undefined
  /** A city by its two-letter country and name. */
  cityOf(country: string, name: string): KnownPlace | undefined
  /** The meaning that an operator gave to a code of this sender. */
  mappingOf(format: CodeFormat, code: string): CodeMapping | undefined
}

/** What a code means: ours, at which classifier, and whether it moves by rail, road or barge. */
export type Meaning = {
  code: EventCode
  text: string
  status?: IncomingEvent['status']
  isInland?: boolean
  /** About a document: kept with the message only. */
  isDocument?: boolean
  /** Also says this. */
  also?: EventCode
}

export type Laden = 'laden' | 'empty' | undefined

/** The events of one message, as they are collected. */
export type Collected = { events: ReadEvent[]; warnings: string[]; foreign: ForeignCode[]; faulty: Segment[] }

export class EventFault extends Error {}

/** Adds what `read` returns, or why it cannot be used and where. */
export function collect(collected: Collected, segment: Segment, read: () => IncomingEvent[]): void {
  try {
    collected.events.push(...read().map((event) => ({ event })))
  } catch (error) {
    if (!(error instanceof EventFault)) throw error
    const { position, tag } = segment
    collected.faulty.push(segment)
    collected.events.push({ fault: describeFault({ code: '', text: `${tag}: ${error.message}`, position }) })
  }
}

/** Whether there are more events than a message may have. */
export function isFull({ events }: Collected): boolean {
  return events.length > mostEvents
}

// The standards allow fewer of each. Every status looks through those that it shares with others.
const mostShared = 50

/** Notes what one or several statuses are about. */
export function note<Item>(list: Item[], ...items: Item[]): void {
  if (list.length + items.length <= mostShared) list.push(...items)
}

/** Looks a code up: the operator's mapping for the sender first, then our table. What neither has is OTHER. */
export function meaningOf(
  collected: Collected,
  context: EdiContext,
  given: ForeignCode,
  known: Meaning | undefined,
): Meaning {
  const { format, code, text } = given
  const mapping = context.mappingOf(format, code)
  if (!mapping && known) return known
  collected.foreign.push({ ...given, code: code.slice(0, 100), text: text.slice(0, 200) })
  const shownText = text === '' ? `Status ${code}` : text
  if (mapping) return { ...known, also: undefined, isDocument: false, ...mapping, text: known?.text ?? shownText }
  return { code: 'OTHER', text: shownText }
}

/** The number of a container, with a warning where its check digit is wrong. */
export function containerOf(collected: Collected, text: string, segment: Segment): string | undefined {
  const number = normalReference(text)
  if (number === '' || number.length > 64) return undefined
  if (/^[A-Z]{4}\d{7}$/.test(number) && !isContainerNumber(number))
    collected.warnings.push(
      describeFault({ code: '', text: `container ${number} has a wrong check digit`, position: segment.position }),
    )
  return number
}

/** The offset of a time is data: a `+` in it that is not escaped begins another element, and the offset is lost. */
export function warnOfSeparator(collected: Collected, { tag, position }: Segment): void {
  const text = `${tag} has a "+" in its time that is not escaped: what follows it was left out`
  collected.warnings.push(describeFault({ code: '', text, position }))
}

/** Says that a time without an offset is at a place whose clock is not known. */
export function warnOfZone(collected: Collected, { tag, position }: Segment): void {
  const text = `the time zone of the place of ${tag} is not known: its time is taken as UTC`
  collected.warnings.push(describeFault({ code: '', text, position }))
}

/** A reference by its qualifier; undefined for those that do not identify a shipment. */
export function documentOf(qualifier: string, text: string): DocumentReference | undefined {
  const reference = normalReference(text)
  const kind = Object.hasOwn(referenceKinds, qualifier) ? referenceKinds[qualifier] : undefined
  return kind && reference !== '' && reference.length <= 64 ? { kind, reference } : undefined
}

const referenceKinds: Record<string, DocumentReference['kind']> = {
  BN: 'booking',
  BM: 'bill',
  MB: 'bill',
  BH: 'bill',
  HWB: 'bill',
  AWB: 'bill',
  MWB: 'bill',
  PO: 'order',
  ON: 'order',
  CO: 'order',
  FF: 'any',
  FN: 'any',
  SI: 'any',
  CU: 'any',
  CR: 'any',
  '2I': 'any',
  AAO: 'any',
  ANT: 'any',
}

/** Of each kind, those given closest to the event. */
export function closestDocuments(levels: DocumentReference[][]): DocumentReference[] {
  const found: DocumentReference[] = []
  for (const level of levels) {
    const kinds = new Set(found.map(({ kind }) => kind))
    found.push(...level.filter(({ kind }) => !kinds.has(kind)))
  }
  const distinct = new Map(found.map((each) => [`${each.kind} ${each.reference}`, each]))
  return [...distinct.values()].slice(0, 50)
}

/** Without those that say the same as one before. */
export function withoutRepetition(events: IncomingEvent[]): IncomingEvent[] {
  const seen = new Set<string>()
  return events.filter(({ code, status, place, date, containers }) => {
    const key = JSON.stringify([code, status, place.unlocode ?? place.name, Date.parse(date), containers])
    return !seen.has(key) && seen.add(key)
  })
}

const ofTransport = new Set<EventCode>(['ARRIVED', 'DEPARTED', 'BERTHED'])

/** Details of the vessel, train or truck. */
export function isOfTransport(code: EventCode): boolean {
  return ofTransport.has(code)
}

const onBoard = new Set<EventCode>(['LOADED', 'DISCHARGED', 'DEPARTED', 'ARRIVED', 'BERTHED'])

/** The code for a container that is known to be empty: on board or delivered, it is on another journey than our goods. */
export function codeWhen(laden: Laden, code: EventCode): EventCode {
  if (laden !== 'empty') return code
  if (code === 'GATE_IN') return 'EMPTY_IN'
  if (code === 'GATE_OUT' || code === 'PICKED_UP') return 'EMPTY_OUT'
  return onBoard.has(code) || code === 'DELIVERED' ? 'OTHER' : code
}

export type Vessel = NonNullable<EventDetails['vessel']>

/** The vessel of a transport by its name, IMO number and voyage, as far as they are given. */
export function vesselOf(name: string, imo: string, voyage: string): Vessel | undefined {
  const vessel = {
    ...(name !== '' && { name: name.slice(0, 255) }),
    ...(/^\d{7}$/.test(imo) && { imo }),
    ...(voyage !== '' && { voyage: voyage.slice(0, 255) }),
  }
  return Object.keys(vessel).length > 0 ? vessel : undefined
}

type Stated = { vessel?: Vessel | undefined; laden?: Laden; facility?: string | undefined; reason?: string }

/** What is stored with an event besides its date. */
export function detailsOf({ vessel, laden, facility, reason = '' }: Stated): { details: EventDetails } {
  return {
    details: {
      ...(vessel && { vessel }),
      ...(laden && { laden }),
      ...(facility !== undefined && { facility: facility.slice(0, 100) }),
      ...(reason !== '' && { delay_reason: reason.slice(0, 100) }),
    },
  }
}

/** `Departed (vessel King of the Seas 2103S)`. */
export function describeEvent(text: string, laden: Laden, transport: string): string {
  const detail = transport.trim().slice(0, 100)
  return `${text}${laden === 'empty' && !/empty/i.test(text) ? ', empty' : ''}${detail && ` (${detail})`}`.slice(0, 500)
}
