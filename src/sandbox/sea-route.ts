import { seaPort } from './ports.js'
import {
  greatCircleKm,
  longitudeDifference,
  normalLongitude,
  type Point,
  type SeaNetwork,
  seaNetwork,
} from './sea-network.js'

/** The shortest way by sea between two ports. */
type SeaRoute = { points: Point[]; lengthKm: number; kmAt: number[] }

// Where a port joins the network: a point on the nearest lane, and how far it is to either end of that lane.
type Mooring = { port: Point; point: Point; edge: SeaNetwork['edges'][number]; fromKm: number; toKm: number }
type Tree = { km: Float64Array; previous: Int32Array }

const moorings = new Map<string, Mooring>()
const trees = new Map<string, Tree>()
const routes = new Map<string, SeaRoute>()

export function seaRoute(from: string, to: string): SeaRoute {
  const key = `${from} ${to}`
  let route = routes.get(key)
  if (!route) routes.set(key, (route = measured(wayBetween(from, to))))
  return route
}

/** Where a ship is after this fraction of the way. */
export function positionAlong(route: SeaRoute, fraction: number): Point {
  const km = Math.min(1, Math.max(0, fraction)) * route.lengthKm
  let [low, high] = [0, route.points.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (route.kmAt[middle]! <= km) low = middle
    else high = middle
  }
  const stretch = route.kmAt[high]! - route.kmAt[low]!
  return between(route.points[low]!, route.points[high]!, stretch === 0 ? 0 : (km - route.kmAt[low]!) / stretch)
}

function wayBetween(from: string, to: string): Point[] {
  const [origin, destination] = [mooringOf(from), mooringOf(to)]
  const inner = origin.edge === destination.edge ? [] : lanesBetween(from, origin, destination)
  return [origin.port, origin.point, ...inner, destination.point, destination.port]
}

function lanesBetween(from: string, origin: Mooring, destination: Mooring): Point[] {
  const { points } = seaNetwork()
  const tree = treeOf(from, origin)
  const { edge } = destination
  const overFrom = tree.km[edge.from]! + destination.fromKm
  const overTo = tree.km[edge.to]! + destination.toKm
  const way: Point[] = []
  for (let at = overFrom <= overTo ? edge.from : edge.to; at !== -1; at = tree.previous[at]!) way.push(points[at]!)
  return way.toReversed()
}

function measured(points: Point[]): SeaRoute {
  const kmAt = [0]
  for (let index = 1; index < points.length; index++) {
    kmAt.push(kmAt[index - 1]! + greatCircleKm(points[index - 1]!, points[index]!))
  }
  return { points, lengthKm: kmAt[kmAt.length - 1]!, kmAt }
}

function between(a: Point, b: Point, fraction: number): Point {
  const longitude = normalLongitude(a[0] + longitudeDifference(a[0], b[0]) * fraction)
  return [longitude, a[1] + (b[1] - a[1]) * fraction]
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

// Dijkstra, to every point at once: one port's sailings then cost one search, wherever they go.
function shortestTree(origin: Mooring): Tree {
  const { points, neighbours } = seaNetwork()
  const km = new Float64Array(points.length).fill(Number.POSITIVE_INFINITY)
  const previous = new Int32Array(points.length).fill(-1)
  const heap = new Heap()
  km[origin.edge.from] = origin.fromKm
  km[origin.edge.to] = origin.toKm
  heap.push(origin.edge.from, origin.fromKm)
  heap.push(origin.edge.to, origin.toKm)
  for (let next = heap.pop(); next; next = heap.pop()) {
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

type Queued = { point: number; km: number }

/** A binary heap: the nearest comes out first. */
class Heap {
  readonly #items: Queued[] = []

  push(point: number, km: number): void {
    const items = this.#items
    let index = items.push({ point, km }) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (items[parent]!.km <= items[index]!.km) return
      this.#swap(parent, index)
      index = parent
    }
  }

  pop(): Queued | undefined {
    const items = this.#items
    const first = items[0]
    const last = items.pop()
    if (first === undefined || items.length === 0) return first
    items[0] = last!
    for (let index = 0; ; ) {
      const left = 2 * index + 1
      let least = index
      if (left < items.length && items[left]!.km < items[least]!.km) least = left
      if (left + 1 < items.length && items[left + 1]!.km < items[least]!.km) least = left + 1
      if (least === index) return first
      this.#swap(index, least)
      index = least
    }
  }

  #swap(a: number, b: number): void {
    const items = this.#items
    const item = items[a]!
    items[a] = items[b]!
    items[b] = item
  }
}
