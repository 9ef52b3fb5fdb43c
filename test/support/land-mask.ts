import { createRequire } from 'node:module'
import { feature } from 'topojson-client'
import { greatCircleKm, longitudeDifference, type Point, unwrapped } from '../../src/geography/point.js'

/** The world's land as a raster of small squares, for looking up thousands of points. */

const cell = 0.1
const [columns, rows] = [3600, 1800]

type Ring = number[][]

function landRings(): Ring[] {
  const atlas = createRequire(import.meta.url)('world-atlas/land-50m.json') as Parameters<typeof feature>[0]
  const land = feature(atlas, atlas.objects.land as never) as unknown as {
    features: { geometry: { coordinates: Ring[][] } }[]
  }
  return land.features.flatMap(({ geometry }) => geometry.coordinates.flat())
}

/** Fills the raster by the even-odd rule: counts crossings of coastlines along each row. */
function landSquares(): Uint8Array {
  const squares = new Uint8Array(columns * rows)
  for (const ring of landRings()) {
    // Siberia extends beyond 180 degrees.
    const coast = unwrapped(ring.map(([x = 0, y = 0]): Point => [x, y]))
    for (const [row, found] of crossingsOf(coast)) {
      const sorted = found.toSorted((a, b) => a - b)
      for (let index = 0; index + 1 < sorted.length; index += 2) {
        const [from, to] = [Math.ceil((sorted[index]! + 180) / cell - 0.5), (sorted[index + 1]! + 180) / cell - 0.5]
        for (let column = from; column <= to; column++) {
          const at = row * columns + (((column % columns) + columns) % columns)
          // A lake, or an island in it, inverts the squares again.
          squares[at] = 1 - squares[at]!
        }
      }
    }
  }
  return squares
}

function crossingsOf(coast: Point[]): Map<number, number[]> {
  const crossings = new Map<number, number[]>()
  for (let index = 1; index < coast.length; index++) {
    const [[x1, y1], [x2, y2]] = [coast[index - 1]!, coast[index]!]
    for (let row = rowOf(Math.min(y1, y2)); row <= rowOf(Math.max(y1, y2)); row++) {
      const y = -90 + (row + 0.5) * cell
      if (y1 <= y === y2 <= y) continue
      crossings.set(row, [...(crossings.get(row) ?? []), x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)])
    }
  }
  return crossings
}

function rowOf(latitude: number): number {
  return Math.min(rows - 1, Math.max(0, Math.floor((latitude + 90) / cell)))
}

let squares: Uint8Array | undefined

/** Whether everything within this distance is land. */
export function isDeepInland([longitude, latitude]: Point, km: number): boolean {
  squares ??= landSquares()
  const reach = Math.ceil(km / 111 / cell)
  const wide = Math.ceil(reach / Math.max(0.1, Math.cos((latitude * Math.PI) / 180)))
  const column = Math.floor((longitude + 180) / cell)
  for (let down = -reach; down <= reach; down++) {
    for (let right = -wide; right <= wide; right++) {
      if ((down / reach) ** 2 + (right / wide) ** 2 > 1) continue
      const row = rowOf(latitude + down * cell)
      const at = (((column + right) % columns) + columns) % columns
      if (squares[row * columns + at] === 0) return false
    }
  }
  return true
}

// Navigable inland waters: canals, and the Saint Lawrence.
const canals: { at: Point; km: number }[] = [
  { at: [32.4, 30.5], km: 100 },
  { at: [-79.7, 9.1], km: 60 },
  { at: [9.6, 54.1], km: 60 },
  { at: [-73.5, 45.5], km: 150 },
]

/** Points of a line that are further inland than this distance, sampled every few kilometres. */
export function inlandPoints(line: readonly Point[], km: number): Point[] {
  const found: Point[] = []
  for (let index = 1; index < line.length; index++) {
    const [from, to] = [line[index - 1]!, line[index]!]
    const steps = Math.max(1, Math.ceil(greatCircleKm(from, to) / 10))
    for (let step = 0; step <= steps; step++) {
      const part = step / steps
      const longitude = from[0] + longitudeDifference(from[0], to[0]) * part
      const point: Point = [((((longitude + 180) % 360) + 360) % 360) - 180, from[1] + (to[1] - from[1]) * part]
      if (!isDeepInland(point, km)) continue
      if (!canals.some((canal) => greatCircleKm(canal.at, point) < canal.km)) found.push(point)
    }
  }
  return found
}
