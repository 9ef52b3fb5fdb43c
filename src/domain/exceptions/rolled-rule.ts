import { day } from '../dates/local-time.js'
import { type CodedEvent, isNewer } from '../tracking/coded-events.js'
import { moveBetween } from '../tracking/event-span.js'
import { isExpected } from '../tracking/shifted-dates.js'
import { isSameVessel } from '../tracking/unit-vessels.js'
import { evidenceOf, type Findings, findRaised, type ShipmentFacts } from './condition.js'
import { actualDepartures, departuresWithout, leftWithout } from './departures.js'
import { hoursOf } from './thresholds.js'
import { isActual, isStated, newest, type UnitEvents, unitEvents, wholeShipment } from './unit-events.js'
import { type Found, forUnits, goesOn, hasEnded, isDeparture, since, where } from './unit-findings.js'

/** Left behind at the origin: reported so, moved to a later sailing, or not loaded when the vessel left. */

export function rolled(facts: ShipmentFacts): Findings {
  const departures = actualDepartures(facts, facts.journey.origin)
  const whole = wholeShipment(facts)
  const rule = (unit: UnitEvents) => [
    leftBehind(facts, unit) ??
      (whole.includes(unit) ? {} : (laterSailing(facts, unit) ?? notLoaded(facts, unit, departures) ?? {})),
  ]
  return forUnits(facts, rule, [...unitEvents(facts), ...whole])
}

/** Reported as rolled or taken off, and not loaded since. */
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

/** Another sailing than the first that was planned, which leaves later. */
function laterSailing(facts: ShipmentFacts, { container, all }: UnitEvents): Found | undefined {
  const { journey, thresholds, shipment } = facts
  const { origin } = journey
  if (all.some(goesOn(origin)) || all.some((each) => isDeparture(each, origin) && isActual(each))) return undefined
  const plans = all.filter((each) => isDeparture(each, origin) && isExpected(each) && each.vessel !== undefined)
  const first = plans.reduce<CodedEvent | undefined>(
    (one, other) => (one && isNewer(one, other) ? one : other),
    undefined,
  )
  const now = newest(plans)
  const before = first && newest(plans.filter((each) => isSameSailing(first, each)))
  if (!now || !before || isSameSailing(before, now)) return undefined
  const raise = hoursOf(thresholds, 'eta_slip_hours', shipment.freight_mode)
  const isRaised = findRaised(facts, 'rolled', container === undefined ? {} : { container_number: container })
  if (moveBetween(before, now) < (isRaised ? raise / 2 : raise)) return undefined
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

// Sooner than that a vessel is late, and its source has another name for the voyage.
const leastBetweenVoyages = 7 * day

function isSameSailing(one: CodedEvent, other: CodedEvent): boolean {
  if (!isSameVessel(one, other)) return false
  const [voyage, otherVoyage] = [one, other].map(({ vessel }) => vessel?.voyage?.toUpperCase().replace(/^0+/, ''))
  const isOther = voyage !== undefined && otherVoyage !== undefined && voyage !== otherVoyage
  return !(isOther && Math.abs(moveBetween(one, other)) >= leastBetweenVoyages)
}

/** Its vessel has left the origin while the container was there, and nobody says that it was loaded. */
function notLoaded(facts: ShipmentFacts, unit: UnitEvents, departures: CodedEvent[]): Found | undefined {
  const { origin } = facts.journey
  const there = unit.own.filter((each) => each.step === origin && isActual(each) && each.code === 'GATE_IN')
  if (there.length === 0) return undefined
  const without = departuresWithout(unit, departures)
  return leftWithout(facts, unit, {
    step: origin,
    there,
    departures: without,
    kind: 'rolled',
    reason_key: 'not_loaded',
  })
}
