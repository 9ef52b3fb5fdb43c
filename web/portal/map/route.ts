import type { Journey } from '../../../src/contract/portal/journey.js'
import { type Bounds, boundsOf, type Line, nearestLongitude, type Point, unwrapLine } from './geometry.js'

/** A journey with continuous longitudes, so that a route across the Pacific is one line. */

export type JourneyPlace = Journey['places'][number]
export type RoutePlace = { place: JourneyPlace; point: Point }
export type Route = { past: Line[]; future: Line[]; places: RoutePlace[]; position: Point | undefined; bounds: Bounds }

/** Undefined if nothing of it has coordinates. */
export function routeOf(journey: Journey): Route | undefined {
  let longitude = journey.places.find(({ point }) => point)?.point?.[0]
  const follow = (line: number[][]): Line => {
    const unwrapped = unwrapLine(line, longitude)
    longitude = unwrapped.at(-1)?.[0] ?? longitude
    return unwrapped
  }
  const past = journey.past.filter(isLine).map(follow)
  // A completed journey ends at its last place, which is marked anyway.
  const isOver = journey.past.length > 0 && journey.future.length === 0
  const position = journey.position && !isOver ? follow([journey.position])[0] : undefined
  const future = journey.future.filter(isLine).map(follow)
  const vertices = [...past, ...future].flat()
  const places = placesNear(journey.places, vertices)
  const bounds = boundsOf([...vertices, ...places.map(({ point }) => point), ...(position ? [position] : [])])
  return bounds && { past, future, places, position, bounds }
}

function isLine(line: number[][]): boolean {
  return line.length > 1
}

/** Places with longitudes near the line, or without one near the previous place. */
function placesNear(places: JourneyPlace[], vertices: Point[]): RoutePlace[] {
  let before: number | undefined
  return places.flatMap((place) => {
    const [given, latitude] = place.point ?? []
    if (given === undefined || latitude === undefined) return []
    const near = nearestOf([given, latitude], vertices)?.[0] ?? before
    const longitude = near === undefined ? given : nearestLongitude(given, near)
    before = longitude
    return [{ place, point: [longitude, latitude] as Point }]
  })
}

function nearestOf([longitude, latitude]: Point, vertices: Point[]): Point | undefined {
  let nearest: Point | undefined
  let least = Number.POSITIVE_INFINITY
  for (const vertex of vertices) {
    const distance = Math.hypot(nearestLongitude(longitude, vertex[0]) - vertex[0], latitude - vertex[1])
    if (distance < least) {
      least = distance
      nearest = vertex
    }
  }
  return nearest
}
