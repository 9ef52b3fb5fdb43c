import type { EventCode } from '../../contract/public/event-codes.js'
import { hour } from '../dates/local-time.js'
import { groupedBy } from '../records/grouping.js'
import { type CodedEvent, isNewer } from './coded-events.js'
import { leaving, reaching } from './journey-order.js'
import type { Journey } from './milestones.js'
import { plainName } from './vessels.js'

/**
 * Which of the events of vessels concern a unit: those of the vessel that it is on then, as far as its own events
 * show. Where vessels have no names, or the units have no events themselves, all do.
 */

export type VesselEvents = {
  /** Events of the vessels of the unit, and of the whole shipment. */
  concerning: CodedEvent[]
  /** What is expected of other vessels, which counts where nothing is expected of its own. */
  others: CodedEvent[]
  /** The departure of a vessel that the unit is not on, as it has been planned for another one since. */
  contradicted: CodedEvent | undefined
}

/** By container; undefined stands for a shipment without any. */
export function vesselEventsOf(
  events: CodedEvent[],
  journey: Journey,
): (container: string | undefined) => VesselEvents {
  const eventsOf = groupedBy(events, ({ container }) => container)
  const ofAll = eventsOf.get(undefined) ?? []
  const ofVessels = ofAll.filter(({ code }) => code === 'DEPARTED' || reaching.has(code))
  const loadedAt = new Set(
    events.flatMap(({ code, container, status, step }) =>
      code === 'LOADED' && container !== undefined && status === 'actual' ? step : [],
    ),
  )
  const plannedOfVessels = ofVessels.filter(isPlannedDeparture)
  // A shipment may have thousands of units, most of them on the same vessels: those share one result.
  const known = new Map<string, VesselEvents>()
  let ofUnreported: VesselEvents | undefined
  return (container) => {
    const own = eventsOf.get(container)
    if (own || container === undefined) return eventsOfUnit(container, own ?? [])
    ofUnreported ??= eventsOfUnit(container, [])
    return ofUnreported
  }

  function eventsOfUnit(container: string | undefined, own: CodedEvent[]): VesselEvents {
    const actual = own.filter(({ status }) => status === 'actual')
    const planned = [...plannedOfVessels, ...own.filter(isPlannedDeparture)]
    const unit: Unit = { container, own, actual, planned, journey, loadedAt, boardings: new Map() }
    const isConcerned = decidedOnce(kindOf, (event) => isOn(unit, event))
    const excluded = new Set(ofVessels.filter((event) => !isConcerned(event)))
    const contradicted = [...excluded].find((event) => isContradicted(unit, event))
    const key = `${[...excluded].map(({ position }) => position).join()} ${contradicted?.position}`
    const found = known.get(key) ?? {
      concerning: excluded.size > 0 ? ofAll.filter((event) => !excluded.has(event)) : ofAll,
      others: [...excluded].filter(({ status }) => status !== 'actual'),
      contradicted,
    }
    known.set(key, found)
    return found
  }
}

function isPlannedDeparture({ code, status, vessel }: CodedEvent): boolean {
  return code === 'DEPARTED' && status !== 'actual' && vessel !== undefined
}

/** What is reported again and again of one vessel at one place is decided once; undefined: it depends on more. */
function kindOf({ code, status, step, vessel }: CodedEvent): string | undefined {
  if (code === 'DEPARTED' && status === 'actual') return undefined
  return `${code === 'DEPARTED'} ${status === 'actual'} ${step} ${vessel?.imo} ${vessel?.name}`
}

function decidedOnce<Result>(
  keyOf: (event: CodedEvent) => string | undefined,
  decide: (event: CodedEvent) => Result,
): (event: CodedEvent) => Result {
  const decided = new Map<string, Result>()
  return (event) => {
    const key = keyOf(event)
    const result = (key === undefined ? undefined : decided.get(key)) ?? decide(event)
    if (key !== undefined) decided.set(key, result)
    return result
  }
}

