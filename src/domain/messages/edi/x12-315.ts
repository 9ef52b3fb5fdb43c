import type { EventCode } from '../../../contract/public/event-codes.js'
import { containerCheckDigit, isContainerNumber } from '../../shipments/container-number.js'
import type { EventTime } from '../event-time.js'
import type { DocumentReference, IncomingEvent } from '../incoming-event.js'
import { oceanMeaning } from './edi-codes.js'
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
  isOfTransport,
  type Laden,
  meaningOf,
  type Vessel,
  vesselOf,
  warnOfZone,
  withoutRepetition,
} from './edi-context.js'
import { x12Time } from './edi-time.js'
import { quoted, type Segment, valueAt } from './segments.js'
import type { TransactionSet } from './x12.js'
import { placeBy, placeInR4, type X12Place } from './x12-places.js'

/** X12 315: the status of a container or a shipment by sea (B4, and further ones in SG), with the dates of its ports (R4). */

type TransactionFields = {
  collected: Collected
  context: EdiContext
  containers: string[]
  laden: Laden
  documents: DocumentReference[]
  places: X12Place[]
  vessel: Vessel | undefined
  transport: string
  issuedAt: string | undefined
}

// Of a single container: no standard allows a third of that.
const mostSegments = 1000

export function read315(
  { segments, position }: TransactionSet,
  issuedAt: string | undefined,
  context: EdiContext,
  collected: Collected,
): void {
  if (segments.length > mostSegments) {
    collected.events.push({
      fault: `the transaction set 315 has more than ${mostSegments} segments (byte ${position})`,
    })
    return
  }
  const status = segments.find(({ tag }) => tag === 'B4')
  if (!status) {
    collected.events.push({ fault: `the transaction set 315 has no B4 (byte ${position})` })
    return
  }
  const filled = valueAt(status, 8)
  const vessel = vesselIn(segments)
  const fields: TransactionFields = {
    collected,
    context,
    containers: containersIn(segments, status, collected),
    laden: filled === 'E' ? 'empty' : filled === 'L' ? 'laden' : undefined,
    documents: closestDocuments([
      segments.flatMap((each) => (each.tag === 'N9' ? (documentOf(valueAt(each, 0), valueAt(each, 1)) ?? []) : [])),
    ]),
    places: placesIn(segments, context),
    vessel,
    transport: vessel?.name === undefined ? '' : `vessel ${vessel.name} ${vessel.voyage ?? ''}`,
    issuedAt,
  }
  collect(collected, status, () => {
    const first = statusOf(fields, status, 2, [valueAt(status, 3), valueAt(status, 4), ''])
    const others = segments
      .filter(({ tag, elements }) => tag === 'SG' && elements.length > 0)
      .flatMap((each) => statusOf(fields, each, 0, [valueAt(each, 3), valueAt(each, 4), valueAt(each, 5)]))
    return withoutRepetition([...first, ...others, ...fields.places.flatMap((place) => datesOf(fields, place))])
  })
}

function statusOf(
  fields: TransactionFields,
  segment: Segment,
  index: number,
  when: [string, string, string],
): IncomingEvent[] {
  const { collected, context, laden } = fields
  const sourceCode = valueAt(segment, index).slice(0, 100)
  if (sourceCode === '') throw new EventFault('the status code is missing')
  const known = oceanMeaning(sourceCode)
  const meaning = meaningOf(collected, context, { format: 'x12_315', code: sourceCode, text: '' }, known)
  const code = codeWhen(laden, meaning.code)
  const place = placeOf(fields, segment, code)
  const time = timeOf(when, place, segment)
  if (time.zone === 'assumed') warnOfZone(collected, segment)
  const event = (given: EventCode): IncomingEvent => ({
    ...common(fields),
    isKept: meaning.isDocument === true,
    sourceCode,
    code: given,
    status: meaning.status ?? 'actual',
    ...time,
    description: describeEvent(meaning.text, laden, meaning.isInland ? '' : fields.transport),
    place: { unlocode: place?.unlocode, name: place?.name },
    isOfTransport: isOfTransport(given),
    isInland: meaning.isInland === true,
    ...detailsOf({ vessel: meaning.isInland ? undefined : fields.vessel, laden }),
    identity: [sourceCode, given === meaning.also ? given : '', laden ?? '', place?.unlocode ?? place?.name ?? ''],
  })
  return [event(code), ...(meaning.also ? [event(meaning.also)] : [])]
}

