import type { TrackingDateStatus } from '../../contract/public/shared-types.js'
import type { Shipment } from '../../contract/public/shipment.js'
import { type BestDate, bestDate, isDelivered } from '../shipments/lateness.js'
import type { Sailing } from '../tracking/sailing.js'
import { sailingOf } from './same-sailing.js'

/** When and where the goods of a shipment arrive: what the order lines on it have in common. */
export type ShipmentArrival = {
  shipment_name: string | undefined
  expected_date: string | undefined
  date_status: TrackingDateStatus | undefined
  /** Which of the two dates it is. */
  date_of: BestDate['of'] | undefined
  is_delivered: boolean
  /** Goods of a cancelled shipment do not arrive: they are unassigned again. */
  is_cancelled: boolean
  /** The location that it is delivered to, or else the port. */
  location: string | undefined
  vessel: string | undefined
}

/** With the vessel that carries it by its events, if they name one. */
export function shipmentArrival(shipment: Shipment, byEvents?: Sailing): ShipmentArrival {
  const { name, status, route = {}, main_tracking_dates: dates = {} } = shipment
  const date = bestDate(dates)
  return {
    shipment_name: name,
    expected_date: date?.date.slice(0, 10),
    date_status: date?.status,
    date_of: date?.of,
    is_delivered: isDelivered(shipment),
    is_cancelled: status === 'cancelled',
    location: route.delivery_location_id ?? route.destination_port_unlocode,
    vessel: sailingOf(shipment, byEvents)?.vessel,
  }
}
