import type { TrackingRecord } from '../../contract/public/tracking.js'
import { groupedBy } from '../records/grouping.js'
import type { InParts } from '../records/in-parts.js'
import { type CodedEvent, codedEventsInParts } from './coded-events.js'
import { type Journey, journeyOf } from './milestones.js'
import { trackedContainers } from './tracking-containers.js'
import { type VesselEvents, vesselEventsOf } from './unit-vessels.js'

/** The events of a container, or of the whole shipment if it has none: its own, and those of its vessels. */
type UnitEvents = { container: string | undefined; own: CodedEvent[]; ofVessels: VesselEvents }

/** What is known of each unit of a shipment: its dates and its status follow from it. */
export type KnownUnits = { events: CodedEvent[]; journey: Journey; units: UnitEvents[] }

export function* knownUnitsInParts(tracking: TrackingRecord, ofShipment: string[]): InParts<KnownUnits> {
  const events = yield* codedEventsInParts(tracking)
  const journey = journeyOf(tracking)
  const eventsOf = groupedBy(events, ({ container }) => container)
  const vesselEvents = vesselEventsOf(events, journey)
  const units: UnitEvents[] = []
  for (const container of trackedContainers(tracking, ofShipment)) {
    yield
    const own = container === undefined ? [] : (eventsOf.get(container) ?? [])
    units.push({ container, own, ofVessels: vesselEvents(container) })
  }
  return { events, journey, units }
}
