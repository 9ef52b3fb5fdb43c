import type { TrackingDate, TrackingDateStatus } from '../../src/contract/public/shared-types.js'
import type { Shipment } from '../../src/contract/public/shipment.js'
import type { StepType, Tracking } from '../../src/contract/public/tracking.js'
import type { Progress } from '../../src/domain/tracking/tracking-status.js'
import { presentTime } from './clock.js'

/** The stops of the journey strip and the current position. */

export type Stop = {
  step: StepType
  place?: string | undefined
  date?: string | undefined
  status?: TrackingDateStatus | undefined
}

export type JourneyStops = {
  stops: Stop[]
  /** In stops: 1.5 is halfway between the second and the third. Undefined before the first event. */
  at: number | undefined
  isOver: boolean
  isCancelled: boolean
}

type Step = NonNullable<Tracking['tracking_steps']>[number]
type PartialShipment = Partial<Pick<Shipment, 'status' | 'freight_type' | 'route' | 'main_tracking_dates'>>

/** The name of a port by its code. */
export type PlaceNames = (code: string) => string

/** A tracking, and how far the shipment has come by it. Lists have neither, and do not load the rules of events. */
export type Tracked = { tracking: Tracking; progress: Progress | undefined }

type Context = { tracked?: Tracked | undefined; names?: PlaceNames | undefined; now?: number }

export function journeyStops(
  shipment: PartialShipment,
  { tracked, names = (code) => code, now = presentTime() }: Context = {},
): JourneyStops {
  const steps = tracked?.tracking.tracking_steps ?? []
  const stops = steps.length > 1 ? stopsOfTracking(steps, shipment) : stopsOfShipment(shipment, names)
  const isCancelled = shipment.status === 'cancelled'
  const last = stops.length - 1
  const isOver = shipment.status === 'finished' || stops[last]?.status === 'actual'
  const at = isOver ? last : steps.length > 1 && tracked ? positionOf(tracked, stops, now) : placeByDates(stops, now)
  return { stops, at: isCancelled ? undefined : at, isOver: isOver && !isCancelled, isCancelled }
}

function stopsOfShipment(
  { freight_type, route, main_tracking_dates: dates = {} }: PartialShipment,
  names: PlaceNames,
): Stop[] {
  const isPickedUp = freight_type?.startsWith('door_') || route?.pickup_location_id || dates.pickup_date
  const isDelivered = freight_type?.endsWith('_door') || route?.delivery_location_id || dates.delivery_date
  return [
    ...(isPickedUp ? [stopOf('pickup', dates.pickup_date)] : []),
    stopOf('origin_port', dates.departure_date, route?.origin_port_unlocode && names(route.origin_port_unlocode)),
    stopOf(
      'destination_port',
      dates.arrival_date,
      route?.destination_port_unlocode && names(route.destination_port_unlocode),
    ),
    ...(isDelivered ? [stopOf('delivery', dates.delivery_date)] : []),
  ]
}

function stopsOfTracking(steps: Step[], { main_tracking_dates: dates = {} }: PartialShipment): Stop[] {
  const known: Partial<Record<StepType, TrackingDate | undefined>> = {
    pickup: dates.pickup_date,
    origin_port: dates.departure_date,
    destination_port: dates.arrival_date,
    delivery: dates.delivery_date,
  }
  return steps.map((step) => {
    const type = step.type ?? 'inland_terminal'
    return stopOf(type, known[type] ?? dateOfStep(step), placeName(step))
  })
}

function stopOf(step: StepType, date: TrackingDate | undefined, place?: string): Stop {
  return { step, place, date: date?.date, status: date?.status }
}

function placeName({ port, location }: Step): string | undefined {
  return port?.city ?? location?.city ?? location?.name ?? port?.unlocode
}

// For steps without a milestone: the last actual event, or else the first expected one.
function dateOfStep({ events = [] }: Step): TrackingDate | undefined {
  const withStatus = (status: TrackingDateStatus) => events.filter((each) => each.status === status && each.date)
  const event =
    withStatus('actual').at(-1) ?? withStatus('problem')[0] ?? withStatus('estimated')[0] ?? withStatus('planned')[0]
  return event?.date && event.status ? { date: event.date, status: event.status } : undefined
}

function positionOf({ progress: place }: Tracked, stops: Stop[], now: number): number | undefined {
  if (!place) return undefined
  return place.hasLeft ? place.step + elapsedShare(stops, place.step, now) : place.step
}

// After pick-up or departure it is under way; after arrival it is at the stop.
function placeByDates(stops: Stop[], now: number): number | undefined {
  const reached = stops.findLastIndex(({ status }) => status === 'actual')
  if (reached < 0) return undefined
  return stops[reached]?.step === 'destination_port' ? reached : reached + elapsedShare(stops, reached, now)
}

/** The share of the time to the next stop that has passed, between 0.15 and 0.85. */
function elapsedShare(stops: Stop[], index: number, now: number): number {
  if (index >= stops.length - 1) return 0
  const timeAt = (stop: Stop | undefined) => (stop?.date ? Date.parse(stop.date) : Number.NaN)
  const from = timeAt(stops[index])
  const share = (now - from) / (timeAt(stops[index + 1]) - from)
  return Number.isFinite(share) ? Math.min(0.85, Math.max(0.15, share)) : 0.5
}
