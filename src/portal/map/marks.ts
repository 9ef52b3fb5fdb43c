import { type Map as MapCanvas, Marker } from 'maplibre-gl'
import { nearestLongitude, type Point } from './geometry.js'
import { type Box, placeLabels, type Side } from './labels.js'
import type { JourneyPlace, Route } from './route.js'

/** The places of a route and where it is now, as elements on the map. They are told in words beside it: no reader needs these. */
export type Marks = { arrange(): void; remove(): void }

type Wish = { rank: number; prefers: Side }
type Mark = { marker: Marker; point: Point; label: HTMLElement; size: Wish & { width: number; height: number } }

// Ports before doors: that is what a route is known by.
const ranks: Record<JourneyPlace['role'], number> = {
  destination: 0,
  origin: 1,
  transshipment: 3,
  delivery: 4,
  inland: 5,
  pickup: 6,
}

export function putMarks(map: MapCanvas, { places, position, bounds }: Route, now: string): Marks {
  // A name stands on the outer side of its mark: on the inner one is the line.
  const middle = (bounds[0] + bounds[2]) / 2
  const outwards = ([longitude]: Point): Side => (longitude < middle ? 'left' : 'right')
  const marks = places.map(({ place, point }) => {
    // A port and a door of the same town are one name.
    const isTold = places.some(({ place: other }) => other.name === place.name && ranks[other.role] < ranks[place.role])
    return putMark(map, point, isTold ? '' : place.name, place.role, {
      rank: ranks[place.role],
      prefers: outwards(point),
    })
  })
  if (position) marks.push(putMark(map, position, now, 'position', { rank: 2, prefers: 'above' }))
  const arrange = () => {
    const { clientWidth, clientHeight } = map.getContainer()
    const labelled = marks.map(({ point, size }) => {
      // As the marks do: the world is shown more than once, and each is in the one that is looked at.
      const { x, y } = map.project([nearestLongitude(point[0], map.getCenter().lng), point[1]])
      return { x, y, ...size }
    })
    const chosen = placeLabels(labelled, { width: clientWidth, height: clientHeight, blocked: [toolsAt(map)] })
    for (const [index, { label }] of marks.entries()) label.dataset.side = chosen[index] ?? 'none'
  }
  arrange()
  return { arrange, remove: () => marks.forEach(({ marker }) => marker.remove()) }
}

function putMark(map: MapCanvas, point: Point, name: string, role: string, wish: Wish): Mark {
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
  return { marker, point, label, size: { width, height, ...wish } }
}

// The buttons stand in the lower right corner.
function toolsAt(map: MapCanvas): Box {
  const { clientWidth, clientHeight } = map.getContainer()
  return { left: clientWidth - 56, top: clientHeight - 140, right: clientWidth, bottom: clientHeight }
}
