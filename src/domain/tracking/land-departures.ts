import type { EventCode } from '../../contract/public/event-codes.js'
import type { StepType, TrackingEventRecord } from '../../contract/public/tracking.js'
import { groupedBy } from '../records/grouping.js'
import type { InParts } from '../records/in-parts.js'
import { orderOf, spanOf } from './event-span.js'

/**
 * Trucks that bring containers to the first port depart, too, and their sources need not say by what. A container that comes to the
 * port, or is loaded there, only afterwards had not departed by sea; nor had one of which no more is known than that it was picked up,
 * if nothing but a text says that it departed.
 */

type Moved = Pick<TrackingEventRecord, 'zone' | 'precision' | 'vessel'> & {
  code: EventCode
  status: string | undefined
  date: string | undefined
  container: string | undefined
  step: number
  type: StepType
}

const coming = new Set<EventCode>(['GATE_IN', 'ARRIVED', 'LOADED'])
const elsewhere = new Set<EventCode>(['ARRIVED', 'BERTHED', 'DISCHARGED', 'DELIVERED'])

// Departures of vessels are reported hours before the loading of their containers.
const onTheMainLeg = /\b(vessel|ship|voyage|feeder|navire|pol|port of load|flight|aircraft|plane|avion)/i

/** The departures of containers from the first port that were not by its vessel: those whose words and means of transport are not of one. */
export function* landDeparturesInParts<Event extends Moved>(
  events: Event[],
  { textOf, isText }: { textOf(event: Event): string; isText(event: Event): boolean },
): InParts<Set<Event>> {
  const departures = new Set(events.filter((event) => isDeparture(event) && !onTheMainLeg.test(textOf(event))))
  const units = new Set([...departures].map(({ container }) => container))
  const ofUnits = departures.size === 0 ? [] : events.filter(({ container }) => units.has(container))
  // Of the whole shipment: when it came to a step.
  const cameTo = new Map<number, number>()
  for (const event of departures.size === 0 ? [] : events)
    if (event.container === undefined && hasCome(event))
      cameTo.set(event.step, Math.min(spanOf(event).from, cameTo.get(event.step) ?? Number.POSITIVE_INFINITY))
  const found = new Set<Event>()
  for (const ofUnit of groupedBy(ofUnits, ({ container }) => container).values()) {
    yield
    for (const event of [...beforeItCame(ofUnit), ...onItsWay(ofUnit, cameTo).filter(isText)])
      if (departures.has(event)) found.add(event)
  }
  return found
}

function isDeparture({ code, status, type, container, vessel, date }: Moved): boolean {
  const isThere = code === 'DEPARTED' && status === 'actual' && type === 'origin_port'
  return isThere && container !== undefined && vessel === undefined && date !== undefined
}

function beforeItCame<Event extends Moved>(events: Event[]): Event[] {
  const found: Event[] = []
  let next: Event | undefined
  const actual = events.filter(({ status, date }) => status === 'actual' && date !== undefined)
  const step = actual.find(isDeparture)?.step ?? -1
  const isComing = (event: Event) => event.step === step && coming.has(event.code)
  const loadings = actual.filter((event) => isComing(event) && event.code === 'LOADED')
  const loaded = loadings.reduce((first, event) => Math.min(first, at(event)), Number.POSITIVE_INFINITY)
  for (const event of actual.toSorted((one, other) => at(other) - at(one))) {
    // What was elsewhere in the meantime comes back for another trip.
    if (isComing(event) || (event.step > step && elsewhere.has(event.code))) next = event
    else if (isDeparture(event) && loaded > at(event) && next && isComing(next) && orderOf(event, next) < 0)
      found.push(event)
  }
  return found
}

const pickedUp = new Set<EventCode>(['EMPTY_OUT', 'PICKED_UP', 'STUFFED'])
const ofTheMainLeg = new Set<EventCode>([...elsewhere, 'LOADED'])

/** The departures after a container was picked up, of which nothing says that it came to the port before, or to a vessel since. */
function onItsWay<Event extends Moved>(ofUnit: Event[], cameTo: Map<number, number>): Event[] {
  const actual = ofUnit.filter(({ status, date }) => status === 'actual' && date !== undefined)
  const shipped = latest(actual.filter(({ code }) => ofTheMainLeg.has(code)))
  const begin = earliest(actual.filter((event) => pickedUp.has(event.code) && spanOf(event).from > shipped))
  const departures = actual.filter((event) => isDeparture(event) && spanOf(event).to >= begin)
  const step = departures[0]?.step
  if (step === undefined) return []
  const comings = actual.filter((event) => hasCome(event) && event.step === step && spanOf(event).to >= begin)
  const came = Math.min(earliest(comings), cameTo.get(step) ?? Number.POSITIVE_INFINITY)
  return departures.filter((event) => spanOf(event).to < came)
}

function hasCome({ code, status, date }: Moved): boolean {
  return coming.has(code) && status === 'actual' && date !== undefined
}

function earliest(events: Moved[]): number {
  return events.reduce((first, event) => Math.min(first, spanOf(event).from), Number.POSITIVE_INFINITY)
}

function latest(events: Moved[]): number {
  return events.reduce((last, event) => Math.max(last, spanOf(event).to), Number.NEGATIVE_INFINITY)
}

function at({ date }: Moved): number {
  return Date.parse(date ?? '')
}
