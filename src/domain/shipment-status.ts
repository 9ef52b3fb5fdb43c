import type { ShipmentStatus } from '../contract/shipment.js'

/** Decision: which status may follow which. Steps may be skipped forwards, and are never walked backwards. */
export const nextShipmentStatuses = {
  draft: ['booking_request', 'awaiting_booking', 'booked', 'in_progress', 'finished', 'cancelled'],
  booking_request: ['awaiting_booking', 'booked', 'in_progress', 'finished', 'cancelled'],
  awaiting_booking: ['booked', 'in_progress', 'finished', 'cancelled'],
  booked: ['in_progress', 'finished', 'cancelled'],
  in_progress: ['finished', 'cancelled'],
  finished: [],
  cancelled: [],
} satisfies Record<ShipmentStatus, ShipmentStatus[]>

export function shipmentMoves(from: ShipmentStatus): ShipmentStatus[] {
  return nextShipmentStatuses[from]
}
