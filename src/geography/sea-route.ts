import { Heap } from './heap.js'
import { between, greatCircleKm, longitudeDifference, type MeasuredLine, measured, type Point } from './point.js'
import { seaPort } from './ports.js'
import { type SeaNetwork, seaNetwork } from './sea-network.js'

// Where a port connects to the network: a point on the nearest lane, and the distance to either end of that lane.
type Mooring = { port: Point; point: Point; edge: SeaNetwork['edges'][number]; fromKm: number; toKm: number }
type Tree = { km: Float64Array; previous: Int32Array }

const moorings = new Map<string, Mooring>()
const trees = new Map<string, Tree>()
const routes = new Map<string, MeasuredLine>()

/** The shortest sea route between two ports of `port-names.ts`. */
export function seaRoute(from: string, to: string): MeasuredLine {
  const key = `${from} ${to}`
  let route = routes.get(key)
  if (!route) routes.set(key, (route = measured(pathBetween(from, to))))
  return route
}

function pathBetween(from: string, to: string): Point[] {
  const [origin, destination] = [mooringOf(from), mooringOf(to)]
  const inner = origin.edge === destination.edge ? [] : lanesBetween(treeOf(from, origin), destination)
  return [origin.port, origin.point, ...inner, destination.point, destination.port]
}

// Every point at sea or on a coast is closer to a lane than this.
const farthestKm = 300

/**
 * The shortest sea route between any two points; undefined if one of them is further than `offLaneKm` from a lane, or the
 * route is longer than `longestKm`.
 */
export function seaPath(
  from: Point,
  to: Point,
  { offLaneKm = farthestKm, longestKm = Number.POSITIVE_INFINITY } = {},
): Point[] | undefined {
  const [origin, destination] = [findMooring(from), findMooring(to)]
  if ([origin, destination].some(({ port, point }) => greatCircleKm(port, point) > offLaneKm)) return undefined
  if (origin.edge === destination.edge) return [from, origin.point, destination.point, to]
  const tree = shortestTree(origin, { destination, longestKm })
  if (kmTo(tree.km, destination) >= longestKm) return undefined
  return [from, origin.point, ...lanesBetween(tree, destination), destination.point, to]
}

export function kmToLane(point: Point): number {
  return greatCircleKm(point, findMooring(point).point)
}

/** An end of a voyage: a port, or a point at sea. */
export type Berth = { coordinates: Point; approach?: readonly Point[] }

/** The sea route between two berths, including their approaches. */
export function voyage(from: Berth, to: Berth): Point[] | undefined {
  const out = [from.coordinates, ...(from.approach ?? [])]
  const back = [to.coordinates, ...(to.approach ?? [])].toReversed()
  const path = seaPath(out.at(-1) as Point, back[0] as Point)
  return path && [...out.slice(0, -1), ...path, ...back.slice(1)]
}

function lanesBetween(tree: Tree, destination: Mooring): Point[] {
  const { points } = seaNetwork()
  const { edge } = destination
  const overFrom = tree.km[edge.from]! + destination.fromKm
  const overTo = tree.km[edge.to]! + destination.toKm
  const way: Point[] = []
  for (let at = overFrom <= overTo ? edge.from : edge.to; at !== -1; at = tree.previous[at]!) way.push(points[at]!)
  return way.toReversed()
}

function mooringOf(code: string): Mooring {
  let mooring = moorings.get(code)
  if (!mooring) moorings.set(code, (mooring = findMooring(seaPort(code).coordinates)))
  return mooring
}

// On a plane around the port, which is accurate enough for the distance to a lane.
function findMooring(port: Point): Mooring {
  const { points, edges } = seaNetwork()
  const narrowing = Math.cos((port[1] * Math.PI) / 180)
  let best = edges[0]!
  let bestFraction = 0
  let bestSquare = Number.POSITIVE_INFINITY
  for (const edge of edges) {
    const [a, b] = [points[edge.from]!, points[edge.to]!]
    const ax = longitudeDifference(port[0], a[0]) * narrowing
    const ay = a[1] - port[1]
    const dx = longitudeDifference(a[0], b[0]) * narrowing
    const dy = b[1] - a[1]
    const along = -(ax * dx + ay * dy) / (dx * dx + dy * dy || 1)
    const fraction = Math.min(1, Math.max(0, along))
    const square = (ax + dx * fraction) ** 2 + (ay + dy * fraction) ** 2
    if (square >= bestSquare) continue
    bestSquare = square
    bestFraction = fraction
    best = edge
  }
  const point = between(points[best.from]!, points[best.to]!, bestFraction)
  return { port, point, edge: best, fromKm: best.km * bestFraction, toKm: best.km * (1 - bestFraction) }
}

function treeOf(code: string, origin: Mooring): Tree {
  let tree = trees.get(code)
  if (!tree) trees.set(code, (tree = shortestTree(origin)))
  return tree
}

// Dijkstra from one port to every point, so that all its routes need one search; or only up to a destination or a maximum
// length.
function shortestTree(origin: Mooring, until?: { destination: Mooring; longestKm: number }): Tree {
  const { points, neighbours } = seaNetwork()
  const km = new Float64Array(points.length).fill(Number.POSITIVE_INFINITY)
  const previous = new Int32Array(points.length).fill(-1)
  const heap = new Heap()
  km[origin.edge.from] = origin.fromKm
  km[origin.edge.to] = origin.toKm
  heap.push(origin.edge.from, origin.fromKm)
  heap.push(origin.edge.to, origin.toKm)
  for (let next = heap.pop(); next; next = heap.pop()) {
    if (until && next.km > Math.min(until.longestKm, kmTo(km, until.destination))) break
    // Skips an outdated entry: the point was queued again with a shorter distance.
    if (next.km > km[next.point]!) continue
    for (const neighbour of neighbours[next.point]!) {
      const distance = next.km + neighbour.km
      if (distance >= km[neighbour.to]!) continue
      km[neighbour.to] = distance
      previous[neighbour.to] = next.point
      heap.push(neighbour.to, distance)
    }
  }
  return { km, previous }
}

function kmTo(km: Float64Array, { edge, fromKm, toKm }: Mooring): number {
  return Math.min(km[edge.from]! + fromKm, km[edge.to]! + toKm)
}
