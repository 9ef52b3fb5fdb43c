import type { Journey } from '../../contract/portal/journey.js'
import type { ShipmentRecord } from '../../contract/public/shipment.js'
import type { TrackingRecord } from '../../contract/public/tracking.js'
import { flatMapInParts, type InParts } from '../../domain/records/in-parts.js'
import { greatCircle, longitudeDifference, measured, type Point, splitAlong, unwrapped } from '../../geography/point.js'
import { type Berth, voyage } from '../../geography/sea-route.js'
import { seaTrack } from '../../geography/sea-track.js'
import { fractionBetween, type JourneyProgress, progressOf } from './journey-progress.js'
import { type RouteLocations, type Stop, stopsOf } from './journey-stops.js'

export type JourneySource = {
  shipment: ShipmentRecord
  tracking: TrackingRecord | undefined
  locations: RouteLocations
  now: number
}

/** The stops, lines and position of a shipment on a map. */
export function* journeyMap(source: JourneySource): InParts<Omit<Journey, 'arrival_history' | 'tracked'>> {
  const { shipment, tracking, locations } = source
  const stops = stopsOf(shipment, tracking, locations)
  const drawn = yield* draw(source, stops)
  const isCancelled = shipment.status === 'cancelled' || tracking?.status === 'cancelled'
  const lines = continuous(drawn.pieces)
  const position = isCancelled ? undefined : drawn.position
  return {
    places: yield* flatMapInParts(stops, (stop) => [placeOf(stop, lines)]),
    past: lines.filter(({ isPast }) => isPast).flatMap(coordinatesOf),
    future: isCancelled ? [] : lines.filter(({ isPast }) => !isPast).flatMap(coordinatesOf),
    ...(position && { position: rounded(nearLines(position, lines)) }),
  }
}

type Piece = { points: Point[]; isPast: boolean }
type Drawn = { pieces: Piece[]; position: Point | undefined }

function* draw(source: JourneySource, stops: Stop[]): InParts<Drawn> {
  const { shipment, tracking } = source
  const progress = yield* progressOf(shipment, tracking, stops)
  const track = trackOf(tracking)
  if (track.length > 0) return yield* drawTracked(source, stops, track, progress)
  const pieces = yield* flatMapInParts(stops.slice(1), (_, index) => legPieces(source, stops, index, progress))
  return { pieces, position: positionAt(stops, pieces, progress) }
}

/** The line from a stop to the next one: past, future, or split at the position. */
function legPieces(source: JourneySource, stops: Stop[], from: number, progress: JourneyProgress | undefined): Piece[] {
  const points = legBetween(source.shipment, stops[from], stops[from + 1])
  if (!points) return []
  if (!progress || from > progress.stop || (from === progress.stop && !progress.hasLeft)) {
    return [{ points, isPast: false }]
  }
  if (from < progress.stop) return [{ points, isPast: true }]
  const fraction = fractionBetween(source.tracking, stops[from], stops[from + 1], source.now)
  const [before, after] = splitAlong(measured(points), fraction)
  return [
    { points: before, isPast: true },
    { points: after, isPast: false },
  ]
}

const carriage = new Set<Stop['role']>(['origin', 'transshipment', 'destination'])

function legBetween({ freight_mode }: ShipmentRecord, from?: Stop, to?: Stop): Point[] | undefined {
  if (!from?.place || !to?.place) return undefined
  // To the first port and from the last one, the shipment travels by road or rail.
  const mode = carriage.has(from.role) && carriage.has(to.role) ? freight_mode : 'truck'
  return lineBetween(mode, from.place, to.place)
}

function lineBetween(mode: ShipmentRecord['freight_mode'], from: Berth, to: Berth): Point[] | undefined {
  if (isAtSea(mode)) return voyage(from, to)
  return mode === 'air' ? greatCircle(from.coordinates, to.coordinates) : [from.coordinates, to.coordinates]
}

function isAtSea(mode: ShipmentRecord['freight_mode']): boolean {
  return mode === 'ocean' || mode === undefined
}

function positionAt(stops: Stop[], pieces: Piece[], progress: JourneyProgress | undefined): Point | undefined {
  if (!progress) return undefined
  const isUnderWay = progress.hasLeft && progress.stop < stops.length - 1
  if (!isUnderWay) return stops[progress.stop]?.place?.coordinates
  if (!stops[progress.stop]?.place || !stops[progress.stop + 1]?.place) return undefined
  return pieces.findLast(({ isPast }) => isPast)?.points.at(-1)
}

