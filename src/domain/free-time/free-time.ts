import type { EquipmentClass, FreeTimeTerm } from '../../contract/operator/free-time.js'
import type { EventCode } from '../../contract/public/event-codes.js'
import type {
  FreeTimeClock,
  FreeTimeClockName,
  FreeTimeDirection,
  FreeTimeFact,
} from '../../contract/public/free-time.js'
import { freeTimeClocks as clockNames, freeTimeDirections } from '../../contract/public/free-time.js'
import type { ShipmentRecord } from '../../contract/public/shipment.js'
import type { TrackingRecord } from '../../contract/public/tracking.js'
import { dateOfDay, dayOf } from '../dates/local-days.js'
import { groupedBy } from '../records/grouping.js'
import { finish, type InParts } from '../records/in-parts.js'
import { numbersOf } from '../shipments/shipment-cargo.js'
import { type CodedEvent, codedEventsInParts } from '../tracking/coded-events.js'
import { type Journey, journeyOf } from '../tracking/milestones.js'
import { presentNumbers, trackedContainers } from '../tracking/tracking-containers.js'
import { at, type ClockEvents, eventsOfUnit, findEvent } from './clock-events.js'
import type { PeriodPlace } from './free-period.js'
import { clockOf, usualEvents } from './free-time-clock.js'
import {
  bySpecificity,
  compareSpecificity,
  equipmentOfType,
  type FreeTimeRules,
  isForUnit,
  isInForce,
  termsFor,
} from './free-time-rules.js'
import { calendarOf } from './working-days.js'

export type FreeTimeFacts = {
  /** The short name of the account, as rules name it. */
  account: string
  shipment: ShipmentRecord
  /** With its entries, as `wholeTracking` makes it. */
  tracking: TrackingRecord
  /** The coded events of the tracking, if they are known already. */
  events?: CodedEvent[]
  /** It was finished when it was first seen: containers that are still out are not this service's matter. */
  wasFinished?: boolean
}

/**
 * The clocks of all containers of a shipment at an instant. Pure: the same facts, rules and time give the same clocks, at present and
 * for the past. Make the rules once (`freeTimeRules`, or `readFreeTimeRules` from the database) and use them for many shipments.
 * A clock changes by itself at its `next_change_at`, else with events, rules, calendars, given days or the shipment's status.
 */
export function freeTimeOf(facts: FreeTimeFacts, rules: FreeTimeRules, now: number): FreeTimeClock[] {
  return finish(freeTimeInParts(facts, rules, now))
}

export function* freeTimeInParts(facts: FreeTimeFacts, rules: FreeTimeRules, now: number): InParts<FreeTimeClock[]> {
  const { shipment, tracking } = facts
  if (!hasContainers(shipment)) return []
  const events = eventsByContainer(facts.events ?? (yield* codedEventsInParts(tracking)))
  const journey = journeyOf(tracking)
  const containers = trackedContainers(tracking, numbersOf(shipment))
  const clocks: FreeTimeClock[] = []
  for (const direction of freeTimeDirections) {
    const end = endOf(facts, rules, { direction, journey, now, events })
    for (const container of containers) {
      yield
      clocks.push(...clocksOfUnit(end, container))
    }
  }
  return clocks
}

type EventsByContainer = (container: string | undefined) => CodedEvent[]

/** The events of a container and of the whole shipment, in their order. */
function eventsByContainer(events: CodedEvent[]): EventsByContainer {
  const eventsOf = groupedBy(events, ({ container }) => container)
  const ofAll = eventsOf.get(undefined) ?? []
  return (container) => {
    const own = container === undefined ? undefined : eventsOf.get(container)
    return own ? [...own, ...ofAll].toSorted((one, other) => one.position - other.position) : ofAll
  }
}

// Goods of several shippers in one container are not theirs to return.
function hasContainers({ freight_mode, load_type }: ShipmentRecord): boolean {
  return (freight_mode === undefined || freight_mode === 'ocean' || freight_mode === 'rail') && load_type !== 'lcl'
}

/** One end of a journey: the port, its rules from the most specific on, and what was given. */
type End = {
  facts: FreeTimeFacts
  direction: FreeTimeDirection
  journey: Journey
  events: EventsByContainer
  terms: FreeTimeTerm[]
  hasTerms: boolean
  port: string | undefined
  place: Omit<PeriodPlace, 'timeZone'> & { timeZone: string | undefined }
  given: FreeTimeFact[]
  equipment: Map<string | undefined, EquipmentClass | undefined>
  now: number
}

