import type { Shipment } from '../../../../src/contract/public/shipment.js'
import type { Tracking } from '../../../../src/contract/public/tracking.js'
import { numbersOf } from '../../../../src/domain/shipments/shipment-cargo.js'
import { progressAlong } from '../../../../src/domain/tracking/tracking-status.js'
import type { Tracked } from '../../../ui/journey-stops.js'

/** A tracking for the journey strip, once it is there. */
export function trackedBy(tracking: Tracking | undefined, shipment: Pick<Shipment, 'cargo'>): Tracked | undefined {
  return tracking && { tracking, progress: progressAlong(tracking, numbersOf(shipment)) }
}
