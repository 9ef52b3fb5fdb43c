import type { Shipment } from '../../contract/public/shipment.js'
import type { Sailing } from '../tracking/sailing.js'
import { plainName } from '../tracking/vessels.js'

/** The vessel that carries a shipment: by its events, else as it is booked. */
export function sailingOf(
  { booking_information: booking }: Pick<Shipment, 'booking_information'>,
  byEvents: Sailing | undefined,
): Sailing | undefined {
  const { vessel, voyage } = booking?.ocean_booking ?? {}
  const isBooked = byEvents === undefined || plainName(byEvents.vessel) === plainName(vessel)
  if (!isBooked) return byEvents
  return vessel === undefined ? undefined : { vessel, voyage: byEvents?.voyage ?? voyage }
}

/** Whether a delay of the vessel of one shipment also delays another one on it: not on another voyage, nor once it has arrived. */
export function sharesSailing(
  one: Sailing | undefined,
  other: Sailing | undefined,
  { main_tracking_dates: dates }: Pick<Shipment, 'main_tracking_dates'>,
): boolean {
  if (dates?.arrival_date?.status === 'actual') return false
  const [voyage, otherVoyage] = [voyageOf(one), voyageOf(other)]
  return voyage === undefined || otherVoyage === undefined || voyage === otherVoyage
}

// Sources write `010W` and `10w` for one voyage.
function voyageOf(sailing: Sailing | undefined): string | undefined {
  return sailing?.voyage
    ?.toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .replace(/^0+/, '')
}
