import { type Map as MapCanvas, Marker } from 'maplibre-gl'
import { nearestLongitude, type Point } from './geometry.js'
import { type Box, boxAround, labelBox, placeLabels, type Side } from './labels.js'
import type { JourneyPlace, Route } from './route.js'

/** The stops and the current position as markers. Hidden from screen readers, which get a list. */
export type Marks = {
  /** Returns the boxes that they take. */
  arrange(): Box[]
  remove(): void
}

type Placement = { rank: number; prefers: Side }
type Mark = { marker: Marker; point: Point; label: HTMLElement; size: Placement & { width: number; height: number } }

// Ports before pick-up and delivery.
const ranks: Record<JourneyPlace['role'], number> = {
  destination: 0,
  origin: 1,
  transshipment: 3,
  delivery: 4,
  inland: 5,
  pickup: 6,
}

export function addMarkers(map: MapCanvas, { places, position, bounds }: Route, now: string): Marks {
  // Labels stand on the outer side of their markers; the line is on the inner side.
  const middle = (bounds[0] + bounds[2]) / 2
  const outwards = ([longitude]: Point): Side => (longitude < middle ? 'left' : 'right')
  const marks = places.map(({ place, point }) => {
    // A port and an address in the same city share one label.
    const isDuplicate = places.some(
      ({ place: other }) => other.name === place.name && ranks[other.role] < ranks[place.role],
    )
    return addMarker(map, point, isDuplicate ? '' : place.name, place.role, {
      rank: ranks[place.role],
      prefers: outwards(point),
    })
  })
  if (position) marks.push(addMarker(map, position, now, 'position', { rank: 2, prefers: 'above' }))
  const arrange = () => {
    const { clientWidth, clientHeight } = map.getContainer()
    const labelled = marks.map(({ point, size }) => {
      // Like the markers: of the repeated worlds, the one in view.
      const { x, y } = map.project([nearestLongitude(point[0], map.getCenter().lng), point[1]])
      return { x, y, ...size }
    })
    const chosen = placeLabels(labelled, { width: clientWidth, height: clientHeight, blocked: [toolbarBox(map)] })
    for (const [index, { label }] of marks.entries()) label.dataset.side = chosen[index] ?? 'none'
    return labelled.flatMap((each, index) => {
      const side = chosen[index]
      return side ? [boxAround(each.x, each.y), labelBox(each, side)] : boxAround(each.x, each.y)
    })
  }
  return { arrange, remove: () => marks.forEach(({ marker }) => marker.remove()) }
}

function addMarker(map: MapCanvas, point: Point, name: string, role: string, placement: Placement): Mark {
  const element = document.createElement('div')
  element.className = 'map-mark'
  element.dataset.role = role
  element.ariaHidden = 'true'
  const label = document.createElement('span')
  label.className = 'map-label'
  label.textContent = name
  element.append(label)
  const marker = new Marker({ element }).setLngLat(point).addTo(map)
  const { width, height } = label.getBoundingClientRect()
  return { marker, point, label, size: { width, height, ...placement } }
}

// The buttons in the lower right corner.
function toolbarBox(map: MapCanvas): Box {
  const { clientWidth, clientHeight } = map.getContainer()
  return { left: clientWidth - 56, top: clientHeight - 140, right: clientWidth, bottom: clientHeight }
}
