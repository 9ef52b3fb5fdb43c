import type { EventCode } from '../../../contract/public/event-codes.js'
import type { EventTime } from '../event-time.js'
import type { DocumentReference, IncomingEvent } from '../incoming-event.js'
import { iftstaMeaning } from './edi-codes.js'
import {
  type Collected,
  closestDocuments,
  codeWhen,
  collect,
  containerOf,
  describeEvent,
  detailsOf,
  documentOf,
  type EdiContext,
  EventFault,
  isFull,
  isOfTransport,
  type Laden,
  meaningOf,
  note,
  warnOfSeparator,
  warnOfZone,
  withoutRepetition,
} from './edi-context.js'
import { edifactTime } from './edi-time.js'
import type { EdifactMessage } from './edifact.js'
import {
  type Call,
  type IftstaPlace,
  isInlandMode,
  placeIn,
  placeOf,
  type Transport,
  transportIn,
} from './iftsta-places.js'
import { quoted, type Segment, valueAt } from './segments.js'

/**
 * Events of an IFTSTA message of any directory. A status (STS) takes what follows it up to the next one; what it does not say
 * itself is taken from its consignment (CNI) or equipment (EQD first, from D.10A on), and then from the head of the message.
 */

type Unit = { number: string; laden: Laden }

type Scope = {
  documents: DocumentReference[]
  /** Containers of EQD, and those of RFF, which count where there is no EQD. */
  units: Unit[]
  referred: string[]
  places: IftstaPlace[]
  dates: Segment[]
  transports: Transport[]
}

type Section = Scope & { isOfEquipment: boolean }
type Status = Scope & { segment: Segment }

const scope = (): Scope => ({ documents: [], units: [], referred: [], places: [], dates: [], transports: [] })

type Reading = {
  collected: Collected
  context: EdiContext
  head: Scope
  section: Section | undefined
  status: Status | undefined
  issuedAt: string | undefined
  isCancelled: boolean
}

/** Reads a step at a time: a message may have thousands of statuses. */
export function* readIftsta(
  { segments }: EdifactMessage,
  context: EdiContext,
  collected: Collected,
): Generator<undefined, void> {
  const reading: Reading = {
    collected,
    context,
    head: scope(),
    section: undefined,
    status: undefined,
    issuedAt: undefined,
    isCancelled: false,
  }
  for (const segment of segments) {
    take(reading, segment)
    if (isFull(collected)) return
    yield
  }
  finishStatus(reading)
}

function take(reading: Reading, segment: Segment): void {
  const { tag } = segment
  const { collected, context } = reading
  const current = reading.status ?? reading.section ?? reading.head
  const transport = current.transports.at(-1)
  switch (tag) {
    case 'BGM':
      reading.isCancelled = valueAt(segment, 2) === '1'
      return
    case 'CNI': {
      finishStatus(reading)
      const reference = documentOf('AAO', valueAt(segment, 1))
      reading.section = { ...scope(), documents: reference ? [reference] : [], isOfEquipment: false }
      return
    }
    case 'STS':
      finishStatus(reading)
      reading.status = { ...scope(), segment }
      return
    case 'EQD':
      takeEquipment(reading, segment)
      return
    case 'RFF': {
      const [qualifier, value] = [valueAt(segment, 0), valueAt(segment, 0, 1)]
      const document = documentOf(qualifier, value)
      if (document) note(current.documents, document)
      const container = qualifier === 'EQ' ? containerOf(collected, value, segment) : undefined
      if (container !== undefined) note(current.referred, container)
      return
    }
    case 'TDT':
      note(current.transports, transportIn(segment))
      return
    case 'LOC': {
      const place = placeIn(segment, context)
      if (transport) note(transport.calls, { ...place, dates: [] })
      else note(current.places, place)
      return
    }
    case 'DTM': {
      if (valueAt(segment, 1) !== '') warnOfSeparator(reading.collected, segment)
      const call = transport?.calls.at(-1)
      note((call ?? current).dates, segment)
      if (current === reading.head && valueAt(segment, 0) === '137')
        reading.issuedAt ??= edifactTime(valueAt(segment, 0, 1), valueAt(segment, 0, 2), undefined)?.date
    }
  }
}

