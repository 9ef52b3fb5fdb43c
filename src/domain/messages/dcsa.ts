import { codeOfEquipment, codeOfTransport, describe, isInland, shortCode } from './dcsa-codes.js'
import { readTime } from './event-time.js'
import type {
  DocumentReference,
  EventDetails,
  FindZone,
  IncomingEvent,
  ReadEvent,
  ReadMessage,
} from './incoming-event.js'
import { normalReference } from './references.js'

/**
 * Reads DCSA Track & Trace by its form, whatever the version says: 2.2 (flat events), the first draft of 3.0 (metadata and
 * payload) and 3.0 (grouped fields, in letters or words); one event, a list, or a list in `events`.
 */

type Json = Record<string, unknown>

export const mostEvents = 5000

export function readDcsa(content: unknown, zoneOf: FindZone): ReadMessage {
  const items = itemsIn(content)
  if (!items) return { fault: 'is no DCSA message: it must be an event, a list of events, or an object with `events`' }
  if (items.length === 0) return { fault: 'has no events' }
  if (items.length > mostEvents) return { fault: `has more than ${mostEvents} events` }
  return { events: items.map((item) => readEvent(item, zoneOf)) }
}

function itemsIn(content: unknown): unknown[] | undefined {
  if (Array.isArray(content)) return content
  if (!isObject(content)) return undefined
  if (Array.isArray(content.events)) return content.events
  return ['eventType', 'metadata', 'eventClassification', 'eventID'].some((name) => name in content)
    ? [content]
    : undefined
}

const groups = [
  'metadata',
  'payload',
  'eventClassification',
  'shipmentDetails',
  'transportDetails',
  'equipmentDetails',
] as const

function readEvent(item: unknown, zoneOf: FindZone): ReadEvent {
  if (!isObject(item)) return { fault: 'must be an object' }
  const fields: Json = { ...item }
  for (const group of groups) if (isObject(item[group])) Object.assign(fields, item[group])
  const sourceId = identityOf(item, fields)
  try {
    return { event: eventOf(fields, sourceId, zoneOf) }
  } catch (error) {
    if (error instanceof Fault) return { fault: error.message, sourceId }
    throw error
  }
}

class Fault extends Error {}

// 3.0: an identifier is unique among the events of its originating party.
function identityOf(item: Json, fields: Json): string | undefined {
  const id = textIn(fields, 'retractedEventID', 'eventID')
  const routing = objectIn(item, 'eventRouting')
  const parties = routing.originatingParties
  const party = Array.isArray(parties) ? (parties[0] as unknown) : routing.originatingParty
  const code = isObject(party) ? textIn(party, 'partyCode') : undefined
  return id !== undefined && code !== undefined ? `${code} ${id}` : id
}

function eventOf(fields: Json, sourceId: string | undefined, zoneOf: FindZone): IncomingEvent {
  if (sourceId !== undefined && sourceId.length > 600) throw new Fault('eventID is longer than 500 characters')
  const call = objectIn(fields, 'transportCall')
  const location = { ...objectIn(call, 'location'), ...objectIn(fields, 'eventLocation') }
  const unlocode = (textIn(location, 'UNLocationCode') ?? textIn(call, 'UNLocationCode'))?.toUpperCase()
  if (unlocode !== undefined && !/^[A-Z]{2}[A-Z0-9]{3}$/.test(unlocode))
    throw new Fault(`UNLocationCode is ${quoted(unlocode)}: it must be a UN/LOCODE of five characters`)
  const zone = unlocode === undefined ? undefined : zoneOf(unlocode)
  const issuedAt = timeIn(fields, zone, 'eventUpdatedDateTime', 'eventCreatedDateTime')
  const references = documentsIn(fields)
  const common = {
    sourceId,
    issuedAt,
    place: { unlocode, name: textIn(location, 'locationName') },
    documents: references.documents,
  }
  if (fields.isRetracted === true || fields.retractedEventID !== undefined) {
    if (sourceId === undefined) throw new Fault('eventID is required in order to retract an event')
    if (issuedAt === undefined) throw new Fault('eventUpdatedDateTime is required in order to retract an event')
    return { ...common, ...nothing, isRetracted: true, containers: references.containers }
  }
  const type = required(fields, 'eventType', 'eventTypeCode')
  const status = statusOf(required(fields, 'eventClassifierCode', 'eventClassifier'))
  const date = timeIn(fields, zone, 'eventDateTime')
  if (date === undefined) throw new Fault('eventDateTime is required')
  const said = { ...common, isRetracted: false, status: status ?? 'planned', date }
  const own = textIn(fields, 'equipmentReference')
  const containers = own === undefined ? references.containers : [normalReference(own)]
  if (!movements.has(type)) {
    if (!others.has(type)) throw new Fault(`eventType is ${quoted(type)}: it is not one of the standard`)
    return { ...nothing, ...said, containers, sourceCode: sourceCodeOf(type, fields) }
  }
  if (status === undefined) return { ...nothing, ...said, containers, sourceCode: type }
  return { ...said, ...movementOf(type, fields, call, location), containers }
}

