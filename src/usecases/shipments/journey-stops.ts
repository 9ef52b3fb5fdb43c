import type { Journey } from '../../contract/portal/journey.js'
import type { LocationRecord } from '../../contract/public/location.js'
import type { Route, ShipmentRecord } from '../../contract/public/shipment.js'
import type { Port, StepType, TrackingRecord, TrackingStepRecord } from '../../contract/public/tracking.js'
import { findCity } from '../../geography/cities.js'
import { findPlace, type Purpose } from '../../geography/places.js'
import type { Place } from '../../geography/ports.js'

type Role = Journey['places'][number]['role']

/** A place of a journey, and the index of its tracking step. */
export type Stop = {
  role: Role
  name: string
  unlocode?: string | undefined
  country?: string | undefined
  place?: Place | undefined
  step?: number
}

/** The locations of a route. */
export type RouteLocations = { pickup?: LocationRecord | undefined; delivery?: LocationRecord | undefined }

const roleOf: Record<StepType, Role> = {
  pickup: 'pickup',
  origin_port: 'origin',
  transshipment_port: 'transshipment',
  inland_terminal: 'inland',
  destination_port: 'destination',
  delivery: 'delivery',
}

const purposeOf = { ocean: 'sea', air: 'air', rail: 'rail', truck: 'road' } as const satisfies Record<
  NonNullable<ShipmentRecord['freight_mode']>,
  Purpose
>

/** The places of a shipment in travel order: those of its tracking, and those that only its route has. */
export function stopsOf(
  { route = {}, freight_mode = 'ocean' }: ShipmentRecord,
  tracking: TrackingRecord | undefined,
  locations: RouteLocations,
): Stop[] {
  const purpose = purposeOf[freight_mode]
  const planned = routeStops(route, locations, purpose)
  const tracked = (tracking?.tracking_steps ?? []).flatMap((step, index): Stop[] => {
    const stop = stepStop(step, purpose) ?? planned.find(({ role }) => role === roleFor(step))
    return stop ? [{ ...stop, step: index }] : []
  })
  return withPlanned(tracked, planned)
}

function roleFor({ type }: TrackingStepRecord): Role {
  return type ? roleOf[type] : 'inland'
}

function stepStop(step: TrackingStepRecord, purpose: Purpose): Stop | undefined {
  const role = roleFor(step)
  const { location, port } = step
  if (port && Object.keys(port).length > 0) return portStop(role, port, role === 'inland' ? 'rail' : purpose)
  return location && locationStop(role, location)
}

function routeStops(route: Route, { pickup, delivery }: RouteLocations, purpose: Purpose): Stop[] {
  const { origin_port_unlocode, destination_port_unlocode } = route
  return [
    pickup && locationStop('pickup', pickup),
    origin_port_unlocode && portStop('origin', { unlocode: origin_port_unlocode }, purpose),
    destination_port_unlocode && portStop('destination', { unlocode: destination_port_unlocode }, purpose),
    delivery && locationStop('delivery', delivery),
  ].filter((stop) => stop !== undefined && stop !== '')
}

function portStop(role: Role, { unlocode, city, country }: Port, purpose: Purpose): Stop {
  const place = unlocode === undefined ? cityOf(country, city) : findPlace(unlocode, purpose)
  return {
    role,
    name: city ?? place?.city ?? unlocode ?? country ?? '',
    unlocode,
    country: country ?? place?.country,
    place,
  }
}

function locationStop(role: Role, { id, city, name, company_name, country }: LocationRecord): Stop {
  // Named by city, as on a map; the tracking shows the company.
  return { role, name: city ?? name ?? company_name ?? String(id), country, place: cityOf(country, city) }
}

function cityOf(country: string | undefined, city: string | undefined): Place | undefined {
  return country !== undefined && city !== undefined ? findCity(country.toUpperCase(), city) : undefined
}

// Travel order.
const order: Role[] = ['pickup', 'origin', 'transshipment', 'destination', 'inland', 'delivery']

/** Inserts the stops that only the route has before the first stop that comes later. */
function withPlanned(tracked: Stop[], planned: Stop[]): Stop[] {
  const stops = [...tracked]
  for (const stop of planned) {
    if (stops.some(({ role }) => role === stop.role)) continue
    const later = stops.findIndex(({ role }) => role !== 'inland' && order.indexOf(role) > order.indexOf(stop.role))
    stops.splice(later < 0 ? stops.length : later, 0, stop)
  }
  return stops
}
