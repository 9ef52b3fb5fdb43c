import { hour } from '../dates/local-time.js'
import { type CodedEvent, isNewer } from '../tracking/coded-events.js'
import { reaching } from '../tracking/journey-order.js'
import { isExpected } from '../tracking/shifted-dates.js'
import { areNamed, isSameVessel } from '../tracking/unit-vessels.js'
import { evidenceOf, type Findings, findRaised, type ShipmentFacts } from './condition.js'
import { actualDepartures, departuresWithout, leftWithout } from './departures.js'
import { hoursOf } from './thresholds.js'
import { isActual, newest, type UnitEvents } from './unit-events.js'
import { type Found, forUnits, goesOn, isDeparture, since, where } from './unit-findings.js'

/** At each transshipment from which the unit has not gone on yet. Raised below the threshold, and cleared at half more. */
export function missedConnection(facts: ShipmentFacts): Findings {
  const connections = facts.journey.types.flatMap((type, step) => (type === 'transshipment_port' ? [step] : []))
  const known = connections.map((step) => ({ step, departures: actualDepartures(facts, step) }))
  return forUnits(facts, (unit) =>
    known.flatMap(({ step, departures }, index) => {
      if (unit.all.some(goesOn(step))) return []
      // Connections are exceptions of their own; the first one had none beside it once, and has no topic.
      const topic = index === 0 ? {} : { topic: String(index + 1) }
      return foundAt(facts, unit, { step, departures, topic }).map(({ condition, ...rest }) => ({
        ...rest,
        ...(condition && { condition: { ...condition, ...topic } }),
      }))
    }),
  )
}

type Connection = {
  step: number
  departures: CodedEvent[]
  topic: { topic?: string }
}

function foundAt(facts: ShipmentFacts, unit: UnitEvents, { step, departures: actual, topic }: Connection): Found[] {
  const { container, own, all } = unit
  const isOwnDeparture = (each: CodedEvent) => container !== undefined && isDeparture(each, step) && isActual(each)
  if (own.some(isOwnDeparture)) return []
  // The vessel on which it comes also leaves again, and the one on which it goes on also arrives.
  const inbound = newest(
    all.filter((each) => each.step < step && isActual(each) && (each.code === 'LOADED' || each.code === 'DEPARTED')),
  )
  const isInbound = (each: CodedEvent) =>
    inbound !== undefined && areNamed(inbound, each) && isSameVessel(inbound, each)
  const isOther = (each: CodedEvent) => inbound !== undefined && areNamed(inbound, each) && !isSameVessel(inbound, each)
  const arrivals = all.filter(
    (each) => each.step === step && reaching.has(each.code) && each.date !== undefined && !isOther(each),
  )
  const arrival = newest(arrivals.filter(isActual)) ?? newest(arrivals.filter(isExpected))
  const departures = departuresWithout(
    unit,
    actual.filter((each) => !isInbound(each)),
  )
  const there = own.filter((each) => container !== undefined && arrivals.includes(each) && isActual(each))
  if (!arrival) return []
  const before = leftBefore(facts, { arrival, departures, isAshore: there.length > 0 })
  if (before) return [before]
  const missed = leftWithout(facts, unit, {
    step,
    there,
    departures,
    kind: 'missed_connection',
    reason_key: 'connection_departed',
  })
  if (missed?.condition) return [missed]
  const isRaised = findRaised(facts, 'missed_connection', {
    ...topic,
    ...(container !== undefined && { container_number: container }),
  })
  // What is raised and ashore stays so until it is loaded, or is found to be left behind.
  const left = departures.at(-1)
  if (left && !(isRaised && missed)) return []
  const expected = newest(all.filter((each) => isDeparture(each, step) && isExpected(each) && !isInbound(each)))
  const least = hoursOf(facts.thresholds, 'connection_hours', facts.shipment.freight_mode)
  return [
    missed ?? {},
    shortConnection(facts, { arrival, departure: left ?? expected, least: isRaised ? least * 1.5 : least }),
  ]
}

/** It left before the unit came, or is to come: until the unit leaves with another one. */
function leftBefore(
  facts: ShipmentFacts,
  { arrival, departures, isAshore }: { arrival: CodedEvent; departures: CodedEvent[]; isAshore: boolean },
): Found | undefined {
  const { from } = arrival.span
  const departure = departures.find((each) => each.span.to < from)
  if (!departure) return undefined
  // A unit whose discharge is reported is not taken for loaded until its loading is reported, too.
  if (!isAshore && departures.some((each) => each.container === undefined && each.span.to >= from)) return undefined
  return {
    condition: {
      kind: 'missed_connection',
      severity: 'critical',
      reason_key: 'connection_departed',
      details: { ...where(facts, departure), date: departure.date },
      since: departure.at,
      evidence: [evidenceOf(facts, departure), evidenceOf(facts, arrival)],
    },
  }
}

type Short = { arrival: CodedEvent; departure: CodedEvent | undefined; least: number }

function shortConnection(facts: ShipmentFacts, { arrival, departure, least }: Short): Found {
  if (!departure || departure.at - arrival.at >= least) return {}
  return {
    condition: {
      kind: 'missed_connection',
      severity: departure.at < arrival.at ? 'critical' : 'warning',
      reason_key: 'connection_short',
      details: {
        ...where(facts, departure),
        date: departure.date,
        other_date: arrival.date,
        hours: Math.round((departure.at - arrival.at) / hour),
      },
      since: since(isNewer(arrival, departure) ? departure : arrival),
      evidence: [evidenceOf(facts, departure), evidenceOf(facts, arrival)],
    },
  }
}
