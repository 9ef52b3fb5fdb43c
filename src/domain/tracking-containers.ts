import type { TrackingRecord } from '../contract/tracking.js'

/** The containers that events name. */
export function namedContainers({ tracking_steps = [] }: TrackingRecord): Set<string> {
  return new Set(
    tracking_steps.flatMap(({ events = [] }) => events.flatMap(({ container_number }) => container_number ?? [])),
  )
}

/**
 * What must have got somewhere before the shipment has: each of its containers, and each that an event names.
 * Undefined is the shipment as a whole, where there are none.
 */
export function trackedContainers(tracking: TrackingRecord, ofShipment: string[]): (string | undefined)[] {
  const containers = namedContainers(tracking)
  for (const number of ofShipment) containers.add(number)
  return containers.size > 0 ? [...containers] : [undefined]
}