function common({ containers, documents, issuedAt }: TransactionFields) {
  return { sourceId: undefined, issuedAt, isRetracted: false, containers, documents }
}

function timeOf(
  [date, time, zone]: [string, string, string],
  place: Omit<X12Place, 'role' | 'dates'> | undefined,
  segment: Segment,
): EventTime {
  if (date === '') throw new EventFault('the date of the status is missing')
  const found = x12Time(date, time, zone, place?.timeZone)
  if (found !== undefined) return found
  const given = [date, time, zone].filter((part) => part !== '').join(' ')
  throw new EventFault(`${quoted(given)} is no date (byte ${segment.position})`)
}

/** The port initials and number of B4, or else those that are only named as references. */
function containersIn(segments: Segment[], status: Segment, collected: Collected): string[] {
  const ofStatus = numberOf(valueAt(status, 6), valueAt(status, 7), valueAt(status, 12))
  const own = ofStatus === '' ? undefined : containerOf(collected, ofStatus, status)
  if (own !== undefined) return [own]
  const named = segments.flatMap((segment) => {
    const isReference = segment.tag === 'N9' && valueAt(segment, 0) === 'EQ'
    if (isReference) return containerOf(collected, valueAt(segment, 1), segment) ?? []
    return segment.tag === 'N7' ? (containerOf(collected, equipmentNumber(segment), segment) ?? []) : []
  })
  return [...new Set(named)].slice(0, 50)
}

/** N7: initials, number, and the check digit at its end. */
export function equipmentNumber(segment: Segment): string {
  return numberOf(valueAt(segment, 0), valueAt(segment, 1), valueAt(segment, 17))
}

/** Initials, serial number and check digit in one; systems pad the number, leave the check digit out, or put it in twice. */
function numberOf(initials: string, number: string, check: string): string {
  const letters = initials.toUpperCase().replaceAll(/[^A-Z]/g, '')
  const digits = number.replaceAll(/[^0-9]/g, '')
  if (letters.length !== 4 || digits === '') return `${initials}${number}`
  const serial = digits.length > 7 ? digits.replace(/^0+(?=\d{6})/, '') : digits
  const whole = letters + serial
  if (isContainerNumber(whole)) return whole
  if (serial.length > 6) return whole
  const padded = letters + serial.padStart(6, '0')
  return padded + (/^\d$/.test(check) ? check : containerCheckDigit(padded))
}

function placesIn(segments: Segment[], context: EdiContext): X12Place[] {
  const places: X12Place[] = []
  for (const segment of segments) {
    if (segment.tag === 'R4') places.push(placeInR4(segment, context))
    else if (segment.tag === 'DTM') places.at(-1)?.dates.push(segment)
  }
  return places
}

/** The vessel and voyage of Q2 or V1. */
function vesselIn(segments: Segment[]): Vessel | undefined {
  const segment = segments.find(({ tag }) => tag === 'Q2' || tag === 'V1')
  if (!segment) return undefined
  const [code, name, voyage, qualifier] = segment.tag === 'Q2' ? [0, 12, 8, 11] : [0, 1, 3, 7]
  const imo = valueAt(segment, qualifier) === 'L' ? valueAt(segment, code) : ''
  return vesselOf(valueAt(segment, name), imo, valueAt(segment, voyage))
}