/** What decides whether the events of a vessel are those of a unit. */
type Unit = {
  container: string | undefined
  /** Events of the unit itself, and those of them that have happened. */
  own: CodedEvent[]
  actual: CodedEvent[]
  /** The departures that are expected of named vessels. */
  planned: CodedEvent[]
  journey: Journey
  /** The steps at which containers are reported as loaded. */
  loadedAt: Set<number>
  boardings: Map<number, Boarding | undefined>
}

function isOn(unit: Unit, event: CodedEvent): boolean {
  return event.code === 'DEPARTED' ? departsWith(unit, event) : arrivesWith(unit, event)
}

const boarding = new Set<EventCode>(['LOADED', 'ROLLED', 'OFFLOADED'])

/** The last report about being on board at a step, and whether the unit had been left behind, or taken off, there. */
export type Boarding = { last: CodedEvent; isOnBoard: boolean; wasLeft: boolean }

export function boardingAt(own: CodedEvent[], step: number, { origin, types }: Journey): Boarding | undefined {
  // Events at the doors before the first port are about its vessel.
  const isThere = (each: CodedEvent) =>
    each.step === step || (step === origin && each.step < origin && types[each.step] !== 'transshipment_port')
  const there = own.filter(
    (each) =>
      (boarding.has(each.code) || each.code === 'DISCHARGED') &&
      (each.status === 'actual' || each.status === 'problem') &&
      isThere(each),
  )
  const last = newest(there.filter(({ code }) => code !== 'DISCHARGED'))
  if (!last) return undefined
  const offs = there.filter(({ code }) => code === 'DISCHARGED')
  // What comes from another vessel was discharged before it was loaded, whatever their dates say.
  const isOff = (each: CodedEvent) => isSameVessel(each, last) && each.span.from > last.span.to
  const off = last.code === 'LOADED' ? offs.find(isOff) : undefined
  const isTakenOff = (each: CodedEvent) =>
    there.some((loaded) => loaded.code === 'LOADED' && loaded.span.to < each.span.from)
  const wasLeft = there.some(({ code }) => code === 'ROLLED' || code === 'OFFLOADED') || offs.some(isTakenOff)
  return { last: off ?? last, isOnBoard: last.code === 'LOADED' && !off, wasLeft }
}

// A vessel is reported to have left at most this long before a container is reported on board.
const late = 24 * hour

function boardingOf({ own, journey, boardings }: Unit, step: number): Boarding | undefined {
  if (!boardings.has(step)) boardings.set(step, boardingAt(own, step, journey))
  return boardings.get(step)
}

function departsWith(unit: Unit, event: CodedEvent): boolean {
  const { actual, container } = unit
  const { step } = event
  const isActual = event.status === 'actual'
  const known = boardingOf(unit, step)
  if (known) {
    const { last, isOnBoard, wasLeft } = known
    if (isOnBoard) {
      const before = last.at - event.at
      return isSameVessel(event, last) && !(isActual && before > (wasLeft ? 0 : late))
    }
    // Of a shipment without containers others may depart.
    return !isActual || (container === undefined && !(areNamed(event, last) && isSameVessel(event, last)))
  }
  if (!isActual) return true
  const there = actual.filter((each) => each.step === step)
  const came = there.filter(({ code }) => code === 'GATE_IN').map((each) => each.span.from)
  if (came.length > 0 && Math.min(...came) > event.span.to + late) return false
  if (isContradicted(unit, event)) return false
  const isAshore = container !== undefined && (there.some(({ code }) => code === 'DISCHARGED') || isLeftOut(unit, step))
  return !isAshore || wasSeenAfter(unit, step)
}

