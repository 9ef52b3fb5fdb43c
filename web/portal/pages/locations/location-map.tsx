import { lazy, Suspense } from 'react'
import type { LocationPlace } from '../../../../src/contract/portal/journey.js'
import { useMessages } from '../../i18n/messages.js'
import styles from './locations.module.css'

const PlaceMap = lazy(async () => ({ default: (await import('../../map/place-map.js')).PlaceMap }))

/** Reserves the space of the map while it loads. */
export function LocationMap({ place, city }: { place: LocationPlace; city: string }) {
  const m = useMessages().locations
  return (
    <div className={styles.map}>
      <Suspense>
        <PlaceMap point={place.point} label={m.map(city)} />
      </Suspense>
    </div>
  )
}
