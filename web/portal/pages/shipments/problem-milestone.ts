import type { MainTrackingDates, Shipment } from '../../../../src/contract/public/shipment.js'

const inOrder = ['pickup_date', 'departure_date', 'arrival_date', 'delivery_date'] as const

/** The first milestone of a shipment that has a problem. */
export function problemMilestone({ main_tracking_dates: dates = {} }: Shipment): keyof MainTrackingDates | undefined {
  return inOrder.find((milestone) => dates[milestone]?.status === 'problem')
}
