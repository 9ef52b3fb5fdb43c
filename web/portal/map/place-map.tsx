import { useEffect, useState } from 'react'
import { clipRing, type Line } from './geometry.js'
import { loadLand } from './land.js'
import './map.css'

/** A small static SVG map of a place, cheap enough for a page with many of them. Load it lazily. */
export function PlaceMap({ point, label }: { point: readonly number[]; label: string }) {
  const [longitude = 0, latitude = 0] = point
  const [path, setPath] = useState<string>()
  useEffect(() => {
    let isShown = true
    loadLand().then(
      ({ features }) => {
        const rings = features.flatMap(({ geometry }) => geometry.coordinates as Line[])
        if (isShown) setPath(drawLand(rings, longitude, latitude))
      },
      // Without the land the label still names the place.
      () => undefined,
    )
    return () => {
      isShown = false
    }
  }, [longitude, latitude])
  return (
    <svg className="place-map" viewBox={`0 0 ${size.width} ${size.height}`} role="img" aria-label={label}>
      <rect width={size.width} height={size.height} fill="var(--map-sea)" />
      {path !== undefined && (
        <path d={path} fill="var(--map-land)" stroke="var(--map-coast)" strokeWidth="0.75" fillRule="evenodd" />
      )}
      <circle cx={size.width / 2} cy={size.height / 2} r="9" fill="var(--map-past)" fillOpacity="0.2" />
      <circle
        cx={size.width / 2}
        cy={size.height / 2}
        r="4.5"
        fill="var(--map-past)"
        stroke="var(--map-halo)"
        strokeWidth="1.5"
      />
    </svg>
  )
}

const size = { width: 320, height: 140 }
const degreesAcross = 22

/** The visible rings, clipped to the image. */
function drawLand(rings: Line[], longitude: number, latitude: number): string {
  const scale = size.width / degreesAcross
  const stretch = 1 / Math.max(0.2, Math.cos((latitude * Math.PI) / 180))
  const parts: string[] = []
  for (const ring of rings) {
    for (const turn of [-360, 0, 360]) {
      const points = ring.map(([x, y]): Line[number] => [
        size.width / 2 + (x + turn - longitude) * scale,
        size.height / 2 - (y - latitude) * scale * stretch,
      ])
      // Clipped slightly outside the image, so that the cut is not visible.
      const shown = clipRing(points, [-2, -2, size.width + 2, size.height + 2])
      if (shown.length > 2) parts.push(`M${shown.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`)
    }
  }
  return parts.join('')
}
