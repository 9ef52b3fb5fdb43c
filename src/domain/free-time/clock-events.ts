import type { FreeTimeTerm } from '../../contract/operator/free-time.js'
import type { EventCode } from '../../contract/public/event-codes.js'
import type { FreeTimeDirection } from '../../contract/public/free-time.js'
import { dayNumber, startOfDay } from '../dates/local-days.js'
import { day, offsetAt } from '../dates/local-time.js'
import { authorityOf } from '../tracking/authority.js'
import { type CodedEvent, isNewer } from '../tracking/coded-events.js'
import type { Journey } from '../tracking/milestones.js'

/** Which events start and stop the clock of a container. Retracted and quarantined ones are not among them. */

/** What has happened to one container at one end of its journey, by code. */
export type ClockEvents = {
  happened: Map<EventCode, CodedEvent[]>
  /** Events elsewhere that show that it has left by then, without saying when. */
  later: CodedEvent[]
  /** The vessel has left without it. */
  isLeftBehind: boolean
}

/** Events of the container itself, and those of the whole shipment. */
export function eventsOfUnit(
  events: CodedEvent[],
  container: string | undefined,
  direction: FreeTimeDirection,
  journey: Journey,
): ClockEvents {
  const happened = new Map<EventCode, CodedEvent[]>()
  const later: CodedEvent[] = []
  let isLeftBehind = false
  const end = direction === 'import' ? journey.destination : journey.origin
  for (const event of events) {
    const isOwn = event.container === container || event.container === undefined
    if (!isOwn) continue
    if (leftBehind.has(event.code) && event.status !== 'planned' && event.status !== 'estimated') isLeftBehind = true
    if (event.status !== 'actual' || event.date === undefined) continue
    if (isAtEnd(event, direction, end)) {
      const known = happened.get(event.code)
      if (known) known.push(event)
      else happened.set(event.code, [event])
    }
    const isOfUnit = event.container === container || !ofVessel.has(event.code)
    if (isOfUnit && isLater(event, direction, end)) later.push(event)
  }
  if (direction === 'import') leaveOutReturned(happened)
  return { happened, later, isLeftBehind }
}

/** A full container that left the terminal, came back and left again has left with the last of these. */
function leaveOutReturned(happened: ClockEvents['happened']): void {
  const [departures = [], returns = []] = [happened.get('GATE_OUT'), happened.get('GATE_IN')]
  if (departures.length < 2 || returns.length === 0) return
  // What was emptied in between came back to be returned, and left on its next trip.
  const emptied = [...emptying].flatMap((code) => happened.get(code) ?? [])
  const isBetween = (event: CodedEvent, from: CodedEvent, to: CodedEvent) => event.at > from.at && event.at < to.at
  const hasReturned = (left: CodedEvent) =>
    departures.some(
      (again) =>
        again.step === left.step &&
        returns.some((back) => back.step === left.step && isBetween(back, left, again)) &&
        !emptied.some((each) => isBetween(each, left, again)),
    )
  happened.set(
    'GATE_OUT',
    departures.filter((left) => !hasReturned(left)),
  )
}

const emptying = new Set<EventCode>(['DELIVERED', 'STRIPPED', 'EMPTY_IN', 'EMPTY_OUT'])

const leftBehind = new Set<EventCode>(['ROLLED', 'OFFLOADED'])

// Vessels arrive at the port itself; containers move in and out of places around it.
const ofVessel = new Set<EventCode>(['ARRIVED', 'BERTHED', 'DEPARTED'])

function isAtEnd({ code, step }: CodedEvent, direction: FreeTimeDirection, end: number): boolean {
  if (end < 0) return false
  if (ofVessel.has(code)) return step === end
  return direction === 'import' ? step >= end : step <= end
}

const leftPort = new Set<EventCode>(['GATE_OUT', 'OUT_FOR_DELIVERY', 'DELIVERED', 'STRIPPED', 'EMPTY_IN'])
const leftOrigin = new Set<EventCode>(['LOADED', 'DISCHARGED', 'ARRIVED', 'BERTHED', 'AVAILABLE', ...leftPort])

function isLater({ code, step }: CodedEvent, direction: FreeTimeDirection, end: number): boolean {
  return direction === 'import' ? step >= end && leftPort.has(code) : step > end && leftOrigin.has(code)
}

/** The event with a code that counts: of the party that knows best, else the first that was known, until it is corrected. */
export function findEvent({ happened }: ClockEvents, code: EventCode, after?: After) {
  let found: CodedEvent | undefined
  for (const event of happened.get(code) ?? []) {
    if (after && isBefore(event, after)) continue
    if (!found || isBetter(event, found)) found = event
  }
  return found
}

function isBetter(event: CodedEvent, known: CodedEvent): boolean {
  // Events of the container itself come before those of the whole shipment.
  if ((event.container === undefined) !== (known.container === undefined)) return event.container !== undefined
  const more = authorityOf(event) - authorityOf(known)
  return more === 0 ? isNewer(event, known) : more > 0
}

const afterStop: Record<FreeTimeTerm['stop_event'], EventCode[]> = {
  GATE_IN: ['LOADED', 'DEPARTED'],
  LOADED: ['DEPARTED'],
  GATE_OUT: ['OUT_FOR_DELIVERY', 'DELIVERED', 'STRIPPED', 'EMPTY_IN'],
  EMPTY_IN: [],
}

/** The earliest event that shows that the clock has stopped by then, without saying when. */
export function findLaterEvent(
  { happened, later, isLeftBehind }: ClockEvents,
  stop: FreeTimeTerm['stop_event'],
  after?: After,
): CodedEvent | undefined {
  const codes = afterStop[stop]
  const isExport = stop === 'GATE_IN' || stop === 'LOADED'
  const elsewhere = later.filter(({ code }) => isExport || codes.includes(code))
  const here = codes.flatMap((code) => (code === 'DEPARTED' && isLeftBehind ? [] : (happened.get(code) ?? [])))
  return [...elsewhere, ...here]
    .filter((event) => !after || !isBefore(event, after))
    .toSorted((one, other) => Date.parse(one.date ?? '') - Date.parse(other.date ?? ''))[0]
}

/** What stops a clock is not before the event that started it. */
type After = { start: CodedEvent; timeZone: string }

function isBefore(event: CodedEvent, { start, timeZone }: After): boolean {
  const length = event.precision === 'day' ? day - 1 : 0
  return at(event, timeZone) + length < at(start, timeZone)
}

/** The instant of an event. What was written without an offset, or as a day, is meant by the clock of the place. */
export function at({ date = '', zone, precision }: CodedEvent, timeZone: string): number {
  if (precision === 'day') return startOfDay(dayNumber(date.slice(0, 10)), timeZone)
  if (zone !== 'assumed') return Date.parse(date)
  const local = Date.parse(`${date.slice(0, 19)}Z`)
  return local - offsetAt(local - offsetAt(local, timeZone), timeZone)
}