const movements = new Set(['TRANSPORT', 'EQUIPMENT'])
const others = new Set(['SHIPMENT', 'IOT', 'REEFER', 'OPERATIONS'])

/** What an event without a movement has in its place. */
const nothing = {
  isKept: true,
  sourceCode: '',
  code: 'OTHER',
  status: 'actual',
  date: '',
  description: '',
  containers: [],
  isOfTransport: false,
  isInland: false,
} satisfies Partial<IncomingEvent>

function sourceCodeOf(type: string, fields: Json): string {
  const code = textIn(fields, 'shipmentEventTypeCode', 'shipmentEventType', 'iotEventTypeCode', 'iotEventType') ?? ''
  const document =
    textIn(fields, 'documentTypeCode') ?? textIn(objectIn(fields, 'documentReference'), 'typeCode', 'type') ?? ''
  return [type, code, document].filter((part) => part !== '').join(' ')
}

function movementOf(type: string, fields: Json, call: Json, location: Json) {
  const mode = textIn(call, 'modeOfTransport')?.toUpperCase()
  const facility = (
    textIn(location, 'facilityTypeCode', 'facilityType') ?? textIn(call, 'facilityTypeCode', 'facilityType')
  )?.toUpperCase()
  const isTransport = type === 'TRANSPORT'
  const given = isTransport
    ? required(fields, 'transportEventTypeCode', 'transportEventType')
    : required(fields, 'equipmentEventTypeCode', 'equipmentEventType')
  const sourceCode = shortCode(given)
  const isEmpty = !isTransport && isEmptyIn(fields)
  const phase = phases[textIn(fields, 'transportPhase', 'movementType')?.toUpperCase() ?? '']
  const code = isTransport ? codeOfTransport(sourceCode) : codeOfEquipment(sourceCode, { isEmpty, phase, facility })
  if (code === undefined) {
    const name = isTransport ? 'transportEventTypeCode' : 'equipmentEventTypeCode'
    throw new Fault(`${name} is ${quoted(given)}: it is not one of the standard`)
  }
  const vessel = vesselIn(call)
  const named = [vessel.name, vessel.voyage].filter((part) => part !== undefined).join(' ')
  const description = describe(sourceCode, isEmpty, { mode, name: vessel.name === undefined ? undefined : named })
  return {
    isKept: false,
    sourceCode,
    code,
    description,
    isOfTransport: isTransport,
    isInland: isInland(mode, facility),
    details: detailsIn(fields, call, location, { vessel, isTransport, isEmpty }),
  }
}

const phases: Record<string, 'export' | 'import' | undefined> = { EXPORT: 'export', IMPORT: 'import' }

function isEmptyIn(fields: Json): boolean {
  const given = textIn(fields, 'emptyIndicatorCode', 'emptyIndicator')?.toUpperCase()
  if (given === undefined || given === 'LADEN') return false
  if (given === 'EMPTY') return true
  throw new Fault(`emptyIndicatorCode is ${quoted(given)}: it must be EMPTY or LADEN`)
}

function detailsIn(
  fields: Json,
  call: Json,
  location: Json,
  { vessel, isTransport, isEmpty }: { vessel: Vessel; isTransport: boolean; isEmpty: boolean },
): EventDetails {
  const reasons = fields.delayReasonCodes
  const reason =
    textIn(fields, 'delayReasonCode') ?? (Array.isArray(reasons) ? textIn(reasons as never, '0') : undefined)
  const facility = textIn(location, 'facilityCode') ?? textIn(call, 'facilityCode')
  const remark = textIn(fields, 'changeRemark', 'reason')
  return {
    ...(Object.keys(vessel).length > 0 && { vessel }),
    ...(!isTransport && { laden: isEmpty ? 'empty' : 'laden' }),
    ...(facility !== undefined && { facility: facility.slice(0, 100) }),
    ...(reason !== undefined && { delay_reason: reason.slice(0, 100) }),
    ...(remark !== undefined && { remark: remark.slice(0, 1000) }),
  }
}

