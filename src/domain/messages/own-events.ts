import { EventMessageItem } from '../../contract/operator/messages.js'
import type { EventCode } from '../../contract/public/event-codes.js'
import { validatorOf } from '../../contract/validation.js'
import { isContainerNumber } from '../shipments/container-number.js'
import { codeOfText, isByLand, isExpectation, isLandMode } from '../tracking/event-phrases.js'
import { mostEvents } from './dcsa.js'
import { quoted } from './dcsa-fields.js'
import { type EventTime, readTime } from './event-time.js'
import type { EventDetails, FindZone, FoundItems, IncomingEvent, ReadEvent } from './incoming-event.js'
import { normalReference } from './references.js'

/** The items of our own form of events (`format=events`): a list of events, or a list in `events`. */
export function ownItems(content: unknown): FoundItems {
  const items: unknown = Array.isArray(content) ? content : (content as { events?: unknown } | null)?.events
  if (!Array.isArray(items)) return { fault: 'must be a list of events, or an object with `events`' }
  if (items.length === 0) return { fault: 'has no events' }
  if (items.length > mostEvents) return { fault: `has more than ${mostEvents} events` }
  return { items: items as unknown[] }
}

const validator = validatorOf(EventMessageItem)

/** How the clock of a place is found: by its UN/LOCODE, or by its name. */
export type Clocks = { zoneOf: FindZone; zoneOfName: FindZone }

export function readOwnEvent(item: unknown, { zoneOf, zoneOfName }: Clocks): ReadEvent {
  const [fault] = validator.faultsIn(item, 1)
  if (fault) return { fault: `${fault.pointer.slice(1).replaceAll('/', '.') || 'the event'} ${fault.detail}` }
  const event = item as EventMessageItem
  const { unlocode, place } = event
  const zone = (unlocode && zoneOf(unlocode)) ?? (place && zoneOfName(place))
  const time = readTime(event.date, zone)
  if (!time) return { fault: `date is ${quoted(event.date)}: it must be a date, with or without time and offset` }
  return { event: eventOf(event, time) }
}

// What concerns the vessel itself.
const ofVessels = new Set<EventCode>(['DEPARTED', 'ARRIVED', 'BERTHED'])

function detailsOf({
  vessel,
  mode,
  laden,
  facility,
  delay_reason,
  remark,
}: EventMessageItem): EventDetails | undefined {
  const details = { vessel, mode, laden, facility, delay_reason, remark }
  const given = Object.entries(details).filter(([, value]) => value !== undefined)
  return given.length === 0 ? undefined : Object.fromEntries(given)
}

function eventOf(item: EventMessageItem, time: EventTime): IncomingEvent {
  const { reference, references = [], container_number, description, code, unlocode, place } = item
  const given = [...(reference === undefined ? [] : [reference]), ...references]
    .map(normalReference)
    .filter((each) => each !== '')
  // A container that is named as a reference is what the event is about.
  const own = container_number === undefined ? given.filter(isContainerNumber) : [normalReference(container_number)]
  const meant = code ?? codeOfText(description)
  const details = detailsOf(item)
  return {
    isKept: false,
    sourceId: item.event_id,
    issuedAt: item.issued_at,
    isRetracted: item.retracted ?? false,
    sourceCode: code ?? '',
    code: meant,
    // "Estimated arrival" has not happened, whatever its status says.
    status: item.status === 'actual' && code === undefined && isExpectation(description) ? 'estimated' : item.status,
    date: time.date,
    zone: item.zone ?? time.zone,
    precision: item.precision ?? time.precision,
    description,
    containers: own,
    place: { unlocode: unlocode && normalReference(unlocode), name: place },
    isOfTransport: item.vessel !== undefined && ofVessels.has(meant),
    isInland: isLandMode(item.mode) || isByLand(description, meant),
    step: item.step,
    documents: given.filter((each) => !own.includes(each)).map((each) => ({ kind: 'any', reference: each })),
    ...(details && { details }),
  }
}
