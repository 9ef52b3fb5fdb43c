import type { FeatureCollection } from 'geojson'
import type { StyleSpecification } from 'maplibre-gl'
import type { Line } from './geometry.js'
import type { Route } from './route.js'

/** The style of the map: sea, land, past and future route. Labels are HTML. */

export type MapColours = { sea: string; land: string; coast: string; past: string; future: string }

export const nothing: FeatureCollection = { type: 'FeatureCollection', features: [] }

export function styleOf(route: Route, colours: MapColours): StyleSpecification {
  const { sea, land, coast, past, future } = colours
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const
  return {
    version: 8,
    // The data has no more detail beyond this zoom level.
    sources: {
      land: { type: 'geojson', data: nothing, maxzoom: 6, buffer: 32 },
      past: { type: 'geojson', data: linesOf(route.past) },
      future: { type: 'geojson', data: linesOf(route.future) },
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': sea } },
      { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': land } },
      { id: 'coast', type: 'line', source: 'land', paint: { 'line-color': coast, 'line-width': 0.75 } },
      {
        id: 'future',
        type: 'line',
        source: 'future',
        paint: { 'line-color': future, 'line-width': 2, 'line-dasharray': [2, 2] },
      },
      { id: 'past', type: 'line', source: 'past', layout: round, paint: { 'line-color': past, 'line-width': 2.5 } },
    ],
  }
}

export function linesOf(lines: Line[]): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: lines.map((coordinates) => ({
      type: 'Feature',
      properties: {},
      geometry: { type: 'LineString', coordinates },
    })),
  }
}

/** The colours of the current theme, from the style sheet. */
export function coloursOf(element: HTMLElement): MapColours {
  const style = getComputedStyle(element)
  const colour = (name: string) => style.getPropertyValue(`--map-${name}`).trim()
  return {
    sea: colour('sea'),
    land: colour('land'),
    coast: colour('coast'),
    past: colour('past'),
    future: colour('future'),
  }
}
