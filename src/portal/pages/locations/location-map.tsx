import { lazy, Suspense } from 'react'
import type { LocationPlace } from '../../../contract/portal/journey.js'
import { useMessages } from '../../i18n/messages.js'
import styles from './locations.module.css'

const PlaceMap = lazy(async () => ({ default: (await import('../../map/place-map.js')).PlaceMap }))

/** Where it lies, if its city is known. The place is kept free until then: nothing moves when the map comes. */
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
