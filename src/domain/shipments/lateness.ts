import type { Shipment } from '../../contract/public/shipment.js'

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

export function storedLateness(shipment: LatenessFields): StoredLateness {
  const { status, desired_delivery_date: desired, main_tracking_dates: dates = {} } = shipment
  if (desired === undefined || status === 'draft' || status === 'cancelled') return notLate
  const expected = (dates.delivery_date ?? dates.arrival_date)?.date.slice(0, 10)
  return {
    late_days: expected === undefined ? null : dayNumber(expected) - dayNumber(desired),
    overdue_since: isDelivered(shipment) ? null : 0 - dayNumber(desired),
  }
}

/**
 * How many days a shipment is, or was, later than desired; negative if it is early. A shipment that is not delivered is late
 * by at least the days that have passed since the desired date.
 */
export function lateDays(shipment: LatenessFields, today: string): number | undefined {
  const { late_days, overdue_since } = storedLateness(shipment)
  const byToday = overdue_since === null ? 0 : overdue_since + dayNumber(today)
  return byToday > 0 ? Math.max(late_days ?? byToday, byToday) : (late_days ?? undefined)
}

/** A shipment to a port is delivered when it has arrived. */
export function isDelivered({ status, freight_type, main_tracking_dates: dates = {} }: LatenessFields): boolean {
  if (status === 'finished') return true
  const isToPort = freight_type === 'door_to_port' || freight_type === 'port_to_port'
  const last = dates.delivery_date ?? (isToPort ? dates.arrival_date : undefined)
  return last?.status === 'actual'
}

/** The number of days from 1970-01-01 to a date (`YYYY-MM-DD`). */
export function dayNumber(day: string): number {
  return Date.parse(day) / 86_400_000
}
