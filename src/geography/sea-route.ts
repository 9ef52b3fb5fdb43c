import { Heap } from './heap.js'
import { between, greatCircleKm, longitudeDifference, type MeasuredLine, measured, type Point } from './point.js'
import { seaPort } from './ports.js'
import { type SeaNetwork, seaNetwork } from './sea-network.js'

// Where a port joins the network: a point on the nearest lane, and how far it is to either end of that lane.
type Mooring = { port: Point; point: Point; edge: SeaNetwork['edges'][number]; fromKm: number; toKm: number }
type Tree = { km: Float64Array; previous: Int32Array }

const moorings = new Map<string, Mooring>()
const trees = new Map<string, Tree>()
const routes = new Map<string, MeasuredLine>()

/** The shortest way by sea between two of the ports that have a name of ours. */
export function seaRoute(from: string, to: string): MeasuredLine {
  const key = `${from} ${to}`
  let route = routes.get(key)
  if (!route) routes.set(key, (route = measured(wayBetween(from, to))))
  return route
}

function wayBetween(from: string, to: string): Point[] {
  const [origin, destination] = [mooringOf(from), mooringOf(to)]
  const inner = origin.edge === destination.edge ? [] : lanesBetween(treeOf(from, origin), destination)
  return [origin.port, origin.point, ...inner, destination.point, destination.port]
}

// Nothing that is at sea, or on a coast, is further from the nearest lane than this.
const farthestKm = 300

/**
 * The shortest way by sea between any two points; undefined where one of them is far from the sea. How far one may be
 * from the nearest lane, and how long the way may be, can be told.
 */
export function seaWay(
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

/** What a ship comes from, or goes to: a port, or a point at sea. */
export type Berth = { coordinates: Point; approach?: readonly Point[] }

/** The way by sea from berth to berth, in and out as ships go there. */
export function voyage(from: Berth, to: Berth): Point[] | undefined {
  const out = [from.coordinates, ...(from.approach ?? [])]
  const back = [to.coordinates, ...(to.approach ?? [])].toReversed()
  const way = seaWay(out.at(-1) as Point, back[0] as Point)
  return way && [...out.slice(0, -1), ...way, ...back.slice(1)]
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

// On a flat map around the port, which is near enough for the few dozen kilometres between a port and its lane.
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

// Dijkstra, to every point at once: one port's sailings then cost one search, wherever they go. Or only as far as a
// destination, or until the way gets too long.
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
    // A point that was reached a shorter way after it was queued is in the queue twice.
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