/** The same for a shipment with reported positions: they are the past line, whatever was planned. */
function* drawTracked(
  source: JourneySource,
  stops: Stop[],
  track: Point[],
  reported: JourneyProgress | undefined,
): InParts<Drawn> {
  const { freight_mode } = source.shipment
  const first = stops.findIndex(({ role }) => role === 'origin')
  const last = stops.findLastIndex(({ role }) => role === 'destination')
  // A shipment with reported positions has left its origin, even without an event.
  const hasLeft = reported && (reported.stop > first || (reported.stop === first && reported.hasLeft))
  const progress = hasLeft ? reported : { stop: first, hasLeft: true }
  const reached = last < 0 ? progress.stop : Math.min(progress.stop, last)
  // In the port that it has reached, or already past it on land.
  const isMoored = reached > first && (reached === last || !progress.hasLeft)
  const [origin, moored] = [stops[first]?.place, isMoored ? stops[reached]?.place : undefined]
  const reports = [origin?.coordinates, ...track, moored?.coordinates].filter((point) => point !== undefined)
  const ports = stops.flatMap(({ role, place }) => (carriage.has(role) && place ? [place] : []))
  const past = isAtSea(freight_mode) ? seaTrack(reports, ports) : reports
  const here = past.at(-1) as Point

  const before = yield* flatMapInParts(stops.slice(0, Math.max(first, 0)), (_, from) =>
    legPieces(source, stops, from, progress),
  )
  const ahead: Berth[] = stops.flatMap(({ role, place }, index) =>
    index > reached && index <= last && carriage.has(role) && place ? [place] : [],
  )
  const start = moored ?? { coordinates: here }
  const coming = yield* flatMapInParts(ahead, (end, index): Piece[] => {
    const points = lineBetween(freight_mode, ahead[index - 1] ?? start, end)
    return points ? [{ points, isPast: false }] : []
  })
  const after =
    last < 0
      ? []
      : yield* flatMapInParts(stops.slice(last + 1), (_, index) => legPieces(source, stops, last + index, progress))
  const pieces = [...before, { points: past, isPast: true }, ...coming, ...after]
  const isAshore = last >= 0 && progress.stop >= last
  return { pieces, position: isAshore ? positionAt(stops, pieces, progress) : here }
}

// A map shows no more detail than this.
const mostReports = 1000

function trackOf(tracking: TrackingRecord | undefined): Point[] {
  const points = (tracking?.ocean_coordinates ?? []).flatMap(({ latitude, longitude }): Point[] => {
    const point: Point = [Number(longitude), Number(latitude)]
    return latitude.trim() !== '' && longitude.trim() !== '' && isOnEarth(point) ? [point] : []
  })
  const every = Math.ceil(points.length / mostReports)
  return points.filter((_, index) => index % every === 0 || index === points.length - 1)
}

function isOnEarth([longitude, latitude]: Point): boolean {
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90
}

/** Makes each line continue where the one before it ended, beyond 180 degrees if necessary. */
function continuous(pieces: Piece[]): Piece[] {
  let at: number | undefined
  return pieces
    .filter(({ points }) => points.length > 1)
    .map(({ points, isPast }) => {
      const line = unwrapped(points, at ?? points[0]?.[0])
      at = line.at(-1)?.[0]
      return { points: line, isPast }
    })
}

/** Drops repeated points; empty if all points are equal. */
function coordinatesOf({ points }: Piece): number[][][] {
  const all = points.map(rounded)
  const distinct = all.filter((point, index) => index === 0 || point.join() !== all[index - 1]?.join())
  return distinct.length > 1 ? [distinct] : []
}

function placeOf({ role, name, unlocode, country, place }: Stop, lines: Piece[]): Journey['places'][number] {
  return {
    name,
    role,
    ...(unlocode !== undefined && { unlocode }),
    ...(country !== undefined && { country }),
    ...(place && { point: rounded(nearLines(place.coordinates, lines)), time_zone: place.timeZone }),
  }
}

/** Shifts a point by multiples of 360 degrees to where it is closest to the lines. */
function nearLines(point: Point, lines: Piece[]): Point {
  let nearest = { longitude: point[0], square: Number.POSITIVE_INFINITY }
  for (const { points } of lines) {
    for (const [longitude, latitude] of points) {
      const away = longitudeDifference(longitude - 360 * Math.round(longitude / 360), point[0])
      const square = away ** 2 + (latitude - point[1]) ** 2
      if (square < nearest.square) nearest = { longitude: longitude + away, square }
    }
  }
  return [nearest.longitude, point[1]]
}

// To about ten metres.
function rounded([longitude, latitude]: Point): number[] {
  return [longitude, latitude].map((degrees) => Math.round(degrees * 10_000) / 10_000)
}
