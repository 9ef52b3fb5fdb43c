import type { ShipmentStatus } from '../contract/shipment.js'
import type { TrackingStatus } from '../contract/tracking.js'
import type { Itinerary, MilestoneCode } from './itinerary.js'
import { day, hour } from './local-time.js'
import type { Random } from './random.js'
import { milestone, trackingStatus } from './tracking.js'

/** Where a shipment stands today, which follows from its itinerary; or the start that makes it stand there. */

export type Stage = { status: ShipmentStatus; phase: TrackingStatus }

export function stageOf(itinerary: Itinerary, now: number): Stage {
  const phase = trackingStatus(itinerary, now)
  if (phase === 'delivered') return { status: 'finished', phase }
  if (phase === 'at_origin') return { status: 'booked', phase }
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

/** Finds when a journey has to start so that the wished stage is the one of today; not every journey can. */
export function startFor(
  wish: Partial<Stage> & { doneDays?: number },
  journey: (start: number) => Itinerary,
  now: number,
  random: Random,
): number | undefined {
  if (wish.phase === 'delivered' || wish.status === 'finished') {
    const trial = journey(now)
    const duration = milestone(trial, 'delivered')!.happens - now
    return now - duration - (wish.doneDays ?? random.integer(2, 150)) * day
  }
  const window = windows[wish.phase ?? (wish.status === 'in_progress' ? 'in_transit' : 'pending')]
  if (!window) {
    const [least, most] = leads[wish.status ?? 'booked']!
    return now + random.decimal(least, most) * day
  }
  const trial = journey(now)
  const [from, to] = [milestone(trial, ...window[0]), milestone(trial, ...window[1])]
  if (!from || !to) throw new Error(`A journey like this is never ${wish.phase}`)
  const middle = from.happens + (to.happens - from.happens) * random.decimal(0.3, 0.7)
  const guess = 2 * now - middle
  // Working hours move things about: look around until it is right.
  for (let step = 0; step < 120; step++) {
    const start = guess + (step % 2 === 0 ? 1 : -1) * Math.ceil(step / 2) * hour
    if (trackingStatus(journey(start), now) === (wish.phase ?? 'in_transit')) return start
  }
  return undefined
}

/** Shipment `number` of `count`, in order of time: most are done, some are under way, a few are yet to come. */
export function startInSeries(number: number, count: number, now: number, random: Random): number {
  const position = (number + random.fraction()) / count
  if (position < 0.6) return now - (720 - (position / 0.6) * 620) * day
  if (position < 0.86) return now - (100 - ((position - 0.6) / 0.26) * 100) * day
  return now + ((position - 0.86) / 0.14) * 44 * day
}
