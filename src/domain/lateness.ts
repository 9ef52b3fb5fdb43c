import type { Shipment } from '../contract/shipment.js'

/**
 * By how many days a shipment comes, or came, after the date it was wanted on: by its delivery, or else its arrival. Below
 * zero: before. What is not delivered on a later day than that is late by at least the days that have passed.
 *
 * `storage/search/shipment-rows.ts` says the same to the database.
 */
export function lateDays(shipment: Shipment, today: string): number | undefined {
  const { status, desired_delivery_date: desired, main_tracking_dates: dates = {} } = shipment
  if (desired === undefined || status === 'draft' || status === 'cancelled') return undefined
  const expected = (dates.delivery_date ?? dates.arrival_date)?.date.slice(0, 10)
  const byDates = expected === undefined ? undefined : daysBetween(desired, expected)
  const byToday = daysBetween(desired, today)
  if (isDelivered(shipment) || byToday <= 0) return byDates
  return Math.max(byDates ?? byToday, byToday)
}

/** It is where it was to be brought. What is brought to a port is there when it has arrived. */
export function isDelivered({ status, freight_type, main_tracking_dates: dates = {} }: Shipment): boolean {
  if (status === 'finished') return true
  const isForPort = freight_type === 'door_to_port' || freight_type === 'port_to_port'
  const last = dates.delivery_date ?? (isForPort ? dates.arrival_date : undefined)
  return last?.status === 'actual'
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
}