function endOf(
  facts: FreeTimeFacts,
  rules: FreeTimeRules,
  { direction, journey, now, events }: Pick<End, 'direction' | 'journey' | 'now' | 'events'>,
): End {
  const { account, shipment, tracking } = facts
  const { svc_shipment_id, accepted_quote, booking_information, cargo, route } = shipment
  const step = tracking.tracking_steps?.[direction === 'import' ? journey.destination : journey.origin]
  const routed = direction === 'import' ? route?.destination_port_unlocode : route?.origin_port_unlocode
  const port = portCode(step?.port?.unlocode) ?? portCode(routed)
  const consignment = {
    account,
    svc_shipment_id,
    contract: accepted_quote?.id,
    carrier: booking_information?.carrier,
    port,
  }
  const present = presentNumbers(tracking)
  const given = (tracking.free_time ?? []).filter((fact) => fact.direction === direction)
  return {
    facts,
    direction,
    journey,
    events,
    terms: termsFor(rules, consignment)
      .filter((term) => term.direction === direction)
      .toSorted(bySpecificity),
    hasTerms: rules.hasTerms,
    port,
    place: {
      timeZone: port === undefined ? undefined : rules.zoneOf(port),
      calendar: calendarOf(port, rules.calendars),
    },
    given: given.map((fact) => {
      const container_number = present(fact.container_number)
      return container_number === undefined ? fact : { ...fact, container_number }
    }),
    equipment: new Map(
      (cargo?.containers ?? []).map((each) => [each.container_number, equipmentOfType(each.container_type)]),
    ),
    now,
  }
}

/** `NL/RTM` of what events and plans write: with a slash, a space or nothing between country and place. */
function portCode(unlocode: string | undefined): string | undefined {
  const letters = unlocode?.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  return letters?.length === 5 ? `${letters.slice(0, 2)}/${letters.slice(2)}` : undefined
}

function clocksOfUnit(end: End, container: string | undefined): FreeTimeClock[] {
  const { direction, facts, journey, now } = end
  const events = eventsOfUnit(end.events(container), container, direction, journey)
  const given = end.given.filter(({ container_number: number }) => number === undefined || number === container)
  const { terms, unruled } = termsOfUnit(end, container, events)
  const clocks = clockNames.filter(
    (clock) =>
      terms.has(clock) ||
      given.some((fact) => fact.clock === clock) ||
      (unruled.includes(clock) && findEvent(events, usualEvents[direction][clock].start_event) !== undefined),
  )
  // One clock says that nothing is known, where other rules exist.
  const isUnknown = clocks.every((clock) => clock === 'storage') && end.hasTerms
  const first = direction === 'import' ? 'demurrage' : 'detention'
  const hasStarted = findEvent(events, usualEvents[direction][first].start_event) !== undefined
  const named: FreeTimeClockName[] = isUnknown && hasStarted ? [first, ...clocks] : clocks
  return named.flatMap((clock) => {
    const term = terms.get(clock)
    const { start_event, stop_event } = term ?? usualEvents[direction][clock]
    const start = findEvent(events, start_event)
    const isOver = isOverFor(facts, start && stop_event)
    // What never began does not end.
    if (isOver && !start && !given.some((fact) => fact.clock === clock)) return []
    return clockOf({
      direction,
      clock,
      container,
      term,
      events,
      given: given.filter((fact) => fact.clock === clock),
      port: end.port,
      place: placeOf(end, start),
      tracking: facts.tracking,
      isOver,
      now,
    })
  })
}

/** The goods are there when a shipment is finished, but the empty container costs until it is returned. */
function isOverFor({ shipment: { status }, wasFinished }: FreeTimeFacts, runsTo: EventCode | undefined): boolean {
  if (status === 'finished') return wasFinished === true || runsTo !== 'EMPTY_IN'
  return status === 'cancelled'
}

/** Where the zone of a port is not known, days are those of the offset that its events are written with. */
function placeOf({ place }: End, start: CodedEvent | undefined): PeriodPlace {
  return { ...place, timeZone: place.timeZone ?? start?.date?.match(/[+-]\d\d:\d\d$/)?.[0] ?? 'UTC' }
}

/**
 * The rule of each clock. One free period for both, or one for each: whichever is more specific. A rule for one of them leaves
 * the other one without any: it runs, and nobody knows for how long it is free.
 */
function termsOfUnit(
  end: End,
  container: string | undefined,
  events: ClockEvents,
): { terms: Map<FreeTimeClockName, FreeTimeTerm>; unruled: FreeTimeClockName[] } {
  const terms = new Map<FreeTimeClockName, FreeTimeTerm>()
  for (const term of end.terms) {
    if (!terms.has(term.clock) && appliesTo(term, end, container, events)) terms.set(term.clock, term)
  }
  const combined = terms.get('combined')
  const [separate] = separateClocks.flatMap((clock) => terms.get(clock) ?? []).toSorted(bySpecificity)
  if (!combined || !separate) return { terms, unruled: [] }
  const isOne = compareSpecificity(combined, separate) <= 0
  for (const clock of isOne ? separateClocks : (['combined'] as const)) terms.delete(clock)
  return { terms, unruled: isOne ? [] : separateClocks.filter((clock) => !terms.has(clock)) }
}

const separateClocks = ['demurrage', 'detention'] as const

function appliesTo(term: FreeTimeTerm, end: End, container: string | undefined, events: ClockEvents): boolean {
  const start = findEvent(events, term.start_event)
  const { timeZone } = placeOf(end, start)
  // In force on the day of the event; today, as long as it has not happened.
  if (!isInForce(term, dateOfDay(dayOf(start ? at(start, timeZone) : end.now, timeZone)))) return false
  const terminal = start && end.facts.tracking.tracking_steps?.[start.step]?.events?.[start.index]?.facility
  return isForUnit(term, { equipment: end.equipment.get(container), terminal })
}
