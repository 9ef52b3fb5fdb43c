import { dcsaItems, readDcsaEvent } from '../../domain/messages/dcsa.js'
import { findPlace } from '../../geography/places.js'
import { mapInSlices } from '../../jobs/in-slices.js'

/** What a producer of DCSA 3.0 learns at once about the events that it has sent. */

export type FeedbackElement = { severity: 'ERROR'; message: string; propertyPath: string }
export type Feedback = {
  feedbackElements: FeedbackElement[]
  /** Whether nothing of the message is of use. */
  isRefused: boolean
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reading thousands of events takes some 100 ms: others have their turn in between. */
export async function feedbackOn(content: Buffer): Promise<Feedback> {
  let json: unknown
  try {
    json = JSON.parse(utf8.decode(content))
  } catch {
    return wholly('The body is not valid JSON in UTF-8.')
  }
  const found = dcsaItems(json)
  if ('fault' in found) return wholly(`The body ${found.fault}.`)
  const zoneOf = (code: string) => findPlace(code, 'sea')?.timeZone
  const events = await mapInSlices(found.items, (item) => readDcsaEvent(item, zoneOf))
  const feedbackElements = events.flatMap((event, index) =>
    'fault' in event
      ? [{ severity: 'ERROR' as const, message: `${event.fault}.`, propertyPath: pathOf(json, index, event.fault) }]
      : [],
  )
  return { feedbackElements, isRefused: feedbackElements.length === events.length }
}

function wholly(message: string): Feedback {
  return { feedbackElements: [{ severity: 'ERROR', message, propertyPath: '$' }], isRefused: true }
}

// Where 3.0 has the field that a fault begins with.
const places: [RegExp, string][] = [
  [/^(event(?:ID|DateTime|UpdatedDateTime|Location|Routing|Classification)|isRetracted)\b/, ''],
  [/^((?:shipment|transport|equipment)Details)\b/, ''],
  [/^(?:transportCall|modeOfTransport)\b/, '.transportDetails.transportCall'],
  [/^(?:eventType|eventClassifier|transportEventType|equipmentEventType)/, '.eventClassification'],
  [/^emptyIndicator/, '.equipmentDetails'],
  [/^UNLocationCode/, '.eventLocation'],
]

function pathOf(json: unknown, index: number, fault: string): string {
  const event = Array.isArray(json) ? `$[${index}]` : 'events' in (json as object) ? `$.events[${index}]` : '$'
  const [place] = places.flatMap(([form, path]) => {
    const found = form.exec(fault)
    return found ? [path === '' ? `.${found[1]}` : path] : []
  })
  return `${event}${place ?? ''}`
}
