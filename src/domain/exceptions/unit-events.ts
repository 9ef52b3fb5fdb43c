import { groupedBy } from '../records/grouping.js'
import { type CodedEvent, isNewer } from '../tracking/coded-events.js'
import type { ShipmentFacts } from './condition.js'

/** A container with its events and those of the whole shipment; containers without events of their own are one. */
export type UnitEvents = { container: string | undefined; own: CodedEvent[]; ofAll: CodedEvent[]; all: CodedEvent[] }

// Of a shipment with more containers the first ones are watched.
const mostUnits = 100

// Several rules of one shipment ask for them.
const unitEventsOf = new WeakMap<ShipmentFacts, UnitEvents[]>()

export function unitEvents(facts: ShipmentFacts): UnitEvents[] {
  const known = unitEventsOf.get(facts)
  if (known) return known
  const found = eventsOfUnits(facts)
  unitEventsOf.set(facts, found)
  return found
}

function eventsOfUnits({ decided, units }: ShipmentFacts): UnitEvents[] {
  const eventsOf = groupedBy(decided.events, ({ container }) => container)
  const ofAll = eventsOf.get(undefined) ?? []
  const named = units.flatMap((container) => {
    const own = container === undefined ? undefined : eventsOf.get(container)
    return own ? [{ container, own, ofAll, all: [...own, ...ofAll] }] : []
  })
  const isRest = named.length < units.length
  return [...named.slice(0, mostUnits), ...(isRest ? [{ container: undefined, own: ofAll, ofAll, all: ofAll }] : [])]
}

/**
 * Events of the whole shipment, if `unitEvents` has it with each container only: a hold of a bill of lading names no
 * container.
 */
export function wholeShipment(facts: ShipmentFacts): UnitEvents[] {
  if (unitEvents(facts).some(({ container }) => container === undefined)) return []
  const ofAll = facts.decided.events.filter(({ container }) => container === undefined)
  return [{ container: undefined, own: ofAll, ofAll, all: ofAll }]
}

export function isActual({ status, date }: CodedEvent): boolean {
  return status === 'actual' && date !== undefined
}

/** Events that say that something went wrong are marked as actual or as a problem. */
export function isStated({ status }: CodedEvent): boolean {
  return status === 'actual' || status === 'problem'
}

export function newest(events: CodedEvent[]): CodedEvent | undefined {
  return events.reduce<CodedEvent | undefined>((one, other) => (one && !isNewer(one, other) ? one : other), undefined)
}

/** By when they happened. */
export function latest(events: CodedEvent[]): CodedEvent | undefined {
  return events.reduce<CodedEvent | undefined>((one, other) => (one && one.at >= other.at ? one : other), undefined)
}

export function vesselName({ vessel }: CodedEvent): string | undefined {
  return vessel?.name ?? vessel?.imo
}
