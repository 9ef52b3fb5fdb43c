import { greatCircleKm, longitudeDifference, measured, normalLongitude, type Point } from './point.js'
import { type Berth, kmToLane, seaPath } from './sea-route.js'

/** The track of a ship from its position reports. */

// Reports closer than this are joined by a straight line.
const closeKm = 100
// A ship on a lane follows it, around capes and islands. A ship near a lane follows it unless that is a detour. A ship far
// from all lanes is far from land too, and goes straight.
const onLane = { offLaneKm: 15, detour: 2.5 }
const besideLane = { offLaneKm: 60, detour: 1.6 }
// To a port a ship leaves the lanes by the approach, however far it is.
const intoPort = { offLaneKm: 300, detour: 4 }
const inPortKm = 15

/** A report; in a port, or between a port and its lane, with the approach. */
type End = { report: Point; approach: readonly Point[] | undefined }

/** All reports in order, connected along the lanes. */
export function seaTrack(reports: readonly Point[], ports: readonly Berth[] = []): Point[] {
  const known = ports.map((port) => ({ ...port, reachKm: Math.max(inPortKm, kmToLane(port.coordinates)) }))
  const ends = reports.map((report): End => {
    const port = known.find(({ coordinates, reachKm }) => greatCircleKm(coordinates, report) < reachKm)
    const isInPort = port && greatCircleKm(port.coordinates, report) < inPortKm
    return { report, approach: port && [port.coordinates, ...((isInPort && port.approach) || [])] }
  })
  return ends.flatMap((end, index) => {
    const before = ends[index - 1]
    return before ? [...between(before, end), end.report] : [end.report]
  })
}

function between(from: End, to: End): Point[] {
  const direct = greatCircleKm(from.report, to.report)
  if (direct < closeKm) return []
  const [start, end] = [from.approach?.at(-1) ?? from.report, to.approach?.at(-1) ?? to.report]
  for (const { offLaneKm, detour } of from.approach || to.approach ? [intoPort] : [onLane, besideLane]) {
    const path = seaPath(start, end, { offLaneKm, longestKm: direct * detour })
    if (!path) continue
    return [
      ...(from.approach?.slice(1) ?? []),
      ...shiftedLane(path, from, to),
      ...(to.approach?.slice(1).toReversed() ?? []),
    ]
  }
  return []
}

/**
 * Shifts the lane to the reports at either end, and proportionally in between: a ship sails parallel to its lane. At a port
 * the lane is not shifted.
 */
function shiftedLane(path: Point[], from: End, to: End): Point[] {
  const lane = measured(path.slice(1, -1))
  const atStart = from.approach ? [0, 0] : shiftBetween(lane.points[0]!, path[0]!)
  const atEnd = to.approach ? [0, 0] : shiftBetween(lane.points.at(-1)!, path.at(-1)!)
  const shifted = lane.points.map(([longitude, latitude], index): Point => {
    const done = lane.lengthKm === 0 ? 0 : lane.kmAt[index]! / lane.lengthKm
    const [east, north] = [0, 1].map((axis) => atStart[axis]! * (1 - done) + atEnd[axis]! * done) as [number, number]
    return [normalLongitude(longitude + east), latitude + north]
  })
  return shifted.slice(from.approach ? 0 : 1, to.approach ? undefined : -1)
}

function shiftBetween(from: Point, to: Point): [east: number, north: number] {
  return [longitudeDifference(from[0], to[0]), to[1] - from[1]]
}
