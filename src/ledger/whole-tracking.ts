import type { ShipmentRecord } from '../contract/public/shipment.js'
import type { TrackingRecord, TrackingStepRecord } from '../contract/public/tracking.js'
import { finish, type InParts } from '../domain/records/in-parts.js'
import { numbersOf } from '../domain/shipments/shipment-cargo.js'
import type { CarriedTracking } from '../domain/tracking/coded-events.js'
import { withImpossibleEvents } from '../domain/tracking/impossible-events.js'
import { type TrackingEntries, withEntries } from '../domain/tracking/tracking.js'
import { type DatedUnits, datedUnitsInParts } from '../domain/tracking/tracking-dates.js'
import { type KnownUnits, knownUnitsInParts } from '../domain/tracking/unit-events.js'
import { findPlace, type Purpose } from '../geography/places.js'
import { greatCircleKm } from '../geography/point.js'

type Mode = NonNullable<ShipmentRecord['freight_mode']>

const purposes: Record<Mode, Purpose> = { ocean: 'sea', air: 'air', rail: 'rail', truck: 'road' }

/** The tracking with its entries, from which everything is derived that is shown: events that cannot be true are marked. */
export function wholeTracking(
  record: TrackingRecord,
  entries: TrackingEntries,
  shipment: ShipmentOfTracking | undefined,
): TrackingRecord {
  return finish(wholeTrackingInParts(record, entries, shipment))
}

type ShipmentOfTracking = Pick<ShipmentRecord, 'freight_mode' | 'cargo_ready_date' | 'created_at'>

export function* wholeTrackingInParts(
  record: TrackingRecord,
  entries: TrackingEntries,
  shipment: ShipmentOfTracking | undefined,
): InParts<TrackingRecord> {
  const { freight_mode: mode, cargo_ready_date: readyOn, created_at: openedAt } = shipment ?? {}
  const carried: CarriedTracking = { ...withEntries(record, entries), freight_mode: mode }
  return yield* withImpossibleEvents(carried, {
    mode,
    readyOn,
    openedAt,
    kmBetween(from, to) {
      const [start, end] = [placeOf(from, mode), placeOf(to, mode)]
      return start && end && greatCircleKm(start.coordinates, end.coordinates)
    },
  })
}

/** A whole tracking, and what follows from it for each unit. */
export type DerivedTracking = {
  whole: TrackingRecord
  shipment: ShipmentRecord | undefined
  units: KnownUnits
  dated: DatedUnits
}

export function* deriveTrackingInParts(
  record: TrackingRecord,
  entries: TrackingEntries,
  shipment: ShipmentRecord | undefined,
): InParts<DerivedTracking> {
  const whole = yield* wholeTrackingInParts(record, entries, shipment)
  const units = yield* knownUnitsInParts(whole, shipment ? numbersOf(shipment) : [])
  return { whole, shipment, units, dated: yield* datedUnitsInParts(units) }
}

function placeOf({ port }: TrackingStepRecord, mode: ShipmentRecord['freight_mode']) {
  return port?.unlocode === undefined ? undefined : findPlace(port.unlocode, mode ? purposes[mode] : 'sea')
}