function takeEquipment(reading: Reading, segment: Segment): void {
  const number = containerOf(reading.collected, valueAt(segment, 1), segment)
  const fullness = valueAt(segment, 5)
  const laden = fullness === '4' ? 'empty' : fullness === '5' ? 'laden' : undefined
  const units = number === undefined ? [] : [{ number, laden } as const]
  if (reading.status && !reading.section?.isOfEquipment) {
    note(reading.status.units, ...units)
    return
  }
  finishStatus(reading)
  const { section } = reading
  // Equipment of a consignment that is listed before its first status.
  if (section && !section.isOfEquipment) note(section.units, ...units)
  else reading.section = { ...scope(), units, isOfEquipment: true }
}

function finishStatus(reading: Reading): void {
  const { status } = reading
  reading.status = undefined
  if (!status) return
  collect(reading.collected, status.segment, () => eventsOf(reading, status))
}

function eventsOf(reading: Reading, status: Status): IncomingEvent[] {
  const { collected, context, head, section, issuedAt, isCancelled } = reading
  const { segment } = status
  const code = valueAt(segment, 1)
  if (code === '') throw new EventFault('the status code is missing')
  const [list, agency, text] = [valueAt(segment, 1, 1), valueAt(segment, 1, 2), valueAt(segment, 1, 3)]
  const sourceCode = [code, list, agency].join(':').replace(/:+$/, '').slice(0, 100)
  const levels = [status, ...(section ? [section] : []), head]
  const { containers, laden } = unitsOf(levels)
  const known = iftstaMeaning(code)
  const meaning = meaningOf(collected, context, { format: 'iftsta', code: sourceCode, text }, known)
  const transport = levels.flatMap(({ transports }) => transports.at(0) ?? []).at(0)
  const isReturned = code === '82' && laden === 'empty' && meaning === known
  const ours = isReturned ? 'EMPTY_IN' : codeWhen(laden, meaning.code)
  const place = placeOf(ours, levels, transport)
  const common = {
    sourceId: undefined,
    issuedAt,
    isRetracted: isCancelled,
    containers,
    documents: closestDocuments(levels.map(({ documents }) => documents)),
  }
  const { time, status: statusOfDate } = dateOf([status, ...(section ? [section] : [])], ours, place, transport)
  if (time.zone === 'assumed') warnOfZone(collected, segment)
  const isInland = meaning.isInland === true || isInlandMode(transport, place)
  const event = (given: EventCode): IncomingEvent => ({
    ...common,
    isKept: meaning.isDocument === true,
    sourceCode,
    code: given,
    status: meaning.status ?? statusOfDate,
    ...time,
    description: describeEvent(meaning.text, laden, transport?.name ?? ''),
    place: { unlocode: place?.unlocode, name: place?.name },
    isOfTransport: isOfTransport(given),
    isInland,
    ...detailsOf({ vessel: transport?.vessel, laden, facility: place?.facility, reason: valueAt(segment, 2) }),
    identity: [
      sourceCode,
      given === meaning.also ? given : '',
      laden ?? '',
      place?.unlocode ?? place?.name ?? '',
      statusOfDate,
    ],
  })
  const calls = status.transports.flatMap((each) => each.calls.flatMap((call) => expectedAt(call, each)))
  return withoutRepetition([
    event(ours),
    ...(meaning.also ? [event(meaning.also)] : []),
    ...calls.map((each) => ({ ...common, ...each })),
  ])
}

function unitsOf(levels: Scope[]): { containers: string[]; laden: Laden } {
  for (const { units, referred } of levels) {
    if (units.length > 0) {
      const laden = units.every((unit) => unit.laden === units[0]?.laden) ? units[0]?.laden : undefined
      return { containers: [...new Set(units.map(({ number }) => number))].slice(0, 50), laden }
    }
    if (referred.length > 0) return { containers: [...new Set(referred)].slice(0, 50), laden: undefined }
  }
  return { containers: [], laden: undefined }
}

