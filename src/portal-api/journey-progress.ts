import type { ShipmentRecord } from '../contract/shipment.js'
import type { TrackingEvent, TrackingRecord, TrackingStatus } from '../contract/tracking.js'
import { numbersOf } from '../domain/shipment-cargo.js'
import { placeAlong } from '../domain/tracking-status.js'
import type { Stop } from './journey-stops.js'

/** How far a shipment has got: at a stop, or on its way to the next. */
export type Progress = { stop: number; hasLeft: boolean }

/** Undefined before anything has happened. */
export function progressOf(
  shipment: ShipmentRecord,
  tracking: TrackingRecord | undefined,
  stops: Stop[],
): Progress | undefined {
  const end = { stop: stops.length - 1, hasLeft: false }
  if (stops.length === 0) return undefined
  if (shipment.status === 'finished' || tracking?.status === 'delivered') return end
  if (!tracking) return undefined
  const told = placeAlong(tracking, numbersOf(shipment))
  if (!told) return statusProgress(tracking.status, stops)
  // A step of which nothing is known has no stop: then it has left the one before.
  const stop = stops.findLastIndex(({ step }) => step !== undefined && step <= told.step)
  return stop < 0 ? undefined : { stop, hasLeft: told.hasLeft || stops[stop]?.step !== told.step }
}

const placeOf: Partial<Record<TrackingStatus, { role: Stop['role']; hasLeft: boolean }>> = {
  at_origin: { role: 'origin', hasLeft: false },
  in_transit: { role: 'origin', hasLeft: true },
  at_transshipment: { role: 'transshipment', hasLeft: false },
  arrived: { role: 'destination', hasLeft: false },
  out_for_delivery: { role: 'destination', hasLeft: true },
}

// A status may have come without the events that it would follow from.
function statusProgress(status: TrackingStatus | undefined, stops: Stop[]): Progress | undefined {
  const place = status && placeOf[status]
  const stop = stops.findIndex(({ role }) => role === place?.role)
  return place && stop >= 0 ? { stop, hasLeft: place.hasLeft } : undefined
}

// Where no date tells, half way is the least wrong. Nobody is shown to have arrived who has not said so.
const [unknown, least, most] = [0.5, 0.02, 0.97]

/** How much of the way between two stops is done, by when it left the one and is expected at the other. */
export function fractionBetween(
  tracking: TrackingRecord | undefined,
  from: Stop | undefined,
  to: Stop | undefined,
  now: number,
): number {
  const left = latest(eventsAt(tracking, from).filter(({ status }) => status === 'actual'))
  const arrives = expected(eventsAt(tracking, to))
  if (left === undefined || arrives === undefined || arrives <= left) return unknown
  return Math.min(most, Math.max(least, (now - left) / (arrives - left)))
}

function eventsAt(tracking: TrackingRecord | undefined, stop: Stop | undefined): TrackingEvent[] {
  const step = stop?.step === undefined ? undefined : tracking?.tracking_steps?.[stop.step]
  return step?.events ?? []
}

function latest(events: TrackingEvent[]): number | undefined {
  const times = events.flatMap(({ date }) => (date === undefined ? [] : Date.parse(date)))
  return times.length === 0 ? undefined : Math.max(...times)
}

/** The first that is to happen there: of each the last word, an estimate before a plan. */
function expected(events: TrackingEvent[]): number | undefined {
  for (const wanted of ['estimated', 'planned']) {
    const words = new Map<string, number>()
    for (const { description = '', date, status } of events) {
      if (status === wanted && date !== undefined) words.set(description, Date.parse(date))
    }
    if (words.size > 0) return Math.min(...words.values())
  }
  return undefined
}
