import type { EventCode } from '../../contract/public/event-codes.js'
import { type CodedEvent, isNewer } from '../tracking/coded-events.js'
import { reaching } from '../tracking/journey-order.js'
import { plainName } from '../tracking/vessels.js'
import { type Condition, evidenceOf, type Findings, placeOf, type ShipmentFacts, threatenedLines } from './condition.js'
import { hour, hoursOf } from './thresholds.js'
import {
  instantOf,
  isActual,
  isStated,
  newest,
  type UnitEvents,
  unitEvents,
  vesselName,
  wholeShipment,
} from './unit-events.js'

/** Rules about single containers, or the whole shipment if nothing is said of containers. */

type Found = { condition?: Omit<Condition, 'svc_shipment_id' | 'container_number' | 'threatens'>; checks?: number[] }

function forUnits(
  facts: ShipmentFacts,
  rule: (unit: UnitEvents) => Found[],
  units: UnitEvents[] = unitEvents(facts),
): Findings {
  const found = units.flatMap((unit) => rule(unit).map((each) => ({ ...each, container: unit.container })))
  const { svc_shipment_id } = facts.shipment
  return {
    conditions: found.flatMap(({ condition, container }) =>
      condition
        ? [
            {
              ...condition,
              svc_shipment_id,
              ...(container !== undefined && { container_number: container }),
              threatens: threatenedLines(facts, container),
            },
          ]
        : [],
    ),
    checks: found.flatMap(({ checks = [] }) => checks),
  }
}

/** Events by which a unit has gone on from a step. */
function goesOn(step: number) {
  return (event: CodedEvent) =>
    isActual(event) &&
    ((event.code === 'LOADED' && event.step >= step) || (event.step > step && onward.has(event.code)))
}
const onward = new Set<EventCode>([...reaching, 'LOADED', 'DEPARTED', 'GATE_OUT', 'DELIVERED', 'EMPTY_IN'])

export function rolled(facts: ShipmentFacts): Findings {
  const whole = wholeShipment(facts)
  const rule = (unit: UnitEvents) => [
    leftBehind(facts, unit) ??
      (whole.includes(unit) ? {} : (laterSailing(facts, unit) ?? notLoaded(facts, unit, facts.journey.origin) ?? {})),
  ]
  return forUnits(facts, rule, [...unitEvents(facts), ...whole])
}

/** Said to be rolled or taken off, and not loaded since. */
function leftBehind(facts: ShipmentFacts, unit: UnitEvents): Found | undefined {
  const isLeft = (each: CodedEvent) => (each.code === 'ROLLED' || each.code === 'OFFLOADED') && isStated(each)
  const event = newest(unit.own.filter(isLeft))
  if (!event || hasEnded(facts, unit, (each) => goesOn(event.step)(each) && isNewer(event, each))) return undefined
  return {
    condition: {
      kind: 'rolled',
      severity: 'critical',
      reason_key: 'rolled',
      details: { code: event.code, ...where(facts, event) },
      since: since(event),
      evidence: [evidenceOf(facts, event)],
    },
  }
}

/** The newest plan has another vessel than the one before it, which leaves later. */
function laterSailing(facts: ShipmentFacts, { all }: UnitEvents): Found | undefined {
  const { origin } = facts.journey
  if (all.some(goesOn(origin)) || all.some((each) => isDeparture(each, origin) && isActual(each))) return undefined
  const plans = all.filter((each) => isDeparture(each, origin) && isExpected(each) && vesselKey(each) !== '')
  const now = newest(plans)
  const before = now && newest(plans.filter((each) => vesselKey(each) !== vesselKey(now)))
  if (!before || instantOf(now) <= instantOf(before)) return undefined
  return {
    condition: {
      kind: 'rolled',
      severity: 'warning',
      reason_key: 'later_sailing',
      details: { ...where(facts, now), date: now.date, previous_date: before.date },
      since: since(now),
      evidence: [evidenceOf(facts, now), evidenceOf(facts, before)],
    },
  }
}

/** The vessel has left the step while the container was there, and nobody says that it was loaded. */
function notLoaded(facts: ShipmentFacts, { container, own, all, ofAll }: UnitEvents, step: number): Found | undefined {
  if (container === undefined || step < 0) return undefined
  const isOrigin = step === facts.journey.origin
  const there = own.find(
    (each) => each.step === step && isActual(each) && (isOrigin ? each.code === 'GATE_IN' : reaching.has(each.code)),
  )
  const departure = newest(ofAll.filter((each) => isDeparture(each, step) && isActual(each)))
  if (!there || !departure || own.some((each) => isDeparture(each, step) && isActual(each))) return undefined
  if (all.some((each) => goesOn(step)(each))) return undefined
  const due = instantOf(departure) + facts.thresholds.not_loaded_hours * hour
  if (facts.now < due) return { checks: [due] }
  return {
    condition: {
      kind: isOrigin ? 'rolled' : 'missed_connection',
      severity: 'critical',
      reason_key: isOrigin ? 'not_loaded' : 'connection_departed',
      details: { ...where(facts, departure), date: departure.date },
      since: due,
      evidence: [evidenceOf(facts, departure), evidenceOf(facts, there)],
    },
  }
}

