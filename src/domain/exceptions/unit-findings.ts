import type { EventCode } from '../../contract/public/event-codes.js'
import type { CodedEvent } from '../tracking/coded-events.js'
import { reaching } from '../tracking/journey-order.js'
import { type Condition, type Findings, placeOf, type ShipmentFacts, threatenedLines } from './condition.js'
import { isActual, isStated, type UnitEvents, unitEvents, vesselName } from './unit-events.js'

/** What rules about single containers share. */

export type Found = {
  condition?: Omit<Condition, 'svc_shipment_id' | 'container_number' | 'threatens'>
  checks?: number[]
}

export function forUnits(
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
export function goesOn(step: number) {
  return (event: CodedEvent) =>
    isActual(event) &&
    ((event.code === 'LOADED' && event.step >= step) || (event.step > step && onward.has(event.code)))
}
const onward = new Set<EventCode>([...reaching, 'LOADED', 'DEPARTED', 'GATE_OUT', 'DELIVERED', 'EMPTY_IN'])

export function where(facts: ShipmentFacts, event: CodedEvent) {
  const place = placeOf(facts, event.step)
  const vessel = vesselName(event)
  return { ...(place !== undefined && { place }), ...(vessel !== undefined && { vessel }) }
}

export function since(event: CodedEvent): number | undefined {
  return isStated(event) && event.date !== undefined ? event.at : event.issuedAt
}

export function isDeparture({ code, step }: CodedEvent, at: number): boolean {
  return code === 'DEPARTED' && step === at
}

/** A condition of the whole shipment ends when it has ended for each container. */
export function hasEnded(
  { units, decided }: ShipmentFacts,
  { container, all }: UnitEvents,
  ends: (event: CodedEvent) => boolean,
) {
  if (all.some(ends)) return true
  if (container !== undefined) return false
  const ended = new Set(decided.events.filter(ends).map((each) => each.container))
  return units.every((unit) => unit !== undefined && ended.has(unit))
}
