import type { TrackingRecord } from '../../contract/public/tracking.js'

/** The containers that events refer to. */
export function namedContainers({ tracking_steps = [] }: TrackingRecord): Set<string> {
  return new Set(
    tracking_steps.flatMap(({ events = [] }) => events.flatMap(({ container_number }) => container_number ?? [])),
  )
}

/**
 * The containers that must reach a place before the shipment has: its own, and those that events refer to. Without any, a
 * single undefined stands for the whole shipment.
 */
export function trackedContainers(tracking: TrackingRecord, ofShipment: string[]): (string | undefined)[] {
  const containers = namedContainers(tracking)
  for (const number of ofShipment) containers.add(number)
  return containers.size > 0 ? [...containers] : [undefined]
}
