import type { ShipmentStatus } from '../contract/public/shipment.js'
import type { TrackingEvent, TrackingRecord, TrackingStatus } from '../contract/public/tracking.js'
import { positionAlong } from '../geography/point.js'
import { seaRoute } from '../geography/sea-route.js'
import type { Itinerary, Milestone, MilestoneCode } from './itinerary.js'
import { hour, localDateWithTime, minute } from './local-time.js'

/** The tracking of an itinerary as of today. */

export function milestone(itinerary: Itinerary, ...codes: MilestoneCode[]): Milestone | undefined {
  return itinerary.milestones.find(({ code }) => codes.includes(code))
}

export function trackingStatusAt(itinerary: Itinerary, now: number): TrackingStatus {
  const happened = (code: MilestoneCode) => {
    const found = milestone(itinerary, code)
    return found !== undefined && found.happens <= now
  }
  if (happened('delivered')) return 'delivered'
  if (happened('out_for_delivery')) return 'out_for_delivery'
  if (happened('arrived')) return 'arrived'
  if (happened('transit_arrived') && !happened('transit_departed')) return 'at_transshipment'
  if (happened('departed')) return 'in_transit'
  return itinerary.milestones[0]!.happens <= now ? 'at_origin' : 'pending'
}

type Tracked = {
  svc_shipment_id: string
  status: ShipmentStatus
  itinerary: Itinerary
  containerNumbers: readonly string[]
}

export function trackShipment(tracked: Tracked, now: number): TrackingRecord {
  const { svc_shipment_id, status, itinerary } = tracked
  const cancelled = status === 'cancelled'
  const under = cancelled ? 'cancelled' : trackingStatusAt(itinerary, now)
  const coordinates = cancelled ? [] : vesselPositions(itinerary, now)
  return {
    svc_shipment_id,
    status: under,
    tracking_steps: itinerary.steps.map(({ type, site, place, timeZone }, index) => ({
      type,
      ...(site && { location: site.location }),
      ...(place && { port: { unlocode: place.code, city: place.city, country: place.country } }),
      events: itinerary.milestones
        .filter(({ step }) => step === index)
        .flatMap((each) => eventsOf(each, timeZone, tracked, under, now)),
    })),
    initial_dates: initialDates(itinerary),
    ...(coordinates.length > 0 && { ocean_coordinates: coordinates }),
  }
}

function eventsOf(
  each: Milestone,
  timeZone: string,
  { containerNumbers }: Tracked,
  under: TrackingStatus,
  now: number,
): TrackingEvent[] {
  const { words, planned, happens, problem, perContainer } = each
  const event = (description: string, instant: number, status: TrackingEvent['status']): TrackingEvent => ({
    description,
    date: localDateWithTime(instant, timeZone),
    status,
  })
  const events = [event(words, planned, 'planned')]
  if (under === 'cancelled') return events
  if (problem && problem.since <= now) events.push(event(problem.words, problem.since, 'problem'))
  if (happens > now) {
    // Before departure, the plan is the best estimate.
    if (under !== 'pending') events.push(event(words, Math.ceil(happens / hour) * hour, 'estimated'))
    return events
  }
  const slip = Math.abs(happens - planned)
  if (slip > 12 * hour) events.push(event(words, Math.round(happens / hour) * hour, 'estimated'))
  if (!perContainer || containerNumbers.length === 0) return [...events, event(words, happens, 'actual')]
  const last = containerNumbers.length - 1
  containerNumbers.forEach((container_number, index) => {
    // Containers follow one another; the milestone is reached with the last one.
    const instant = happens - (last - index) * 10 * minute
    events.push({ description: words, container_number, date: localDateWithTime(instant, timeZone), status: 'actual' })
  })
  return events
}

function initialDates(itinerary: Itinerary): NonNullable<TrackingRecord['initial_dates']> {
  const date = (...codes: MilestoneCode[]) => {
    const found = milestone(itinerary, ...codes)
    return found && localDateWithTime(found.planned, itinerary.steps[found.step]!.timeZone)
  }
  const [pickup, etd, eta, delivery] = [date('picked_up'), date('departed'), date('arrived'), date('delivered')]
  return { ...(pickup && { pickup }), ...(etd && { etd }), ...(eta && { eta }), ...(delivery && { delivery }) }
}

const positionsShown = 18

function vesselPositions({ voyages }: Itinerary, now: number): { latitude: string; longitude: string }[] {
  const sailed = voyages.filter(({ departs }) => departs <= now)
  const until = Math.min(now, sailed.at(-1)?.arrives ?? 0)
  const whole = sailed.reduce((sum, { departs, arrives }) => sum + Math.min(arrives, now) - departs, 0)
  // About one position per day, up to a limit.
  const interval = Math.max(24 * hour, whole / (positionsShown - sailed.length))
  const positions = []
  for (const { from, to, departs, arrives } of sailed) {
    const route = seaRoute(from, to)
    for (let instant = departs; ; instant = Math.min(instant + interval, Math.min(arrives, until))) {
      const [longitude, latitude] = positionAlong(route, (instant - departs) / (arrives - departs))
      positions.push({ latitude: latitude.toFixed(4), longitude: longitude.toFixed(4) })
      if (instant >= Math.min(arrives, until)) break
    }
  }
  return positions
}
