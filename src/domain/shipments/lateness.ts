import type { TrackingDate } from '../../contract/public/shared-types.js'
import type { MainTrackingDates, Shipment } from '../../contract/public/shipment.js'
import { dayNumber } from '../dates/local-days.js'

export type LatenessFields = Pick<Shipment, 'status' | 'freight_type' | 'desired_delivery_date' | 'main_tracking_dates'>

/**
 * The part of a shipment's lateness that does not depend on today: the search index stores it. What is left for a query
 * is to compare `overdue_since` with today, as `lateDays` does.
 */
export type StoredLateness = {
  /** Days from the desired date to the delivery, or else the arrival; negative if it is early. Null without dates. */
  late_days: number | null
  /** Added to today's day number: the days since the desired date. Null once the shipment is delivered. */
  overdue_since: number | null
}

const notLate: StoredLateness = { late_days: null, overdue_since: null }

/** When goods are, or are expected to be, where they go. */
export type BestDate = TrackingDate & { of: 'delivery' | 'arrival' }

/**
 * The delivery, or else the arrival. Tracking adds the planned time between the two to an arrival that is later than
 * planned (`tracking-dates.ts`); without a date of the delivery no time between them is planned.
 */
export function bestDate({ delivery_date, arrival_date }: MainTrackingDates): BestDate | undefined {
  if (delivery_date) return { ...delivery_date, of: 'delivery' }
  return arrival_date && { ...arrival_date, of: 'arrival' }
}

/**
 * The days from the desired date to the expected one; negative if that is earlier. What is not delivered is late by at least
 * the days that have passed since the desired date.
 */
export function daysLate(
  { desired, expected, isOver }: { desired: string | undefined; expected: string | undefined; isOver: boolean },
  today: string,
): number | undefined {
  if (desired === undefined) return undefined
  const byDate = expected === undefined ? undefined : dayNumber(expected) - dayNumber(desired)
  const byToday = isOver ? 0 : dayNumber(today) - dayNumber(desired)
  return byToday > 0 ? Math.max(byDate ?? byToday, byToday) : byDate
}

export function storedLateness(shipment: LatenessFields): StoredLateness {
  const { status, desired_delivery_date: desired, main_tracking_dates: dates = {} } = shipment
  if (desired === undefined || status === 'draft' || status === 'cancelled') return notLate
  const expected = bestDate(dates)?.date.slice(0, 10)
  return {
    late_days: expected === undefined ? null : dayNumber(expected) - dayNumber(desired),
    overdue_since: isDelivered(shipment) ? null : 0 - dayNumber(desired),
  }
}

/** How many days a shipment is, or was, later than desired; negative if it is early. */
export function lateDays(shipment: LatenessFields, today: string): number | undefined {
  const { status, desired_delivery_date: desired, main_tracking_dates: dates = {} } = shipment
  if (status === 'draft' || status === 'cancelled') return undefined
  return daysLate({ desired, expected: bestDate(dates)?.date.slice(0, 10), isOver: isDelivered(shipment) }, today)
}

/** A shipment to a port is delivered when it has arrived. */
export function isDelivered({ status, freight_type, main_tracking_dates: dates = {} }: LatenessFields): boolean {
  if (status === 'finished') return true
  const isToPort = freight_type === 'door_to_port' || freight_type === 'port_to_port'
  const last = dates.delivery_date ?? (isToPort ? dates.arrival_date : undefined)
  return last?.status === 'actual'
}
