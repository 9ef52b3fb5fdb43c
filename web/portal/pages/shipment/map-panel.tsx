import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Journey } from '../../../../src/contract/portal/journey.js'
import skeleton from '../../../ui/skeleton.module.css'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { routeOf } from '../../map/route.js'
import { SectionError } from './section-error.js'
import styles from './shipment.module.css'

/** The map, loaded when shown, with a list of stops for screen readers. */
export function MapPanel({ journey }: { journey: UseQueryResult<Journey> }) {
  const m = useMessages().shipment.map
  const code = useQuery({
    queryKey: ['map'],
    queryFn: () => import('../../map/route-map.js'),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const route = useMemo(() => journey.data && routeOf(journey.data), [journey.data])
  const [hasFailed, setFailed] = useState(false)
  const error = journey.error ?? code.error

  if (journey.isPending || (route && code.isPending)) {
    return (
      <div className={`panel ${styles.map} ${skeleton.skeleton}`} aria-busy="true">
        <span className="visually-hidden">{m.loading}</span>
      </div>
    )
  }
  if (error && !(route && code.data)) {
    const retry = () => void (journey.isError ? journey.refetch() : code.refetch())
    return (
      <div className={`panel ${styles.map} ${styles.mapWords}`}>
        <SectionError error={error} retry={retry} />
      </div>
    )
  }
  if (!route || hasFailed || !code.data) {
    return (
      <div className={`panel ${styles.map} ${styles.mapWords}`}>
        <p className="soft">{route ? m.notDrawn : m.nothing}</p>
        {journey.data && <PlaceList journey={journey.data} />}
      </div>
    )
  }
  return (
    <figure className={`panel ${styles.map}`} aria-label={m.title}>
      <code.data.RouteMap route={route} onFailure={() => setFailed(true)} />
      {journey.data && (
        <figcaption className="visually-hidden">
          <PlaceList journey={journey.data} />
        </figcaption>
      )}
    </figure>
  )
}

function PlaceList({ journey: { places, position } }: { journey: Journey }) {
  const { shipment, statuses } = useMessages()
  const m = shipment.map
  const f = useFormat()
  return (
    <>
      <ol aria-label={m.places}>
        {places.map(({ name, role, country }, index) => (
          // A port may occur twice.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>{m.place(statuses.step[stepOf[role]], name, country && f.country(country))}</li>
        ))}
      </ol>
      {position && <p>{m.position(degrees(position[1], m.north, m.south), degrees(position[0], m.east, m.west))}</p>}
    </>
  )
}

const stepOf = {
  pickup: 'pickup',
  origin: 'origin_port',
  transshipment: 'transshipment_port',
  inland: 'inland_terminal',
  destination: 'destination_port',
  delivery: 'delivery',
} as const satisfies Record<Journey['places'][number]['role'], string>

function degrees(value = 0, positive: string, negative: string): string {
  const turned = value - 360 * Math.round(value / 360)
  return `${Math.abs(turned).toFixed(1)}° ${turned < 0 ? negative : positive}`
}