type Classified = [qualifier: string, status: 'planned' | 'estimated' | 'actual', code?: EventCode]

const arrivals: Classified[] = [
  ['178', 'actual'],
  ['132', 'estimated'],
  ['232', 'planned'],
]
const departures: Classified[] = [
  ['186', 'actual'],
  ['136', 'actual'],
  ['133', 'estimated'],
  ['189', 'planned'],
]
const deliveries: Classified[] = [
  ['35', 'actual'],
  ['17', 'estimated'],
  ['2', 'planned'],
]
const qualifiers: Partial<Record<EventCode, Classified[]>> = {
  ARRIVED: arrivals,
  BERTHED: arrivals,
  DEPARTED: departures,
  PICKED_UP: [['200', 'actual']],
  DELIVERED: deliveries,
  APPOINTMENT: deliveries,
}

/** When the status was, or is expected: its own time first, and then the times that its code is about. */
function dateOf(levels: Scope[], code: EventCode, place: IftstaPlace | undefined, transport: Transport | undefined) {
  const zone = place?.timeZone
  const own: Classified[] = [['334', 'actual'], ...(qualifiers[code] ?? []), ['7', 'actual']]
  const here = transport?.calls.filter(({ unlocode }) => unlocode !== undefined && unlocode === place?.unlocode) ?? []
  const dates = [...levels, ...here].flatMap((each) => each.dates)
  for (const [qualifier, classifier] of own) {
    const found = dates.find((each) => valueAt(each, 0) === qualifier)
    if (found) return { time: timeIn(found, zone), status: classifier }
  }
  throw new EventFault('its time is missing: DTM 334, or one for the status')
}

function timeIn(segment: Segment, zone: string | undefined): EventTime {
  const [value, format] = [valueAt(segment, 0, 1), valueAt(segment, 0, 2)]
  const time = edifactTime(value, format, zone)
  if (time === undefined)
    throw new EventFault(
      `DTM has ${quoted(value)} in format ${quoted(format)}: it is no date (byte ${segment.position})`,
    )
  return time
}

/** What a call of the vessel says beside the status: when it leaves and arrives. */
function expectedAt(
  call: Call,
  transport: Transport,
): Omit<IncomingEvent, 'sourceId' | 'issuedAt' | 'isRetracted' | 'containers' | 'documents'>[] {
  const isDelivery = call.qualifier === '7' || call.qualifier === '20'
  const ofCall: Classified[] = isDelivery
    ? [['132', 'estimated', 'DELIVERED']]
    : [
        ...arrivals.map(([qualifier, status]): Classified => [qualifier, status, 'ARRIVED']),
        ...departures.map(([qualifier, status]): Classified => [qualifier, status, 'DEPARTED']),
      ]
  return ofCall.flatMap(([qualifier, status, code = 'OTHER']) => {
    const found = call.dates.find((each) => valueAt(each, 0) === qualifier)
    if (!found || call.unlocode === undefined) return []
    const text = { ARRIVED: 'Arrival', DEPARTED: 'Departure' }[code as 'ARRIVED' | 'DEPARTED'] ?? 'Delivery'
    // Who leaves the port of discharge goes on by land.
    const isOnward = code === 'DEPARTED' && (call.qualifier === '11' || call.qualifier === '12')
    const isInland = isOnward || (!seaPlaces.has(call.qualifier) && isInlandMode(transport, call))
    return {
      isKept: false,
      sourceCode: `DTM ${qualifier}`,
      code,
      status,
      ...timeIn(found, call.timeZone),
      description: describeEvent(text, undefined, isInland || transport.isInland ? '' : transport.name),
      place: { unlocode: call.unlocode, name: call.name },
      isOfTransport: code !== 'DELIVERED',
      isInland,
      ...detailsOf({ vessel: isInland ? undefined : transport.vessel, facility: call.facility }),
      identity: [`DTM ${qualifier}`, call.unlocode],
    }
  })
}

// Ports of the main leg, also where the status is about a train or truck before or after it.
const seaPlaces = new Set(['9', '11', '12', '13'])
