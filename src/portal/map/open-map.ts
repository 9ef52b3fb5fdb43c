import { type GeoJSONSource, Map as MapCanvas } from 'maplibre-gl'
import { loadLand } from './land.js'
import { coloursOf, linesOf, styleOf } from './map-style.js'
import { putMarks } from './marks.js'
import type { Route } from './route.js'

/** A map on the page, by what is done with it. Whoever opens it closes it. */
export type OpenMap = {
  show(route: Route): void
  /** The colours of the theme have changed. */
  repaint(): void
  fit(): void
  zoom(by: 1 | -1): void
  close(): void
}

export type MapWords = {
  title: string
  now: string
  scrollWithControl: string
  scrollWithCommand: string
  twoFingers: string
}

type Events = { onReady(): void; onFailure(): void }

/** Throws where there is no WebGL. */
export function openMap(container: HTMLElement, first: Route, words: MapWords, events: Events): OpenMap {
  const land = loadLand()
  // It is looked at later; until then nobody is to think that nobody does.
  land.catch(() => undefined)
  let route = first
  let isMoved = false
  let state: 'opening' | 'open' | 'closed' = 'opening'
  const map = newMap(container, route, words)
  let marks = putMarks(map, route, words.now)

  const fit = () => {
    isMoved = false
    map.fitBounds(route.bounds, { ...fitOptions(container), animate: false })
  }
  // What somebody has moved stays where they moved it.
  map.on('dragstart', () => (isMoved = true))
  map.on('zoomstart', ({ originalEvent }) => {
    if (originalEvent) isMoved = true
  })
  map.on('move', () => marks.arrange())
  map.on('resize', () => {
    if (!isMoved) fit()
    marks.arrange()
  })

  async function begin(): Promise<void> {
    state = 'open'
    // What has changed since it was opened.
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
      marks.remove()
      marks = putMarks(map, route, words.now)
      if (!isMoved) fit()
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
      marks.remove()
      map.remove()
    },
  }
}

function newMap(container: HTMLElement, route: Route, words: MapWords): MapCanvas {
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
    // The page scrolls over the map; who wants to move the map says so.
    cooperativeGestures: true,
    locale: {
      'Map.Title': words.title,
      'CooperativeGesturesHandler.WindowsHelpText': words.scrollWithControl,
      'CooperativeGesturesHandler.MacHelpText': words.scrollWithCommand,
      'CooperativeGesturesHandler.MobileHelpText': words.twoFingers,
    },
  })
  map.touchZoomRotate.disableRotation()
  map.keyboard.disableRotation()
  return map
}

// Room for the names at the ends, and for the buttons; on a narrow map the margin must not take what it is to frame.
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