type Vessel = NonNullable<EventDetails['vessel']>

function vesselIn(call: Json): Vessel {
  const vessel = { ...objectIn(call, 'vessel'), ...objectIn(call, 'vesselTransport') }
  const voyage =
    textIn(call, 'exportVoyageNumber', 'carrierExportVoyageNumber', 'carrierVoyageNumber') ??
    textIn(objectIn(call, 'exportVoyageNumberOrReference'), 'carrierVoyageNumber')
  const name = textIn(vessel, 'vesselName')
  const imo = textIn(vessel, 'vesselIMONumber')
  return {
    ...(name !== undefined && { name: name.slice(0, 80) }),
    ...(imo !== undefined && { imo: imo.slice(0, 20) }),
    ...(voyage !== undefined && { voyage: voyage.slice(0, 20) }),
  }
}

// Requested times are proposals to a terminal.
function statusOf(classifier: string): IncomingEvent['status'] | undefined {
  const known: Record<string, IncomingEvent['status'] | undefined> = { PLN: 'planned', EST: 'estimated', ACT: 'actual' }
  const short = classifier.toUpperCase().slice(0, 3).replace('PLA', 'PLN')
  if (short !== 'REQ' && known[short] === undefined)
    throw new Fault(`eventClassifierCode is ${quoted(classifier)}: it must be PLN, EST or ACT`)
  return known[short]
}

const lists = [
  'documentReferences',
  'relatedDocumentReferences',
  'additionalDocumentReferences',
  'shipmentReferences',
  'references',
] as const

function documentsIn(fields: Json): { documents: DocumentReference[]; containers: string[] } {
  const documents: DocumentReference[] = []
  const containers: string[] = []
  const add = (type: string, value: string | undefined) => {
    const reference = normalReference(value ?? '')
    if (reference === '' || reference.length > 64) return
    const kind = kindOf(type.toUpperCase())
    if (kind === 'container') containers.push(reference)
    else if (kind) documents.push({ kind, reference })
  }
  for (const item of lists.flatMap((name) => (Array.isArray(fields[name]) ? (fields[name] as unknown[]) : []))) {
    if (!isObject(item)) continue
    const type = textIn(item, 'documentReferenceType', 'referenceType', 'typeCode', 'type') ?? ''
    add(type, textIn(item, 'documentReferenceValue', 'referenceValue', 'value', 'reference'))
  }
  const single = objectIn(fields, 'documentReference')
  add(textIn(single, 'typeCode', 'type') ?? '', textIn(single, 'reference', 'value'))
  add(textIn(fields, 'documentTypeCode') ?? '', textIn(fields, 'documentID', 'documentReference'))
  add('BKG', textIn(fields, 'bookingReference', 'carrierBookingReference'))
  add('TRD', textIn(fields, 'transportDocumentReference'))
  return { documents: documents.slice(0, 50), containers: [...new Set(containers)].slice(0, 50) }
}

// Senders also write "BKG (Booking)".
function kindOf(type: string): DocumentReference['kind'] | 'container' | undefined {
  if (/^(BKG|CBR|BOOKING|CARRIER_BOOKING)/.test(type)) return 'booking'
  if (/^(TRD|TRANSPORT_DOCUMENT|HBL|HOUSE_BILL)/.test(type)) return 'bill'
  if (/^(EQ|EQUIPMENT)/.test(type)) return 'container'
  return /^(FF|FREIGHT_FORWARDER)/.test(type) ? 'any' : undefined
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function objectIn(fields: Json, name: string): Json {
  const value = fields[name]
  return isObject(value) ? value : {}
}

/** The first of the fields that has a text. Characters that cannot be shown are left out. */
function textIn(fields: Json, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = fields[name]
    if (typeof value !== 'string' && typeof value !== 'number') continue
    const text = String(value)
      .toWellFormed()
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trim()
    if (text !== '') return text
  }
  return undefined
}

function required(fields: Json, ...names: string[]): string {
  const text = textIn(fields, ...names)
  if (text === undefined) throw new Fault(`${names[0]} is required`)
  return text.toUpperCase()
}

function timeIn(fields: Json, zone: string | undefined, ...names: string[]): string | undefined {
  for (const name of names) {
    const text = textIn(fields, name)
    if (text === undefined) continue
    const time = readTime(text, zone)
    if (time === undefined) throw new Fault(`${name} is ${quoted(text)}: it must be a date with time and offset`)
    return time
  }
  return undefined
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text)
}
