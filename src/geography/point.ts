/** Points on the globe, and lines between them. */

export type Point = readonly [longitude: number, latitude: number]

const earthRadiusKm = 6371.0088
const radian = Math.PI / 180

export function greatCircleKm(a: Point, b: Point): number {
  const latitudes = Math.sin(((b[1] - a[1]) * radian) / 2) ** 2
  const longitudes = Math.sin(((b[0] - a[0]) * radian) / 2) ** 2
  const chord = latitudes + Math.cos(a[1] * radian) * Math.cos(b[1] * radian) * longitudes
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(chord)))
}

/** The signed difference of two longitudes, across the antimeridian if that is shorter. */
export function longitudeDifference(from: number, to: number): number {
  const difference = to - from
  if (difference > 180) return difference - 360
  if (difference < -180) return difference + 360
  return difference
}

export function normalLongitude(longitude: number): number {
  if (longitude > 180) return longitude - 360
  if (longitude < -180) return longitude + 360
  return longitude
}

/** Linear interpolation between two points that are close. */
export function between(a: Point, b: Point, fraction: number): Point {
  const longitude = normalLongitude(a[0] + longitudeDifference(a[0], b[0]) * fraction)
  return [longitude, a[1] + (b[1] - a[1]) * fraction]
}

/** A line with the distance of each point from its start. */
export type MeasuredLine = { points: Point[]; lengthKm: number; kmAt: number[] }

export function measured(points: Point[]): MeasuredLine {
  const kmAt = [0]
  for (let index = 1; index < points.length; index++) {
    kmAt.push(kmAt[index - 1]! + greatCircleKm(points[index - 1]!, points[index]!))
  }
  return { points, lengthKm: kmAt[kmAt.length - 1]!, kmAt }
}

/** The point after a fraction of the line. */
export function positionAlong(line: MeasuredLine, fraction: number): Point {
  const { low, high, rest } = segmentAt(line, fraction)
  return between(line.points[low]!, line.points[high]!, rest)
}

/** Splits a line at a fraction of its length: both parts contain the split point. */
export function splitAlong(line: MeasuredLine, fraction: number): [before: Point[], after: Point[]] {
  const { low, high, rest } = segmentAt(line, fraction)
  const at = between(line.points[low]!, line.points[high]!, rest)
  return [
    [...line.points.slice(0, low + 1), at],
    [at, ...line.points.slice(high)],
  ]
}

function segmentAt({ points, lengthKm, kmAt }: MeasuredLine, fraction: number) {
  const km = Math.min(1, Math.max(0, fraction)) * lengthKm
  let [low, high] = [0, points.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (kmAt[middle]! <= km) low = middle
    else high = middle
  }
  const length = kmAt[high]! - kmAt[low]!
  return { low, high, rest: length === 0 ? 0 : (km - kmAt[low]!) / length }
}

// Segments of this length look curved on a world map.
const pieceKm = 250

/** The great circle between two points, in segments. */
export function greatCircle(from: Point, to: Point): Point[] {
  const pieces = Math.max(1, Math.ceil(greatCircleKm(from, to) / pieceKm))
  const [a, b] = [onSphere(from), onSphere(to)]
  const angle = Math.acos(Math.min(1, Math.max(-1, a[0] * b[0] + a[1] * b[1] + a[2] * b[2])))
  if (angle < 1e-9) return [from, to]
  const inner = Array.from({ length: pieces - 1 }, (_, index): Point => {
    const fraction = (index + 1) / pieces
    const [wa, wb] = [Math.sin((1 - fraction) * angle), Math.sin(fraction * angle)]
    const [x, y, z] = [a[0] * wa + b[0] * wb, a[1] * wa + b[1] * wb, a[2] * wa + b[2] * wb]
    return [Math.atan2(y, x) / radian, Math.atan2(z, Math.hypot(x, y)) / radian]
  })
  return [from, ...inner, to]
}

function onSphere([longitude, latitude]: Point): [number, number, number] {
  const [l, b] = [longitude * radian, latitude * radian]
  return [Math.cos(b) * Math.cos(l), Math.cos(b) * Math.sin(l), Math.sin(b)]
}

/** Shifts longitudes by multiples of 360 so that consecutive points differ by at most 180; values may exceed 180. */
export function unwrapped(points: readonly Point[], start: number | undefined = points[0]?.[0]): Point[] {
  let last = start ?? 0
  return points.map(([longitude, latitude]) => {
    last = longitude + 360 * Math.round((last - longitude) / 360)
    return [last, latitude]
  })
}
