import type { BookingInformation } from '../contract/public/booking-information.js'
import type { EventCode } from '../contract/public/event-codes.js'
import type { ShipmentStatus } from '../contract/public/shipment.js'
import type { TrackingRecord, TrackingStatus, TrackingStepRecord } from '../contract/public/tracking.js'
import { hour, localDateWithTime, minute } from '../domain/dates/local-time.js'
import { positionAlong } from '../geography/point.js'
import { seaRoute } from '../geography/sea-route.js'
import { truckCarriers } from './carriers.js'
import { type Expectation, expectationsAt } from './expectations.js'
import { type Itinerary, type MilestoneCode, milestoneEvents, type PlannedMilestone } from './itinerary.js'
import type { Lane } from './lane.js'

/** The tracking of an itinerary as of today. */

export function milestone(itinerary: Itinerary, ...codes: MilestoneCode[]): PlannedMilestone | undefined {
  return itinerary.milestones.find(({ code }) => codes.includes(code))
}

export function trackingStatusAt(itinerary: Itinerary, now: number): TrackingStatus {
  const happened = (code: MilestoneCode) => {
    const found = milestone(itinerary, code)
    return found !== undefined && found.happens <= now
  }
  if (happened('delivered')) return 'delivered'
  if (happened('out_for_delivery')) return 'out_for_delivery'
  // On the way to an inland terminal.
  if (happened('gate_out') && !happened('inland_arrived')) return 'in_transit'
  if (happened('arrived')) return 'arrived'
  if (happened('transit_arrived') && !happened('transit_departed')) return 'at_transshipment'
  if (happened('border') && !happened('border_left')) return 'at_transshipment'
  if (happened('departed')) return 'in_transit'
  return itinerary.milestones[0]!.happens <= now ? 'at_origin' : 'pending'
}

/** Who says what. */
type Sources = Record<'carrier' | 'customs' | 'trucker', string>

export function sourcesOf({ mode, destination, warehouse }: Lane, { carrier = '' }: BookingInformation): Sources {
  const { europe, north_america } = truckCarriers
  const truckers = warehouse.city.continent === 'north_america' ? north_america : europe
  const trucker = mode === 'truck' ? carrier : truckers[warehouse.location.id % truckers.length]!
  return { carrier, customs: `Customs ${destination.country}`, trucker }
}

const otherSources: Partial<Record<EventCode, keyof Sources>> = {
  PICKED_UP: 'trucker',
  OUT_FOR_DELIVERY: 'trucker',
  DELIVERED: 'trucker',
  DELIVERY_FAILED: 'trucker',
  CUSTOMS_HOLD: 'customs',
  CUSTOMS_INSPECTION: 'customs',
  CUSTOMS_RELEASED: 'customs',
}

type Tracked = {
  svc_shipment_id: string
  status: ShipmentStatus
  itinerary: Itinerary
  containerNumbers: readonly string[]
  plannedAt: number
  sources: Sources
}
type Event = NonNullable<TrackingStepRecord['events']>[number]

export function trackShipment(tracked: Tracked, now: number): TrackingRecord {
  const { svc_shipment_id, status, itinerary } = tracked
  const cancelled = status === 'cancelled'
  const under = cancelled ? 'cancelled' : trackingStatusAt(itinerary, now)
  const coordinates = cancelled ? [] : vesselPositions(itinerary, now)
  // Before the first movement, the plan is the best estimate.
  const expected = under === 'pending' || cancelled ? undefined : expectationsAt(itinerary, now)
  return {
    svc_shipment_id,
    status: under,
    tracking_steps: itinerary.steps.map(({ type, site, place, timeZone }, index) => ({
      type,
      ...(site && { location: site.location }),
      ...(place && { port: { unlocode: place.code, city: place.city, country: place.country } }),
      events: itinerary.milestones
        .filter(({ step }) => step === index)
        .flatMap((each) => eventsOf(each, timeZone, tracked, expected?.get(each), cancelled, now)),
    })),
    initial_dates: initialDates(itinerary),
    ...(coordinates.length > 0 && { ocean_coordinates: coordinates }),
  }
}

function eventsOf(
  each: PlannedMilestone,
  timeZone: string,
  { containerNumbers, plannedAt, sources }: Tracked,
  expected: Expectation | undefined,
  cancelled: boolean,
  now: number,
): Event[] {
  const { words, planned, happens, problem, perContainer, splitBy } = each
  const code = milestoneEvents[each.code]
  const event = (status: Event['status'], instant: number, issued: number, other: Partial<Event> = {}): Event => ({
    description: words,
    date: localDateWithTime(instant, timeZone),
    status,
    code,
    issued_at: `${new Date(Math.min(issued, now)).toISOString().slice(0, 19)}Z`,
    source: sources[otherSources[other.code ?? code] ?? 'carrier'],
    ...other,
  })
  const events = [event('planned', planned, plannedAt)]
  if (cancelled) return events
  if (happens <= now && Math.abs(happens - planned) > 12 * hour && (!problem || problem.hasNewDate)) {
    const issuedAt = problem ? problem.since + 6 * hour : Math.max(plannedAt + hour, happens - 30 * hour)
    events.push(event('estimated', Math.round(happens / hour) * hour, issuedAt))
  }
  if (expected && expected.issued < (problem?.since ?? 0))
    events.push(event('estimated', expected.date, expected.issued))
  if (problem && problem.since <= now && happens > problem.since) {
    events.push(
      event('problem', problem.since, problem.since + 10 * minute, { description: problem.words, code: problem.code }),
    )
  }
  if (expected && expected.issued >= (problem?.since ?? 0))
    events.push(event('estimated', expected.date, expected.issued))
  const actual = (instant: number, other?: Partial<Event>) => {
    if (instant <= now) events.push(event('actual', instant, instant + 25 * minute, other))
  }
  if (!perContainer || containerNumbers.length === 0) {
    actual(happens)
    return events
  }
  const last = containerNumbers.length - 1
  containerNumbers.forEach((container_number, index) => {
    // Containers follow one another; the milestone is reached with the last one.
    const isFirstHalf = index < containerNumbers.length / 2 && last > 0
    actual(happens - (last - index) * 10 * minute - (isFirstHalf ? splitBy : 0), { container_number })
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