function arrivesWith(unit: Unit, event: CodedEvent): boolean {
  const { actual, journey, loadedAt } = unit
  const { step, vessel } = event
  if (vessel === undefined || step <= journey.origin) return true
  if (
    actual.some(
      (each) => each.step === step && reaching.has(each.code) && areNamed(each, event) && isSameVessel(each, event),
    )
  )
    return true
  const moves = actual.filter(({ code, step: at }) => at < step && (code === 'LOADED' || code === 'DISCHARGED'))
  const last = moves.toSorted((one, other) => one.at - other.at).at(-1)
  const known = boardingOf(unit, last?.step ?? journey.origin)
  if (known?.isOnBoard) return isSameVessel(known.last, event)
  if (last?.code === 'DISCHARGED' || known) {
    const left = last?.code === 'DISCHARGED' ? leftVessel(last, moves) : (known?.last as CodedEvent)
    if (left.vessel === undefined) return last?.code === 'DISCHARGED' || wasSeenFrom(unit, step)
    return !isSameVessel(left, event) && (event.status !== 'actual' || wasSeenFrom(unit, step))
  }
  const isLeft = event.status === 'actual' && [...loadedAt].some((at) => at < step && isLeftOut(unit, at))
  return !isLeft || wasSeenFrom(unit, step)
}

/** The discharge with its vessel, or else the loading before it. */
function leftVessel(discharged: CodedEvent, moves: CodedEvent[]): CodedEvent {
  if (discharged.vessel !== undefined) return discharged
  const loaded = moves.filter(({ code, step }) => code === 'LOADED' && step < discharged.step)
  return loaded.toSorted((one, other) => one.at - other.at).at(-1) ?? discharged
}

/** Others are reported as loaded there, and this one has another event. */
function isLeftOut({ container, actual, own, loadedAt }: Unit, step: number): boolean {
  const isReported = actual.some((each) => each.step <= step)
  return container !== undefined && loadedAt.has(step) && isReported && !own.some(({ code }) => code === 'LOADED')
}

/** The unit is planned to depart with another vessel since, and nothing says that it has departed. */
function isContradicted(unit: Unit, event: CodedEvent): boolean {
  const { journey, planned } = unit
  if (event.code !== 'DEPARTED' || event.status !== 'actual' || event.step !== journey.origin) return false
  if (boardingOf(unit, event.step) || wasSeenAfter(unit, event.step)) return false
  const { issuedAt } = event
  return planned.some(
    (each) =>
      each.step === event.step &&
      areNamed(each, event) &&
      !isSameVessel(each, event) &&
      issuedAt !== undefined &&
      each.issuedAt !== undefined &&
      each.issuedAt > issuedAt,
  )
}

const onward = new Set<EventCode>([
  ...reaching,
  'AVAILABLE',
  'GATE_OUT',
  'OUT_FOR_DELIVERY',
  'DELIVERED',
  'STRIPPED',
  'EMPTY_IN',
])

function wasSeenFrom({ actual }: Unit, step: number): boolean {
  return actual.some((each) => each.step >= step && onward.has(each.code))
}

function wasSeenAfter({ actual }: Unit, step: number): boolean {
  return actual.some((each) => each.step > step && (onward.has(each.code) || leaving.has(each.code)))
}

export function areNamed({ vessel: one }: CodedEvent, { vessel: other }: CodedEvent): boolean {
  return one !== undefined && other !== undefined
}

/** Also if one of them does not name it. Sources mistake a number or a name, but hardly both. */
export function isSameVessel({ vessel: one }: CodedEvent, { vessel: other }: CodedEvent): boolean {
  const pairs = [
    [one?.imo, other?.imo],
    [one?.name && plainName(one.name), other?.name && plainName(other.name)],
  ].filter((pair) => pair.every((each) => each !== undefined))
  return pairs.length === 0 || pairs.some(([a, b]) => a === b)
}

function newest(events: CodedEvent[]): CodedEvent | undefined {
  return events.reduce<CodedEvent | undefined>((one, other) => (one && !isNewer(one, other) ? one : other), undefined)
}
