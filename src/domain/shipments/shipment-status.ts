import type { ShipmentStatus } from '../../contract/public/shipment.js'

/** Decision: which status may follow which. Steps can be skipped forwards, and never go back. */
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
