import type { ShipmentRecord } from '../../contract/public/shipment.js'
import type { TrackingEvent, TrackingRecord, TrackingStatus } from '../../contract/public/tracking.js'
import type { InParts } from '../../domain/records/in-parts.js'
import { numbersOf } from '../../domain/shipments/shipment-cargo.js'
import { progressInParts } from '../../domain/tracking/tracking-status.js'
import type { Stop } from './journey-stops.js'

/** How far a shipment has come: at a stop, or on its way to the next one. */
export type JourneyProgress = { stop: number; hasLeft: boolean }

/** Undefined before the first event. */
export function* progressOf(
  shipment: ShipmentRecord,
  tracking: TrackingRecord | undefined,
  stops: Stop[],
): InParts<JourneyProgress | undefined> {
  const end = { stop: stops.length - 1, hasLeft: false }
  if (stops.length === 0) return undefined
  if (shipment.status === 'finished' || tracking?.status === 'delivered') return end
  if (!tracking) return undefined
  const reached = yield* progressInParts(tracking, numbersOf(shipment))
  if (!reached) return statusProgress(tracking.status, stops)
  // A step without a known place has no stop: the shipment has left the stop before it.
  const stop = stops.findLastIndex(({ step }) => step !== undefined && step <= reached.step)
  return stop < 0 ? undefined : { stop, hasLeft: reached.hasLeft || stops[stop]?.step !== reached.step }
}

const placeOf: Partial<Record<TrackingStatus, { role: Stop['role']; hasLeft: boolean }>> = {
  at_origin: { role: 'origin', hasLeft: false },
  in_transit: { role: 'origin', hasLeft: true },
  at_transshipment: { role: 'transshipment', hasLeft: false },
  arrived: { role: 'destination', hasLeft: false },
  out_for_delivery: { role: 'destination', hasLeft: true },
}

// An imported tracking may have a status without the events that would imply it.
function statusProgress(status: TrackingStatus | undefined, stops: Stop[]): JourneyProgress | undefined {
  const place = status && placeOf[status]
  const stop = stops.findIndex(({ role }) => role === place?.role)
  return place && stop >= 0 ? { stop, hasLeft: place.hasLeft } : undefined
}

// Half way without dates. Never at the end: only an event shows that a shipment has arrived.
const [unknown, least, most] = [0.5, 0.02, 0.97]

/** The fraction of a leg that is covered: by its departure from one stop and the expected arrival at the next. */
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

/** The first expected event at a stop, by the latest date of each event; estimates take precedence over plans. */
function expected(events: TrackingEvent[]): number | undefined {
  for (const wanted of ['estimated', 'planned']) {
    const dates = new Map<string, number>()
    for (const { description = '', date, status } of events) {
      if (status === wanted && date !== undefined) dates.set(description, Date.parse(date))
    }
    if (dates.size > 0) return Math.min(...dates.values())
  }
  return undefined
}
