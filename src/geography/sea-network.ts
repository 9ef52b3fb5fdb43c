import { readData } from './data-file.js'
import { greatCircleKm, type Point } from './point.js'

/** The shipping lanes of the world as a connected graph. */

export type SeaNetwork = {
  points: Point[]
  /** The neighbours of each point, with their distance in kilometres. */
  neighbours: { to: number; km: number }[][]
  edges: { from: number; to: number; km: number }[]
}

type LaneFile = {
  points: Point[]
  /** Each as the indexes of its points. */
  lanes: number[][]
}

let network: SeaNetwork | undefined

export function seaNetwork(): SeaNetwork {
  network ??= readNetwork()
  return network
}

function readNetwork(): SeaNetwork {
  const { points, lanes } = readData('sea-lanes.json') as LaneFile
  const neighbours: SeaNetwork['neighbours'] = points.map(() => [])
  const edges: SeaNetwork['edges'] = []
  for (const lane of lanes) {
    for (let position = 1; position < lane.length; position++) {
      const [from, to] = [lane[position - 1]!, lane[position]!]
      const km = greatCircleKm(points[from]!, points[to]!)
      neighbours[from]!.push({ to, km })
      neighbours[to]!.push({ to: from, km })
      edges.push({ from, to, km })
    }
  }
  return { points, neighbours, edges }
}
