import type { FeatureCollection, Geometry, Polygon, Position } from 'geojson'
import { feature } from 'topojson-client'
import landAddress from 'world-atlas/land-50m.json?url'
import { unwrapRing } from './geometry.js'

/** The land polygons of the world: one file from our own host, fetched with the first map. */

export type Land = FeatureCollection<Polygon>
type Topology = Parameters<typeof feature>[0]

let land: Promise<Land> | undefined

export function loadLand(): Promise<Land> {
  land ??= readLand().catch((error: unknown) => {
    // So that the next map tries again.
    land = undefined
    throw error
  })
  return land
}

async function readLand(): Promise<Land> {
  const response = await fetch(landAddress)
  if (!response.ok) throw new Error(`the world map is not there: ${response.status}`)
  const topology = (await response.json()) as Topology
  const polygons = geometriesOf(topology).flatMap(polygonsOf)
  return {
    type: 'FeatureCollection',
    features: polygons.map((rings) => ({
      type: 'Feature',
      properties: {},
      geometry: { type: 'Polygon', coordinates: rings.map(unwrapRing) },
    })),
  }
}

function geometriesOf(topology: Topology): Geometry[] {
  return Object.values(topology.objects).flatMap((object) => {
    const found = feature(topology, object)
    return found.type === 'Feature' ? [found.geometry] : found.features.map(({ geometry }) => geometry)
  })
}

function polygonsOf(geometry: Geometry): Position[][][] {
  if (geometry.type === 'Polygon') return [geometry.coordinates]
  return geometry.type === 'MultiPolygon' ? geometry.coordinates : []
}
