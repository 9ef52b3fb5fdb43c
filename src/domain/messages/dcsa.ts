import { codeOfEquipment, codeOfTransport, describe, isInland, placeOfFacility, shortCode } from './dcsa-codes.js'
import { documentIn, documentsIn, refuseIncompleteStatus, refuseUnknownStatus } from './dcsa-documents.js'
import { DcsaFault, flagIn, isObject, type Json, objectIn, quoted, required, textIn, timeIn } from './dcsa-fields.js'
import { readTime } from './event-time.js'
import type { EventDetails, FindZone, FoundItems, IncomingEvent, ReadEvent } from './incoming-event.js'
import { normalReference } from './references.js'

/**
 * Reads DCSA Track & Trace by its form, whatever the version says: 2.2 (flat events), the first draft of 3.0 (metadata and
 * payload) and 3.0 (grouped fields, in letters or words); one event, a list, or a list in `events`.
 */

export const mostEvents = 5000

/** The events of a message, to be read one by one. */
export function dcsaItems(content: unknown): FoundItems {
  const items = itemsIn(content)
  if (!items) return { fault: 'is no DCSA message: it must be an event, a list of events, or an object with `events`' }
  if (items.length === 0) return { fault: 'has no events' }
  if (items.length > mostEvents) return { fault: `has more than ${mostEvents} events` }
  return { items }
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

export function readDcsaEvent(item: unknown, zoneOf: FindZone): ReadEvent {
  if (!isObject(item)) return { fault: 'must be an object' }
  const fields: Json = { ...item }
  let sourceId: string | undefined
  try {
    for (const group of groups) Object.assign(fields, isObject(item[group]) ? item[group] : {})
    const identity = identityOf(item, fields)
    sourceId = identity.sourceId
    if (isRetraction(fields)) return { event: { ...retractionOf(fields), ...identity } }
    for (const group of [...groups, 'eventRouting']) objectIn(item, group)
    // 2.2 has no groups.
    if (!('metadata' in item) && !('eventClassification' in item)) refuseIncomplete(fields)
    return { event: { ...eventOf(fields, zoneOf), ...identity } }
  } catch (error) {
    if (error instanceof DcsaFault) return { fault: error.message, ...(sourceId !== undefined && { sourceId }) }
    throw error
  }
}

/** What 2.2 requires of a movement. Older senders name the call by its identifier alone. */
function refuseIncomplete(fields: Json): void {
  const type = textIn(fields, 'eventType', 'eventTypeCode')?.toUpperCase() ?? ''
  if (type === 'SHIPMENT') return refuseIncompleteStatus(fields)
  if (!movements.has(type)) return
  required(fields, 'eventCreatedDateTime')
  if (type === 'EQUIPMENT') required(fields, 'emptyIndicatorCode')
  else if (['transportCall', 'transportCallID', 'eventLocation'].every((name) => (fields[name] ?? null) === null))
    throw new DcsaFault('transportCall is required')
}

type Identity = Pick<IncomingEvent, 'sourceId' | 'unroutedId'>

// 3.0: an identifier is unique among the events of its originating party.
function identityOf(item: Json, fields: Json): Identity {
  for (const name of ['retractedEventID', 'eventID'])
    if (isObject(fields[name])) throw new DcsaFault(`${name} must be a text`)
  const id = textIn(fields, 'retractedEventID', 'eventID')
  const routing = isObject(item.eventRouting) ? item.eventRouting : {}
  const parties = routing.originatingParties
  const party = Array.isArray(parties) ? (parties[0] as unknown) : routing.originatingParty
  const code = isObject(party) ? textIn(party, 'partyCode') : undefined
  if (id === undefined || code === undefined) return { sourceId: id }
  return { sourceId: `${code.slice(0, 90)} ${id}`, unroutedId: id }
}

function isRetraction(fields: Json): boolean {
  return flagIn(fields, 'isRetracted') || (fields.retractedEventID ?? null) !== null
}

/** Nothing but the identifier matters. One without a time was issued when it came. */
function retractionOf(fields: Json): IncomingEvent {
  const id = textIn(fields, 'retractedEventID', 'eventID')
  if (id === undefined) throw new DcsaFault('eventID is required in order to retract an event')
  refuseLong(id)
  const issued = textIn(fields, 'eventUpdatedDateTime') ?? textIn(fields, 'eventCreatedDateTime')
  const time = issued === undefined ? undefined : readTime(issued, undefined)
  // Without an offset it is of a clock that is not known here.
  const issuedAt = time?.zone === 'given' ? time.date : undefined
  return { ...nothing, ...documentsIn(fields), sourceId: id, issuedAt, isRetracted: true, place: {} }
}

function refuseLong(id: string | undefined): void {
  if (id !== undefined && id.length > 500) throw new DcsaFault('eventID is longer than 500 characters')
}

function eventOf(fields: Json, zoneOf: FindZone): IncomingEvent {
  refuseLong(textIn(fields, 'eventID'))
  const call = objectIn(fields, 'transportCall')
  const location = locationOf(fields, call)
  const facility = placeOfFacility(location) ?? placeOfFacility(call)
  const unlocode = (textIn(location, 'UNLocationCode') ?? textIn(call, 'UNLocationCode') ?? facility)
    ?.replace(/^([A-Za-z]{2}) /, '$1')
    .toUpperCase()
  if (unlocode !== undefined && !/^[A-Z]{2}[A-Z0-9]{3}$/.test(unlocode))
    throw new DcsaFault(`UNLocationCode is ${quoted(unlocode)}: it must be a UN/LOCODE of five characters`)
  const zone = zoneOf(facility ?? '') ?? zoneOf(unlocode ?? '')
  const issuedAt = timeIn(fields, zone, 'eventUpdatedDateTime', 'eventCreatedDateTime')?.date
  const references = documentsIn(fields)
  const city = unlocode === undefined ? cityIn(location) : undefined
  const common = {
    sourceId: undefined,
    issuedAt,
    place: { unlocode, name: city ?? textIn(location, 'locationName') },
    documents: references.documents,
  }
  const type = required(fields, 'eventType', 'eventTypeCode')
  const status = statusOf(required(fields, 'eventClassifierCode', 'eventClassifier'))
  const time = timeIn(fields, zone, 'eventDateTime')
  if (time === undefined) throw new DcsaFault('eventDateTime is required')
  const stated = { ...common, isRetracted: false, status: status ?? 'planned', ...time }
  const containers = containersIn(fields) ?? references.containers
  if (!movements.has(type)) {
    if (!others.has(type)) throw new DcsaFault(`eventType is ${quoted(type)}: it is not one of the standard`)
    if (type === 'SHIPMENT') refuseUnknownStatus(fields)
    return { ...nothing, ...stated, containers, sourceCode: sourceCodeOf(type, fields) }
  }
  if (status === undefined) return { ...nothing, ...stated, containers, sourceCode: type }
  const isOfUnnamedUnit = type === 'EQUIPMENT' && containers.length === 0
  return {
    ...stated,
    ...movementOf(type, fields, call, location),
    containers,
    ...(isOfUnnamedUnit && { isOfUnnamedUnit }),
  }
}

// The longest that either version allows.
const mostOfContainer = 15

function containersIn(fields: Json): string[] | undefined {
  const given = textIn(fields, 'equipmentReference')
  if (given === undefined) return undefined
  const container = normalReference(given)
  if (container === '' || container.length > mostOfContainer)
    throw new DcsaFault(`equipmentReference is ${quoted(given)}: it must be a container of at most 15 characters`)
  return [container]
}

// 3.0 groups the fields of a facility, which 2.2 has beside the others.
function locationOf(fields: Json, call: Json): Json {
  const location = { ...objectIn(call, 'location'), ...objectIn(fields, 'eventLocation') }
  return { ...location, ...(isObject(location.facility) ? location.facility : {}) }
}

function cityIn(location: Json): string | undefined {
  const address = isObject(location.address) ? location.address : {}
  const city = textIn(address, 'city', 'cityName')
  const country = textIn(address, 'countryCode', 'country')
  return city !== undefined && country !== undefined ? `${city}, ${country}` : city
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
  const document = textIn(fields, 'documentTypeCode') ?? textIn(documentIn(fields), 'typeCode', 'type') ?? ''
  return [type, code, document].filter((part) => part !== '').join(' ')
}

function movementOf(type: string, fields: Json, call: Json, location: Json) {
  const mode = textIn(call, 'modeOfTransport')?.toUpperCase() ?? modeOfMeans(call)
  const facility = (
    textIn(location, 'facilityTypeCode', 'facilityType') ?? textIn(call, 'facilityTypeCode', 'facilityType')
  )?.toUpperCase()
  if (mode !== undefined && !modes.has(mode))
    throw new DcsaFault(`modeOfTransport is ${quoted(mode)}: it must be one of ${[...modes].join(', ')}`)
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
    throw new DcsaFault(`${name} is ${quoted(given)}: it is not one of the standard`)
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

// 3.0: the mode may be left out where the means of transport is described.
function modeOfMeans(call: Json): string | undefined {
  const means = (['vessel', 'rail', 'truck', 'barge'] as const).find((each) => isObject(call[`${each}Transport`]))
  return means?.toUpperCase()
}

const modes = new Set(['VESSEL', 'RAIL', 'TRUCK', 'BARGE', 'MULTIMODAL'])
const phases: Record<string, 'export' | 'import' | undefined> = { EXPORT: 'export', IMPORT: 'import' }

function isEmptyIn(fields: Json): boolean {
  const given = textIn(fields, 'emptyIndicatorCode', 'emptyIndicator')?.toUpperCase()
  if (given === undefined || given === 'LADEN') return false
  if (given === 'EMPTY') return true
  throw new DcsaFault(`emptyIndicatorCode is ${quoted(given)}: it must be EMPTY or LADEN`)
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
  const word = classifier.toUpperCase()
  const known = Object.hasOwn(classifiers, word) ? classifiers[word] : undefined
  if (!known && word !== 'REQ' && word !== 'REQUESTED')
    throw new DcsaFault(`eventClassifierCode is ${quoted(classifier)}: it must be PLN, EST or ACT`)
  return known
}

const classifiers: Record<string, IncomingEvent['status']> = {
  PLN: 'planned',
  PLANNED: 'planned',
  EST: 'estimated',
  ESTIMATED: 'estimated',
  ACT: 'actual',
  ACTUAL: 'actual',
}