const atLoading = ['L', 'R']
const atReceipt = ['R', 'L']
const atDischarge = ['D', 'E']
const atDelivery = ['E', 'D']
const roles: Partial<Record<EventCode, string[]>> = {
  EMPTY_OUT: atReceipt,
  PICKED_UP: atReceipt,
  STUFFED: atReceipt,
  GATE_IN: atLoading,
  LOADED: atLoading,
  DEPARTED: atLoading,
  ROLLED: atLoading,
  CUSTOMS_CLEARED_EXPORT: atLoading,
  DELIVERED: atDelivery,
  OUT_FOR_DELIVERY: atDelivery,
  DELIVERY_FAILED: atDelivery,
  EMPTY_IN: atDelivery,
}

const onTheWay = new Set<EventCode>(['LOADED', 'DEPARTED', 'ARRIVED', 'BERTHED', 'DISCHARGED'])

/** Where it happened: the place of the activity, the one of the status itself, or else the port that fits the code. */
function placeOf(
  { places, context }: TransactionFields,
  segment: Segment,
  code: EventCode,
): Omit<X12Place, 'role' | 'dates'> | undefined {
  const activity = places.find(({ role }) => role === '5')
  if (activity) return activity
  const own = segment.tag === 'B4' ? placeBy(valueAt(segment, 11), valueAt(segment, 10), context) : undefined
  if (own) {
    const same = places.find((each) => each.name?.toLowerCase() === own.name?.toLowerCase())
    return own.unlocode === undefined && same ? same : own
  }
  // Of several ports on the way, any may be meant.
  if (onTheWay.has(code) && places.some(({ role }) => role === 'I' || role === 'M')) return undefined
  for (const wanted of roles[code] ?? atDischarge) {
    const found = places.find(({ role }) => role === wanted)
    if (found) return found
  }
  return undefined
}

const departures = new Set(['L', 'R'])

type Qualified = { code: 'ARRIVED' | 'DEPARTED'; status: 'estimated' | 'actual' } | undefined

function meaningOfDate(qualifier: string, role: string): Qualified {
  const code = departures.has(role) ? 'DEPARTED' : 'ARRIVED'
  const all: Record<string, Qualified> = {
    139: { code, status: 'estimated' },
    140: { code, status: 'actual' },
    369: { code: 'DEPARTED', status: 'estimated' },
    370: { code: 'DEPARTED', status: 'actual' },
    371: { code: 'ARRIVED', status: 'estimated' },
    372: { code: 'ARRIVED', status: 'actual' },
  }
  return all[qualifier]
}

// The vessel calls at ports; receipt and delivery are ashore.
const ports = new Set(['L', 'D', 'I', 'M'])

/** What the ports say beside the status: when the vessel leaves and arrives. */
function datesOf(fields: TransactionFields, place: X12Place): IncomingEvent[] {
  if (fields.laden === 'empty' || place.unlocode === undefined) return []
  return place.dates.flatMap((segment) => {
    const qualifier = valueAt(segment, 0)
    const meaning = meaningOfDate(qualifier, place.role)
    if (!meaning) return []
    const isDelivery = place.role === 'E' && meaning.code === 'ARRIVED' && meaning.status === 'estimated'
    if (!ports.has(place.role) && !isDelivery) return []
    const text = isDelivery ? 'Delivery' : meaning.code === 'ARRIVED' ? 'Arrival' : 'Departure'
    return {
      ...common(fields),
      isKept: false,
      sourceCode: `DTM ${qualifier}`,
      ...meaning,
      code: isDelivery ? 'DELIVERED' : meaning.code,
      ...timeOf([valueAt(segment, 1), valueAt(segment, 2), valueAt(segment, 3)], place, segment),
      description: describeEvent(text, undefined, isDelivery ? '' : fields.transport),
      place: { unlocode: place.unlocode, name: place.name },
      isOfTransport: !isDelivery,
      isInland: false,
      ...detailsOf({ vessel: isDelivery ? undefined : fields.vessel }),
      identity: [`DTM ${qualifier}`, place.unlocode],
    }
  })
}
