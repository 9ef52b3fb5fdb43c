import type { ShipmentStatus } from '../contract/public/shipment.js'
import type { TrackingStatus } from '../contract/public/tracking.js'
import { day, hour } from '../domain/dates/local-time.js'
import type { Itinerary, MilestoneCode } from './itinerary.js'
import type { Random } from './random.js'
import { milestone, trackingStatusAt } from './tracking.js'

/** The status of a shipment today, from its itinerary; or the start date that gives a requested status. */

export type ShipmentStage = { status: ShipmentStatus; phase: TrackingStatus }

export function stageOf(itinerary: Itinerary, now: number): ShipmentStage {
  const phase = trackingStatusAt(itinerary, now)
  if (phase === 'delivered') return { status: 'finished', phase }
  if (phase !== 'pending') return { status: 'in_progress', phase }
  const lead = itinerary.milestones[0]!.happens - now
  if (lead < 12 * day) return { status: 'booked', phase }
  if (lead < 20 * day) return { status: 'awaiting_booking', phase }
  return { status: lead < 32 * day ? 'booking_request' : 'draft', phase }
}

const leads: Partial<Record<ShipmentStatus, readonly [least: number, most: number]>> = {
  draft: [33, 55],
  booking_request: [22, 30],
  awaiting_booking: [14, 18],
  booked: [2, 10],
  cancelled: [-90, 10],
}

const windows: Partial<Record<TrackingStatus, readonly [from: MilestoneCode[], to: MilestoneCode[]]>> = {
  at_origin: [['picked_up', 'gate_in'], ['departed']],
  in_transit: [['departed'], ['transit_arrived', 'arrived']],
  at_transshipment: [['transit_arrived'], ['transit_departed']],
  arrived: [['arrived'], ['out_for_delivery', 'delivered']],
  out_for_delivery: [['out_for_delivery'], ['delivered']],
}

const shifts = [0, 1, 2, 3, 4, 6, 8, 10, 12, 15, 18, 21, 24, 32, 40, 48, 60, 72, 84, 96, 120].flatMap((hours) => [
  hours,
  -hours,
])

/** Finds a start for which the journey has the requested stage today; undefined if there is none. */
export function startFor(
  spec: Partial<ShipmentStage> & { doneDays?: number },
  journey: (start: number) => Itinerary,
  now: number,
  random: Random,
): number | undefined {
  if (spec.phase === 'delivered' || spec.status === 'finished') {
    const trial = journey(now)
    const duration = milestone(trial, 'delivered')!.happens - now
    return now - duration - (spec.doneDays ?? random.integer(2, 150)) * day
  }
  const window = windows[spec.phase ?? (spec.status === 'in_progress' ? 'in_transit' : 'pending')]
  if (!window) {
    const [least, most] = leads[spec.status ?? 'booked']!
    return now + random.decimal(least, most) * day
  }
  const trial = journey(now)
  const [from, to] = [milestone(trial, ...window[0]), milestone(trial, ...window[1])]
  if (!from || !to) return undefined
  const middle = from.happens + (to.happens - from.happens) * random.decimal(0.3, 0.7)
  const guess = 2 * now - middle
  // Working hours and ships shift milestones: nearby starts are tried.
  for (const shift of shifts) {
    const start = guess + shift * hour
    if (trackingStatusAt(journey(start), now) === (spec.phase ?? 'in_transit')) return start
  }
  return undefined
}

/** The start of shipment `number` of `count`, in chronological order: most are finished, a few are in the future. */
export function startInSeries(number: number, count: number, now: number, random: Random): number {
  const position = (number + random.fraction()) / count
  if (position < 0.6) return now - (720 - (position / 0.6) * 620) * day
  if (position < 0.86) return now - (100 - ((position - 0.6) / 0.26) * 100) * day
  return now + ((position - 0.86) / 0.14) * 44 * day
}
