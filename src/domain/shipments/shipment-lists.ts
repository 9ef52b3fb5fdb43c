import type { ShipmentStatus } from '../../contract/public/shipment.js'
import { dateAfter } from '../dates/local-days.js'

/** The lists of shipments that the portal names: the same definition for a tab, for a number, and for the link that opens it. */

type ShipmentList = {
  status?: string
  late?: 'true' | 'now'
  arrives_from?: string
  arrives_to?: string
  departs_from?: string
  departs_to?: string
}

const listOf = (...statuses: ShipmentStatus[]): string => statuses.join(',')

/** Requested, booked or moving. */
export const underWay: ShipmentList = { status: listOf('booking_request', 'awaiting_booking', 'booked', 'in_progress') }
export const drafts: ShipmentList = { status: listOf('draft') }
export const finished: ShipmentList = { status: listOf('finished', 'cancelled') }
/** Late, and not delivered yet. */
export const lateNow: ShipmentList = { late: 'now' }

/** Under way, with an arrival within days from today. */
export function arrivingWithin(days: number, today: string): ShipmentList {
  return { ...underWay, arrives_from: today, arrives_to: dateAfter(today, days - 1) }
}

/** What the calendar shows: neither drafts nor what was cancelled. */
export const inCalendar: ShipmentList = {
  status: listOf('booking_request', 'awaiting_booking', 'booked', 'in_progress', 'finished'),
}