/** At the first transshipment from which the unit has not gone on yet. */
export function missedConnection(facts: ShipmentFacts): Findings {
  const { journey, thresholds, shipment } = facts
  const connections = journey.types.flatMap((type, step) => (type === 'transshipment_port' ? [step] : []))
  const least = hoursOf(thresholds, 'connection_hours', shipment.freight_mode)
  return forUnits(facts, (unit) => {
    const step = connections.find((each) => !unit.all.some(goesOn(each)))
    if (step === undefined) return []
    const missed = notLoaded(facts, unit, step)
    if (missed?.condition) return [missed]
    return [missed ?? {}, shortConnection(facts, unit, step, least)]
  })
}

function shortConnection(facts: ShipmentFacts, { own, all }: UnitEvents, step: number, least: number): Found {
  if (own.some((each) => isDeparture(each, step) && isActual(each))) return {}
  const arrivals = all.filter((each) => each.step === step && reaching.has(each.code) && each.date !== undefined)
  const arrival = newest(arrivals.filter(isActual)) ?? newest(arrivals.filter(isExpected))
  const departures = all.filter((each) => isDeparture(each, step) && each.date !== undefined)
  if (departures.some(isActual)) return {}
  const departure = newest(departures.filter(isExpected))
  if (!arrival || !departure || instantOf(departure) - instantOf(arrival) >= least) return {}
  return {
    condition: {
      kind: 'missed_connection',
      severity: instantOf(departure) < instantOf(arrival) ? 'critical' : 'warning',
      reason_key: 'connection_short',
      details: {
        ...where(facts, departure),
        date: departure.date,
        other_date: arrival.date,
        hours: Math.round((instantOf(departure) - instantOf(arrival)) / hour),
      },
      since: since(isNewer(arrival, departure) ? departure : arrival),
      evidence: [evidenceOf(facts, departure), evidenceOf(facts, arrival)],
    },
  }
}

const holds: { topic: string; codes: EventCode[]; releases: EventCode[] }[] = [
  {
    topic: 'customs',
    codes: ['CUSTOMS_HOLD', 'CUSTOMS_INSPECTION'],
    releases: ['CUSTOMS_RELEASED', 'CUSTOMS_CLEARED_EXPORT'],
  },
  { topic: 'carrier', codes: ['CARRIER_HOLD'], releases: ['CARRIER_RELEASED'] },
]
const leavesPort = new Set<EventCode>(['GATE_OUT', 'DELIVERED', 'EMPTY_IN'])

/** Held, and neither released nor gone since. */
export function hold(facts: ShipmentFacts): Findings {
  const rule = (unit: UnitEvents) =>
    holds.map(({ topic, codes, releases }): Found => {
      const event = newest(unit.own.filter((each) => codes.includes(each.code) && isStated(each)))
      if (!event) return {}
      const ends = (each: CodedEvent) =>
        isActual(each) &&
        (releases.includes(each.code) || (leavesPort.has(each.code) && each.step >= event.step)) &&
        isAfter(event, each)
      if (hasEnded(facts, unit, ends)) return {}
      return {
        condition: {
          kind: 'hold',
          topic,
          severity: 'warning',
          reason_key: event.code === 'CUSTOMS_INSPECTION' ? 'inspected' : 'held',
          details: { code: event.code, ...where(facts, event), ...(event.date !== undefined && { date: event.date }) },
          since: since(event),
          evidence: [evidenceOf(facts, event)],
        },
      }
    })
  return forUnits(facts, rule, [...unitEvents(facts), ...wholeShipment(facts)])
}

/** What is said of the whole shipment ends when it has ended for each container. */
function hasEnded(
  { units, decided }: ShipmentFacts,
  { container, all }: UnitEvents,
  ends: (event: CodedEvent) => boolean,
) {
  if (all.some(ends)) return true
  if (container !== undefined) return false
  const ended = new Set(decided.events.filter(ends).map((each) => each.container))
  return units.every((unit) => unit !== undefined && ended.has(unit))
}

/** Known later; what does not say when it was issued, happened later. */
function isAfter(event: CodedEvent, other: CodedEvent): boolean {
  if (event.issuedAt !== undefined && other.issuedAt !== undefined) return isNewer(event, other)
  return event.step === other.step ? isNewer(event, other) : instantOf(other) >= instantOf(event)
}

function where(facts: ShipmentFacts, event: CodedEvent) {
  const place = placeOf(facts, event.step)
  const vessel = vesselName(event)
  return { ...(place !== undefined && { place }), ...(vessel !== undefined && { vessel }) }
}

function since(event: CodedEvent): number | undefined {
  return isStated(event) && event.date !== undefined ? instantOf(event) : event.issuedAt
}

function isDeparture({ code, step }: CodedEvent, at: number): boolean {
  return code === 'DEPARTED' && step === at
}

function isExpected({ status, date }: CodedEvent): boolean {
  return (status === 'planned' || status === 'estimated') && date !== undefined
}

function vesselKey({ vessel }: CodedEvent): string {
  return vessel?.imo ?? plainName(vessel?.name)
}
