import { greatCircleKm, longitudeDifference, measured, normalLongitude, type Point } from './point.js'
import { type Berth, kmToLane, seaWay } from './sea-route.js'

/** The way of a ship that has told where it is now and then. */

// Closer than this, a straight line between two reports is how it went.
const closeKm = 100
// Whoever keeps to the lanes follows them wherever they lead, around capes and islands. Whoever is beside them does so
// unless that were a detour; and whoever is far from all of them is far from land as well, and goes straight.
const onLane = { offLaneKm: 15, detour: 2.5 }
const besideLane = { offLaneKm: 60, detour: 1.6 }
// To a port the lanes are left, however far it is, by the way that ships go there.
const intoPort = { offLaneKm: 300, detour: 4 }
const inPortKm = 15

/** What was reported; where that was in a port, or between it and the lane, with the point at which that way begins. */
type End = { report: Point; way: readonly Point[] | undefined }

/** All that was reported, in order, and between two of them the lanes that lead from the one to the other. */
export function seaTrack(reports: readonly Point[], ports: readonly Berth[] = []): Point[] {
  const known = ports.map((port) => ({ ...port, reachKm: Math.max(inPortKm, kmToLane(port.coordinates)) }))
  const ends = reports.map((report): End => {
    const port = known.find(({ coordinates, reachKm }) => greatCircleKm(coordinates, report) < reachKm)
    const isInPort = port && greatCircleKm(port.coordinates, report) < inPortKm
    return { report, way: port && [port.coordinates, ...((isInPort && port.approach) || [])] }
  })
  return ends.flatMap((end, index) => {
    const before = ends[index - 1]
    return before ? [...between(before, end), end.report] : [end.report]
  })
}

function between(from: End, to: End): Point[] {
  const direct = greatCircleKm(from.report, to.report)
  if (direct < closeKm) return []
  const [start, end] = [from.way?.at(-1) ?? from.report, to.way?.at(-1) ?? to.report]
  for (const { offLaneKm, detour } of from.way || to.way ? [intoPort] : [onLane, besideLane]) {
    const way = seaWay(start, end, { offLaneKm, longestKm: direct * detour })
    if (!way) continue
    return [...(from.way?.slice(1) ?? []), ...drawnOver(way, from, to), ...(to.way?.slice(1).toReversed() ?? [])]
  }
  return []
}

/**
 * A ship goes beside its lane, not to it and back for every report: the lane is shifted to where the ship was at
 * either end, and by a part of each in between. From a port it comes to the lane.
 */
function drawnOver(way: Point[], from: End, to: End): Point[] {
  const lane = measured(way.slice(1, -1))
  const atStart = from.way ? [0, 0] : shiftBetween(lane.points[0]!, way[0]!)
  const atEnd = to.way ? [0, 0] : shiftBetween(lane.points.at(-1)!, way.at(-1)!)
  const shifted = lane.points.map(([longitude, latitude], index): Point => {
    const done = lane.lengthKm === 0 ? 0 : lane.kmAt[index]! / lane.lengthKm
    const [east, north] = [0, 1].map((axis) => atStart[axis]! * (1 - done) + atEnd[axis]! * done) as [number, number]
    return [normalLongitude(longitude + east), latitude + north]
  })
  return shifted.slice(from.way ? 0 : 1, to.way ? undefined : -1)
}

function shiftBetween(from: Point, to: Point): [east: number, north: number] {
  return [longitudeDifference(from[0], to[0]), to[1] - from[1]]
}
