import type { TrackingDate, TrackingDateStatus } from '../../contract/shared-types.js'
import type { Shipment } from '../../contract/shipment.js'
import type { StepType, Tracking } from '../../contract/tracking.js'
import { placeAlong } from '../../domain/tracking-status.js'

/** The way of a shipment as a strip shows it: its stops, and where it is among them. */

export type Stop = {
  step: StepType
  place?: string | undefined
  date?: string | undefined
  status?: TrackingDateStatus | undefined
}

export type JourneyStops = {
  stops: Stop[]
  /** Counted in stops: 1.5 is halfway between the second and the third. Undefined before anything has happened. */
  at: number | undefined
  isOver: boolean
  isCancelled: boolean
}

type Step = NonNullable<Tracking['tracking_steps']>[number]
type Part = Partial<Pick<Shipment, 'status' | 'freight_type' | 'route' | 'main_tracking_dates' | 'cargo'>>

/** What a port is called, by its code. */
export type PlaceNames = (code: string) => string

type Known = { tracking?: Tracking | undefined; names?: PlaceNames | undefined; now?: number }

export function journeyStops(
  shipment: Part,
  { tracking, names = (code) => code, now = Date.now() }: Known = {},
): JourneyStops {
  const steps = tracking?.tracking_steps ?? []
  const stops = steps.length > 1 ? stopsOfTracking(steps, shipment) : stopsOfShipment(shipment, names)
  const isCancelled = shipment.status === 'cancelled'
  const last = stops.length - 1
  const isOver = shipment.status === 'finished' || stops[last]?.status === 'actual'
  const at = isOver
    ? last
    : steps.length > 1 && tracking
      ? placeOf(tracking, shipment, stops, now)
      : placeByDates(stops, now)
  return { stops, at: isCancelled ? undefined : at, isOver: isOver && !isCancelled, isCancelled }
}

function stopsOfShipment({ freight_type, route, main_tracking_dates: dates = {} }: Part, names: PlaceNames): Stop[] {
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

function stopsOfTracking(steps: Step[], { main_tracking_dates: dates = {} }: Part): Stop[] {
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

// Where no milestone is counted: the last thing that happened there, or else the first that is to happen.
function dateOfStep({ events = [] }: Step): TrackingDate | undefined {
  const said = (status: TrackingDateStatus) => events.filter((event) => event.status === status && event.date)
  const told = said('actual').at(-1) ?? said('problem')[0] ?? said('estimated')[0] ?? said('planned')[0]
  return told?.date && told.status ? { date: told.date, status: told.status } : undefined
}

function placeOf(tracking: Tracking, { cargo }: Part, stops: Stop[], now: number): number | undefined {
  const containers = (cargo?.containers ?? []).flatMap(({ container_number }) => container_number ?? [])
  const place = placeAlong(tracking, containers)
  if (!place) return undefined
  return place.hasLeft ? place.step + wayBehind(stops, place.step, now) : place.step
}

// What was picked up or has departed is under way; what has arrived is there.
function placeByDates(stops: Stop[], now: number): number | undefined {
  const reached = stops.findLastIndex(({ status }) => status === 'actual')
  if (reached < 0) return undefined
  return stops[reached]?.step === 'destination_port' ? reached : reached + wayBehind(stops, reached, now)
}

/** How much of the way to the next stop lies behind it, by the clock; never quite none, never quite all. */
function wayBehind(stops: Stop[], index: number, now: number): number {
  if (index >= stops.length - 1) return 0
  const timeAt = (stop: Stop | undefined) => (stop?.date ? Date.parse(stop.date) : Number.NaN)
  const from = timeAt(stops[index])
  const share = (now - from) / (timeAt(stops[index + 1]) - from)
  return Number.isFinite(share) ? Math.min(0.85, Math.max(0.15, share)) : 0.5
}
