import type { Shipment } from '../../contract/public/shipment.js'

type Sailing = Pick<Shipment, 'main_tracking_dates' | 'booking_information'>

/** Whether a delay of the vessel of one shipment also delays another one that is booked on it: not on another voyage, nor once it has arrived. */
export function sharesSailing(one: Sailing, other: Sailing): boolean {
  if (other.main_tracking_dates?.arrival_date?.status === 'actual') return false
  const [voyage, otherVoyage] = [voyageOf(one), voyageOf(other)]
  return voyage === undefined || otherVoyage === undefined || voyage === otherVoyage
}

// Sources write `010W` and `10w` for one voyage.
function voyageOf({ booking_information: booking }: Sailing): string | undefined {
  return booking?.ocean_booking?.voyage
    ?.toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .replace(/^0+/, '')
}
