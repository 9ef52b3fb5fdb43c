import 'maplibre-gl/dist/maplibre-gl.css'
import { IconFocusCentered, IconMinus, IconPlus } from '@tabler/icons-react'
import { setWorkerUrl } from 'maplibre-gl'
import workerAddress from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { useEffect, useRef, useState } from 'react'
import { useMessages } from '../i18n/messages.js'
import { useColorScheme } from '../shell/color-scheme.js'
import './map.css'
import { type OpenMap, openMap } from './open-map.js'
import type { Route } from './route.js'

// From our own host, like everything: by itself the library would look for its worker beside the bundle.
setWorkerUrl(workerAddress)

/**
 * The way of a shipment on a map. It is large: pages load it when they show one. Whoever cannot see it needs the places in
 * words beside it. `onFailure` is told where the browser cannot draw it.
 */
export function RouteMap({ route, onFailure }: { route: Route; onFailure(): void }) {
  const m = useMessages().shipment.map
  const scheme = useColorScheme()
  const container = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<OpenMap>()
  const [isReady, setReady] = useState(false)
  // What the map is opened with; later changes are told to it.
  const first = useRef({ route, m, onFailure })

  useEffect(() => {
    if (!container.current) return
    const { route: begin, m: words, onFailure: fail } = first.current
    let opened: OpenMap
    try {
      opened = openMap(container.current, begin, words, { onReady: () => setReady(true), onFailure: fail })
    } catch {
      fail()
      return
    }
    setMap(opened)
    return () => {
      opened.close()
      setMap(undefined)
    }
  }, [])

  useEffect(() => {
    if (route !== first.current.route) map?.show(route)
  }, [map, route])

  useEffect(() => {
    // The style sheet follows the attribute of the page, which is set in the same step.
    if (scheme) map?.repaint()
  }, [map, scheme])

  return (
    <div className="route-map" aria-busy={!isReady}>
      <div ref={container} className="route-map-canvas" />
      <div className="route-map-tools">
        <button type="button" aria-label={m.zoomIn} title={m.zoomIn} onClick={() => map?.zoom(1)}>
          <IconPlus size={18} />
        </button>
        <button type="button" aria-label={m.zoomOut} title={m.zoomOut} onClick={() => map?.zoom(-1)}>
          <IconMinus size={18} />
        </button>
        <button type="button" aria-label={m.fit} title={m.fit} onClick={() => map?.fit()}>
          <IconFocusCentered size={18} />
        </button>
      </div>
    </div>
  )
}
