import { isContainerNumber } from '../../shipments/container-number.js'
import type { DocumentReference, IncomingEvent } from '../incoming-event.js'
import { appointmentMeaning, motorMeaning } from './edi-codes.js'
import {
  type Collected,
  closestDocuments,
  collect,
  containerOf,
  describeEvent,
  detailsOf,
  documentOf,
  type EdiContext,
  EventFault,
  isFull,
  isOfTransport,
  meaningOf,
  note,
  warnOfZone,
} from './edi-context.js'
import { x12Time } from './edi-time.js'
import { quoted, type Segment, valueAt } from './segments.js'
import type { TransactionSet } from './x12.js'
import { equipmentNumber } from './x12-315.js'
import { placeByName } from './x12-places.js'

/** X12 214: statuses of a truck (AT7), each with its place (MS1, or the address of its stop) and equipment (MS2). */

type Stop = { name: string; city: string; state: string; country: string; number: string }

type Status = {
  segment: Segment
  city: Segment | undefined
  containers: string[]
  documents: DocumentReference[]
  stop: Stop | undefined
}

/** Reads a step at a time: a transaction set may have thousands of statuses. */
export function* read214(
  { segments, position }: TransactionSet,
  issuedAt: string | undefined,
  context: EdiContext,
  collected: Collected,
): Generator<undefined, void> {
  const head: DocumentReference[] = []
  const containers: string[] = []
  const statuses: Status[] = []
  const stops: Stop[] = []
  let status: Status | undefined
  for (const segment of segments) {
    const { tag } = segment
    if (tag === 'LX') status = undefined
    if (tag === 'B10') note(head, ...headReferences(segment))
    if (tag === 'AT7') {
      status = { segment, city: undefined, containers: [], documents: [], stop: undefined }
      statuses.push(status)
    }
    if (tag === 'MS1' && status) status.city = segment
    if (tag === 'N1')
      note(stops, { name: valueAt(segment, 1), city: '', state: '', country: '', number: valueAt(segment, 0) })
    if (tag === 'N4')
      Object.assign(stops.at(-1) ?? {}, {
        city: valueAt(segment, 0),
        state: valueAt(segment, 1),
        country: valueAt(segment, 3),
      })
    const references = tag === 'L11' ? (documentOf(valueAt(segment, 1), valueAt(segment, 0)) ?? []) : []
    note(status?.documents ?? head, ...[references].flat())
    const found = equipmentIn(segment, collected)
    if (found !== undefined) note(status?.containers ?? containers, found)
    yield
  }
  if (statuses.length === 0) {
    collected.events.push({ fault: `the transaction set 214 has no AT7 (byte ${position})` })
    return
  }
  for (const each of statuses) {
    const own = each.containers.length > 0 ? each.containers : containers
    const documents = closestDocuments([each.documents, head])
    collect(collected, each.segment, () => [
      eventOf(each, stops, { issuedAt, containers: [...new Set(own)], documents, context, collected }),
    ])
    if (isFull(collected)) return
    yield
  }
}

/** B10: the carrier's number, and ours. */
function headReferences(segment: Segment): DocumentReference[] {
  return [valueAt(segment, 1), valueAt(segment, 0)].flatMap((text) => documentOf('FF', text) ?? [])
}

// MS2: carrier, number. Trailers have numbers of their own, which no shipment has.
function equipmentIn(segment: Segment, collected: Collected): string | undefined {
  const [first, second] = [valueAt(segment, 0), valueAt(segment, 1)]
  if (segment.tag === 'N7') return containerOf(collected, equipmentNumber(segment), segment)
  if (segment.tag === 'L11' && second === 'EQ') return containerOf(collected, first, segment)
  if (segment.tag !== 'MS2') return undefined
  return [second, first + second, first + second + valueAt(segment, 3)].find(isContainerNumber)
}

type Given = Pick<IncomingEvent, 'issuedAt' | 'containers' | 'documents'> & {
  context: EdiContext
  collected: Collected
}

function eventOf(
  { segment, city }: Status,
  stops: Stop[],
  { issuedAt, containers, documents, context, collected }: Given,
): IncomingEvent {
  const [own, reason, appointment] = [valueAt(segment, 0), valueAt(segment, 1), valueAt(segment, 2)]
  if (own === '' && appointment === '') throw new EventFault('the status code is missing')
  const isAppointment = own === ''
  const sourceCode = (isAppointment ? `1652:${appointment}` : own).slice(0, 100)
  const known = isAppointment ? appointmentMeaning(appointment) : motorMeaning(own)
  const meaning = meaningOf(collected, context, { format: 'x12_214', code: sourceCode, text: '' }, known)
  const place = placeOf(city, stopFor(meaning.code, stops), context)
  const when = [valueAt(segment, 4), valueAt(segment, 5), valueAt(segment, 6)] as const
  if (when[0] === '') throw new EventFault('the date of the status is missing')
  const time = x12Time(...when, place.timeZone)
  if (time === undefined) throw new EventFault(`${quoted(when.filter((part) => part !== '').join(' '))} is no date`)
  if (time.zone === 'assumed') warnOfZone(collected, segment)
  return {
    isKept: false,
    sourceId: undefined,
    issuedAt,
    isRetracted: false,
    sourceCode,
    code: meaning.code,
    status: meaning.status ?? 'actual',
    ...time,
    description: describeEvent(meaning.text, undefined, ''),
    containers,
    place: { unlocode: place.unlocode, name: place.name },
    isOfTransport: isOfTransport(meaning.code),
    isInland: true,
    ...detailsOf({ reason: reason === 'NS' || isAppointment ? '' : reason }),
    documents,
    identity: [sourceCode, place.unlocode ?? place.name ?? ''],
  }
}

const shippers = new Set(['SF', 'SH'])
const consignees = new Set(['ST', 'CN'])
const atPickup = new Set(['PICKED_UP', 'STUFFED', 'EMPTY_OUT'])
const atDelivery = new Set(['DELIVERED', 'DELIVERY_FAILED', 'OUT_FOR_DELIVERY', 'APPOINTMENT', 'STRIPPED'])

/** The address that a status without a place is about. */
function stopFor(code: string, stops: Stop[]): Stop | undefined {
  const wanted = atPickup.has(code) ? shippers : atDelivery.has(code) ? consignees : undefined
  return wanted && stops.find(({ number }) => wanted.has(number))
}

function placeOf(city: Segment | undefined, stop: Stop | undefined, context: EdiContext) {
  if (city && valueAt(city, 0) !== '') return placeByName(valueAt(city, 0), valueAt(city, 1), valueAt(city, 2), context)
  return stop ? placeByName(stop.city, stop.state, stop.country, context) : { ...nowhere }
}

const nowhere = { unlocode: undefined, name: undefined, timeZone: undefined }
