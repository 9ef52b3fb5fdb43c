import { day, hour } from '../dates/local-time.js'
import { type CodedEvent, isNewer } from '../tracking/coded-events.js'
import { isExpected } from '../tracking/shifted-dates.js'
import { areNamed, isSameVessel } from '../tracking/unit-vessels.js'
import { type Condition, evidenceOf, type ShipmentFacts } from './condition.js'
import { isActual, newest, type UnitEvents } from './unit-events.js'
import { type Found, goesOn, isDeparture, where } from './unit-findings.js'

/** Departures of vessels for which a container was planned, without it. */

/** From a step, the earliest first: those of vessels, and of single containers, since many sources report nothing else. */
export function actualDepartures({ decided }: ShipmentFacts, step: number): CodedEvent[] {
  return decided.events
    .filter((each) => isDeparture(each, step) && isActual(each))
    .toSorted((one, other) => one.at - other.at)
}

/** Those of the vessel for which the unit was planned, that are not reported of the unit itself. */
export function departuresWithout(unit: UnitEvents, departures: CodedEvent[]): CodedEvent[] {
  const { container, own, ofAll } = unit
  const others = departures.filter((each) =>
    container === undefined ? each.container === undefined : each.container !== container,
  )
  return others.filter((departure) => {
    const plan = planBefore(own, departure) ?? planOfAll(ofAll, departure)
    if (!plan) return true
    // A substitute leaves at about the time that was planned; what is planned for a container itself is known better.
    const isAboutThen = plan.at < departure.at + day
    if (areNamed(plan, departure)) return isSameVessel(plan, departure) || (plan.container === undefined && isAboutThen)
    return departure.container === undefined || isAboutThen
  })
}

function planBefore(events: CodedEvent[], departure: CodedEvent): CodedEvent | undefined {
  return newest(
    events.filter((each) => isDeparture(each, departure.step) && isExpected(each) && !isNewer(departure, each)),
  )
}

// The events of the whole shipment are the same for all of its containers: with thousands of events, each departure is looked up once.
const plansOfAll = new WeakMap<CodedEvent[], Map<CodedEvent, CodedEvent | undefined>>()

function planOfAll(ofAll: CodedEvent[], departure: CodedEvent): CodedEvent | undefined {
  const plans = plansOfAll.get(ofAll) ?? new Map<CodedEvent, CodedEvent | undefined>()
  plansOfAll.set(ofAll, plans)
  if (!plans.has(departure)) plans.set(departure, planBefore(ofAll, departure))
  return plans.get(departure)
}

type Leaving = Pick<Condition, 'kind' | 'reason_key'> & {
  step: number
  /** By which the container was there. */
  there: CodedEvent[]
  /** Those without it. */
  departures: CodedEvent[]
}

/** Its vessel has left while the container was there, and some hours later nobody says that it was loaded. */
export function leftWithout(
  facts: ShipmentFacts,
  unit: UnitEvents,
  { step, there, departures, kind, reason_key }: Leaving,
): Found | undefined {
  const { container, own, all } = unit
  if (container === undefined || step < 0 || there.length === 0) return undefined
  if (own.some((each) => isDeparture(each, step) && isActual(each)) || all.some(goesOn(step))) return undefined
  const came = there.reduce((one, other) => (one.at <= other.at ? one : other))
  const departure = departures.find((each) => came.span.from <= each.span.to)
  if (!departure) return undefined
  const due = departure.span.to + facts.thresholds.not_loaded_hours * hour
  if (facts.now < due) return { checks: [due] }
  return {
    condition: {
      kind,
      severity: 'critical',
      reason_key,
      details: { ...where(facts, departure), date: departure.date },
      since: due,
      evidence: [evidenceOf(facts, departure), evidenceOf(facts, came)],
    },
  }
}
