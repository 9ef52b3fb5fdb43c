import type { Map as MapCanvas } from 'maplibre-gl'
import { nearestLongitude } from './geometry.js'
import { type Box, isInside, overlap } from './labels.js'
import { type NamedPlace, namedPlaces } from './named-places.js'

/** Names of countries and cities, behind the route. Hidden from screen readers, which get a list of the stops. */
export type PlaceNames = { arrange(taken: Box[]): void; remove(): void }

type Name = { place: NamedPlace; text: string; width: number; element?: HTMLElement }

const lineHeight = 16
// Between a city's dot and its name, and between two names.
const beside = 6
const margin = 6

export function addPlaceNames(map: MapCanvas, language: string): PlaceNames {
  const layer = document.createElement('div')
  layer.className = 'map-names'
  layer.ariaHidden = 'true'
  map.getCanvasContainer().append(layer)
  const measure = measureIn(layer)
  const regions = new Intl.DisplayNames(language, { type: 'region' })
  const names = namedPlaces.map((place): Name => {
    const text = place.kind === 'country' ? (regions.of(place.name) ?? place.name) : place.name
    return { place, text, width: measure(text, place.kind) }
  })

  function arrange(taken: Box[]): void {
    const { clientWidth: width, clientHeight: height } = map.getContainer()
    const centre = map.getCenter().lng
    const zoom = map.getZoom()
    const boxes = [...taken]
    for (const name of names) {
      const { place } = name
      const { x, y } = map.project([nearestLongitude(place.longitude, centre), place.latitude])
      const box = zoom < place.from ? undefined : boxOf(name, x, y)
      const isShown = box && isInside(box, { width, height }) && !boxes.some((other) => overlap(box, other))
      if (isShown) boxes.push(spaced(box))
      show(name, isShown ? box : undefined)
    }
  }

  function show(name: Name, box: Box | undefined): void {
    if (!box) {
      name.element?.remove()
      delete name.element
      return
    }
    name.element ??= layer.appendChild(elementOf(name))
    name.element.style.transform = `translate(${Math.round(box.left)}px, ${Math.round(box.top)}px)`
  }

  return { arrange, remove: () => layer.remove() }
}

function elementOf({ place, text }: Name): HTMLElement {
  const element = document.createElement('span')
  element.className = 'map-name'
  element.dataset.kind = place.kind
  element.textContent = text
  return element
}

// The name of a country stands on its point, that of a city to the right of a dot.
function boxOf({ place, width }: Name, x: number, y: number): Box {
  const left = place.kind === 'country' ? x - width / 2 : x - beside / 2
  const across = place.kind === 'country' ? width : width + beside
  const top = y - lineHeight / 2
  return { left, top, right: left + across, bottom: top + lineHeight }
}

function spaced({ left, top, right, bottom }: Box): Box {
  return { left: left - margin, top: top - 2, right: right + margin, bottom: bottom + 2 }
}

/** The width of a text in the font of the layer. */
function measureIn(layer: HTMLElement): (text: string, kind: NamedPlace['kind']) => number {
  const context = document.createElement('canvas').getContext('2d')
  const { fontFamily } = getComputedStyle(layer)
  return (text, kind) => {
    if (!context) return text.length * 7
    context.font = kind === 'country' ? `500 12px ${fontFamily}` : `400 11px ${fontFamily}`
    // Names of countries are spaced.
    return context.measureText(text).width + (kind === 'country' ? text.length * 0.5 : 0)
  }
}
