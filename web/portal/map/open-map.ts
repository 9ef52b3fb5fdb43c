import { type GeoJSONSource, Map as MapCanvas } from 'maplibre-gl'
import { loadLand } from './land.js'
import { coloursOf, linesOf, styleOf } from './map-style.js'
import { addMarkers } from './markers.js'
import { addPlaceNames } from './place-names.js'
import type { Route } from './route.js'

/** Handle of a map on the page. */
export type OpenMap = {
  show(route: Route): void
  /** Applies the colours of the current theme. */
  repaint(): void
  fit(): void
  zoom(by: 1 | -1): void
  close(): void
}

export type MapTexts = {
  /** Of the names of countries. */
  language: string
  title: string
  now: string
  scrollWithControl: string
  scrollWithCommand: string
  twoFingers: string
}

type Events = { onReady(): void; onFailure(): void }

/** Throws without WebGL. */
export function openMap(container: HTMLElement, first: Route, texts: MapTexts, events: Events): OpenMap {
  const land = loadLand()
  // Handled in `begin`; until then a failure must not count as an unhandled rejection.
  land.catch(() => undefined)
  let route = first
  let isMoved = false
  let state: 'opening' | 'open' | 'closed' = 'opening'
  const map = newMap(container, route, texts)
  let markers = addMarkers(map, route, texts.now)
  const names = addPlaceNames(map, texts.language)
  const arrange = () => names.arrange(markers.arrange())
  arrange()

  const fit = () => {
    isMoved = false
    map.fitBounds(route.bounds, { ...fitOptions(container), animate: false })
  }
  // A map that the reader has moved is not fitted again.
  map.on('dragstart', () => (isMoved = true))
  map.on('zoomstart', ({ originalEvent }) => {
    if (originalEvent) isMoved = true
  })
  map.on('move', arrange)
  map.on('resize', () => {
    if (!isMoved) fit()
    arrange()
  })

  async function begin(): Promise<void> {
    state = 'open'
    // Theme or route may have changed since it was opened.
    paint(map, container)
    drawLines(map, route)
    const world = await land
    if (state !== 'open') return
    void map.getSource<GeoJSONSource>('land')?.setData(world)
    map.once('idle', () => events.onReady())
  }
  map.once('load', () => void begin().catch(() => events.onFailure()))

  return {
    show(next) {
      route = next
      if (state === 'open') drawLines(map, route)
      markers.remove()
      markers = addMarkers(map, route, texts.now)
      if (!isMoved) fit()
      arrange()
    },
    repaint() {
      if (state === 'open') paint(map, container)
    },
    fit,
    zoom(by) {
      isMoved = true
      map.zoomTo(map.getZoom() + by, { duration: 120 })
    },
    close() {
      state = 'closed'
      markers.remove()
      names.remove()
      map.remove()
    },
  }
}

function newMap(container: HTMLElement, route: Route, texts: MapTexts): MapCanvas {
  const map = new MapCanvas({
    container,
    style: styleOf(route, coloursOf(container)),
    bounds: route.bounds,
    fitBoundsOptions: fitOptions(container),
    maxZoom: 8,
    attributionControl: false,
    fadeDuration: 0,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    // Scrolling over the map scrolls the page; zooming takes a modifier key or two fingers.
    cooperativeGestures: true,
    locale: {
      'Map.Title': texts.title,
      'CooperativeGesturesHandler.WindowsHelpText': texts.scrollWithControl,
      'CooperativeGesturesHandler.MacHelpText': texts.scrollWithCommand,
      'CooperativeGesturesHandler.MobileHelpText': texts.twoFingers,
    },
  })
  map.touchZoomRotate.disableRotation()
  map.keyboard.disableRotation()
  return map
}

// Padding for labels and buttons, limited on narrow maps.
function fitOptions({ clientWidth, clientHeight }: HTMLElement) {
  const across = Math.min(72, clientWidth / 6)
  const along = Math.min(44, clientHeight / 6)
  return {
    padding: { top: along, bottom: along, left: across, right: across + Math.min(48, clientWidth / 12) },
    maxZoom: 5,
  }
}

function drawLines(map: MapCanvas, { past, future }: Route): void {
  void map.getSource<GeoJSONSource>('past')?.setData(linesOf(past))
  void map.getSource<GeoJSONSource>('future')?.setData(linesOf(future))
}

function paint(map: MapCanvas, container: HTMLElement): void {
  const colours = coloursOf(container)
  map.setPaintProperty('sea', 'background-color', colours.sea)
  map.setPaintProperty('land', 'fill-color', colours.land)
  map.setPaintProperty('coast', 'line-color', colours.coast)
  map.setPaintProperty('past', 'line-color', colours.past)
  map.setPaintProperty('future', 'line-color', colours.future)
}
