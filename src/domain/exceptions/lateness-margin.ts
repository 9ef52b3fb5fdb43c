import { hour } from '../dates/local-time.js'
import { type LatenessFields, lateDays } from '../shipments/lateness.js'
import type { Raised } from './condition.js'

/** When a date that is raised as late fits again: dates that move by an hour around midnight would be raised each time. */

const margin = 6 * hour

type Given = { today: string; critical: number; raised: Raised | undefined }
export type Lateness = { days: number; isLate: boolean; isCritical: boolean }

/** Late from the day after the desired one, and, once it is raised, until it is expected 6 hours before the end of that. */
export function latenessOf(shipment: LatenessFields, { today, critical, raised }: Given): Lateness {
  const days = lateDays(shipment, today) ?? 0
  const withMargin = raised ? (lateDays(delayed(shipment), today) ?? 0) : days
  const isLate = days > 0 || withMargin > 0
  return {
    days: Math.max(days, 0),
    isLate,
    isCritical: (raised?.severity === 'critical' ? withMargin : days) > critical,
  }
}

function delayed<Fields extends LatenessFields>(shipment: Fields): Fields {
  const { delivery_date, arrival_date, ...dates } = shipment.main_tracking_dates ?? {}
  return {
    ...shipment,
    main_tracking_dates: {
      ...dates,
      ...(arrival_date && { arrival_date: { ...arrival_date, date: later(arrival_date.date) } }),
      ...(delivery_date && { delivery_date: { ...delivery_date, date: later(delivery_date.date) } }),
    },
  }
}

/** By the clock that the date is written with. */
function later(date: string): string {
  const local = Date.parse(`${date.slice(0, 19)}${date.length > 10 ? 'Z' : ''}`)
  return new Date(local + margin).toISOString()
}
