import type { TrackingRecord } from '../../contract/public/tracking.js'

/** What a container is called now, if its goods were moved to another one. */
export function presentNumbers({ replaced_units = [] }: Pick<TrackingRecord, 'replaced_units'>) {
  const present = new Map<string, string>()
  // From the last one on: where the goods in a container have gone since.
  const gone = new Map<string, string>()
  for (const { container_number, replaced_by } of replaced_units.toReversed()) {
    const now = gone.get(replaced_by) ?? replaced_by
    gone.set(container_number, now)
    if (!present.has(container_number)) present.set(container_number, now)
  }
  return (number: string | undefined) => (number === undefined ? undefined : (present.get(number) ?? number))
}

/** The containers that events refer to. */
export function namedContainers(tracking: Pick<TrackingRecord, 'tracking_steps' | 'replaced_units'>): Set<string> {
  const { tracking_steps = [] } = tracking
  const present = presentNumbers(tracking)
  return new Set(
    tracking_steps.flatMap(({ events = [] }) =>
      events.flatMap(({ container_number }) => present(container_number) ?? []),
    ),
  )
}

/**
 * The containers that must reach a place before the shipment has: its own, and those that events refer to. Without any, a
 * single undefined stands for the whole shipment.
 */
export function trackedContainers(tracking: TrackingRecord, ofShipment: string[]): (string | undefined)[] {
  // In the order of the shipment, whichever has events first.
  const containers = new Set([...ofShipment, ...namedContainers(tracking)])
  return containers.size > 0 ? [...containers] : [undefined]
}
