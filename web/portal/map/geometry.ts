/** Lines and rings on a flat map, with longitudes that continue beyond ±180 degrees. */

export type Point = [longitude: number, latitude: number]
export type Line = Point[]
export type Bounds = [west: number, south: number, east: number, north: number]

/** The longitude, shifted by multiples of 360, that is nearest to another. */
export function nearestLongitude(longitude: number, to: number): number {
  return longitude + 360 * Math.round((to - longitude) / 360)
}

/** The line without jumps at the antimeridian, starting near a longitude if one is given. */
export function unwrapLine(line: readonly (readonly number[])[], near?: number): Line {
  let last = near
  return line.map(([longitude = 0, latitude = 0]) => {
    const shown = last === undefined ? longitude : nearestLongitude(longitude, last)
    last = shown
    return [shown, latitude]
  })
}

/** A ring without jumps, centred within ±180 degrees. A ring around a pole is closed over it. */
export function unwrapRing(ring: readonly (readonly number[])[]): Line {
  const line = unwrapLine(ring)
  const first = line[0]
  const last = line.at(-1)
  if (!first || !last) return line
  const isAroundPole = Math.abs(last[0] - first[0]) > 180
  if (isAroundPole) {
    const pole = first[1] < 0 ? -90 : 90
    return [...line, [last[0], pole], [first[0], pole], first]
  }
  const { west, east } = extentOf(line)
  const turns = Math.round((west + east) / 2 / 360) * 360
  return turns === 0 ? line : line.map(([longitude, latitude]) => [longitude - turns, latitude])
}

function extentOf(line: Line): { west: number; east: number } {
  let west = Number.POSITIVE_INFINITY
  let east = Number.NEGATIVE_INFINITY
  for (const [longitude] of line) {
    west = Math.min(west, longitude)
    east = Math.max(east, longitude)
  }
  return { west, east }
}

export function boundsOf(points: Point[]): Bounds | undefined {
  const [first] = points
  if (!first) return undefined
  const bounds: Bounds = [first[0], first[1], first[0], first[1]]
  for (const [longitude, latitude] of points) {
    bounds[0] = Math.min(bounds[0], longitude)
    bounds[1] = Math.min(bounds[1], latitude)
    bounds[2] = Math.max(bounds[2], longitude)
    bounds[3] = Math.max(bounds[3], latitude)
  }
  return bounds
}

/** Clips a ring to a box (Sutherland–Hodgman). */
export function clipRing(ring: Line, [west, south, east, north]: Bounds): Line {
  const edges: [axis: 0 | 1, limit: number, isBelow: boolean][] = [
    [0, west, false],
    [0, east, true],
    [1, south, false],
    [1, north, true],
  ]
  let points = ring
  for (const [axis, limit, isBelow] of edges) {
    const isIn = (point: Point) => (isBelow ? point[axis] <= limit : point[axis] >= limit)
    points = points.flatMap((point, index) => {
      const before = points.at(index - 1) as Point
      const crossing = isIn(point) === isIn(before) ? [] : [cut(before, point, axis, limit)]
      return isIn(point) ? [...crossing, point] : crossing
    })
  }
  return points
}

function cut(one: Point, other: Point, axis: 0 | 1, limit: number): Point {
  const share = (limit - one[axis]) / (other[axis] - one[axis])
  return [one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1])]
}
