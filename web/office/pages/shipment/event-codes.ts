import type { EventCode } from '../../../../src/contract/public/event-codes.js'
import type { Shipment } from '../../../../src/contract/public/shipment.js'

type Mode = NonNullable<Shipment['freight_mode']>

const vehicles: Record<Mode, string> = { ocean: 'Vessel', air: 'Flight', rail: 'Train', truck: 'Truck' }

/** What customers read about an event of a code, in the words that the portal translates. */
const texts: Record<EventCode, string | ((mode: Mode) => string)> = {
  EMPTY_OUT: 'Empty picked up',
  PICKED_UP: 'Picked up',
  STUFFED: 'Goods packed',
  GATE_IN: (mode) => (mode === 'air' ? 'Received at airport' : 'Gate in'),
  VGM: 'Weight declared',
  CUSTOMS_CLEARED_EXPORT: 'Cleared for export',
  LOADED: (mode) => `Loaded on ${vehicles[mode].toLowerCase()}`,
  DEPARTED: (mode) => `${vehicles[mode]} departed`,
  ARRIVED: (mode) => `${vehicles[mode]} arrived`,
  BERTHED: 'Vessel berthed',
  DISCHARGED: 'Discharged',
  CUSTOMS_HOLD: 'Customs hold',
  CUSTOMS_INSPECTION: 'Customs inspection',
  CUSTOMS_RELEASED: 'Customs released',
  CARRIER_HOLD: 'Carrier hold',
  CARRIER_RELEASED: 'Carrier released',
  AVAILABLE: 'Available for pick-up',
  GATE_OUT: 'Gate out',
  APPOINTMENT: 'Delivery appointment',
  OUT_FOR_DELIVERY: 'Out for delivery',
  DELIVERY_FAILED: 'Delivery failed',
  DELIVERED: 'Delivered',
  STRIPPED: 'Container unpacked',
  EMPTY_IN: 'Empty returned',
  ROLLED: 'Rolled',
  OFFLOADED: 'Offloaded',
  DELAYED: 'Delayed',
  OTHER: '',
}

export function textOfCode(code: EventCode, mode: Mode = 'ocean'): string {
  const text = texts[code]
  return typeof text === 'string' ? text : text(mode)
}
