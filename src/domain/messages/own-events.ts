import { EventMessageItem } from '../../contract/operator/messages.js'
import { validatorOf } from '../../contract/validation.js'
import { isContainerNumber } from '../shipments/container-number.js'
import { codeOfText } from '../tracking/event-phrases.js'
import { mostEvents } from './dcsa.js'
import type { IncomingEvent, ReadEvent, ReadMessage } from './incoming-event.js'
import { normalReference } from './references.js'

/** Reads our own form of events (`format=events`): a list of events, or a list in `events`. */
export function readOwnEvents(content: unknown): ReadMessage {
  const items: unknown = Array.isArray(content) ? content : (content as { events?: unknown } | null)?.events
  if (!Array.isArray(items)) return { fault: 'must be a list of events, or an object with `events`' }
  if (items.length === 0) return { fault: 'has no events' }
  if (items.length > mostEvents) return { fault: `has more than ${mostEvents} events` }
  return { events: items.map(readItem) }
}

const validator = validatorOf(EventMessageItem)

function readItem(item: unknown): ReadEvent {
  const [fault] = validator.faultsIn(item)
  if (fault) return { fault: `${fault.pointer.slice(1).replaceAll('/', '.') || 'the event'} ${fault.detail}` }
  return { event: eventOf(item as EventMessageItem) }
}

function eventOf(item: EventMessageItem): IncomingEvent {
  const { reference, references = [], container_number, description, code, unlocode, place } = item
  const given = [...(reference === undefined ? [] : [reference]), ...references]
    .map(normalReference)
    .filter((each) => each !== '')
  // A container that is named as a reference is what the event is about.
  const own = container_number === undefined ? given.filter(isContainerNumber) : [normalReference(container_number)]
  return {
    isKept: false,
    sourceId: item.event_id,
    issuedAt: item.issued_at,
    isRetracted: item.retracted ?? false,
    sourceCode: code ?? '',
    code: code ?? codeOfText(description),
    status: item.status,
    date: item.date,
    description,
    containers: own,
    place: { unlocode: unlocode && normalReference(unlocode), name: place },
    isOfTransport: false,
    isInland: false,
    step: item.step,
    documents: given.filter((each) => !own.includes(each)).map((each) => ({ kind: 'any', reference: each })),
  }
}
