import 'maplibre-gl/dist/maplibre-gl.css'
import { IconFocusCentered, IconMinus, IconPlus } from '@tabler/icons-react'
import { setWorkerUrl } from 'maplibre-gl'
import workerAddress from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { useEffect, useRef, useState } from 'react'
import { useMessages, useReader } from '../i18n/messages.js'
import { useColorScheme } from '../layout/color-scheme.js'
import './map.css'
import { type OpenMap, openMap } from './open-map.js'
import type { Route } from './route.js'

// From our own host: by default the library looks for its worker next to the bundle.
setWorkerUrl(workerAddress)

/**
 * The route of a shipment on a map. Load it lazily: it brings maplibre-gl. It needs a list of the stops beside it for screen
 * readers. `onFailure` is called if the browser cannot draw it (no WebGL).
 */
export function RouteMap({ route, onFailure }: { route: Route; onFailure(): void }) {
  const m = useMessages().shipment.map
  const { language } = useReader()
  const scheme = useColorScheme()
  const container = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<OpenMap>()
  const [isReady, setReady] = useState(false)
  // The initial values; later changes are passed to the open map.
  const first = useRef({ route, texts: { ...m, language }, onFailure })

  useEffect(() => {
    if (!container.current) return
    const { route: initial, texts, onFailure: fail } = first.current
    let opened: OpenMap
    try {
      opened = openMap(container.current, initial, texts, { onReady: () => setReady(true), onFailure: fail })
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
    // The colours come from the style sheet, which has switched with the attribute of the document by now.
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
