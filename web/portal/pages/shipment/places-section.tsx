import { useQuery } from '@tanstack/react-query'
import type { Location } from '../../../../src/contract/public/location.js'
import type { Shipment } from '../../../../src/contract/public/shipment.js'
import { AppLink } from '../../../ui/app-link.js'
import { Section } from '../../../ui/section.js'
import { Lines } from '../../../ui/states.js'
import { locationQuery } from '../../api/queries.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { AddressText, Contacts, Rules } from '../locations/location-facts.js'
import { SectionError } from './section-error.js'
import styles from './shipment.module.css'

/** Pick-up and delivery locations with contacts and opening hours. */
export function PlacesSection({ shipment: { route } }: { shipment: Shipment }) {
  const { shipment, statuses } = useMessages()
  const m = shipment.places
  const { pickup_location_id: pickup, delivery_location_id: delivery } = route ?? {}
  return (
    <Section title={m.title} anchor="places" isBare={pickup !== undefined || delivery !== undefined}>
      {pickup === undefined && delivery === undefined && <p className="soft">{m.none}</p>}
      <div className={styles.places}>
        {pickup !== undefined && <PlaceCard id={pickup} role={statuses.step.pickup} />}
        {delivery !== undefined && <PlaceCard id={delivery} role={statuses.step.delivery} />}
      </div>
    </Section>
  )
}

function PlaceCard({ id, role }: { id: string; role: string }) {
  const location = useQuery(locationQuery(id))
  return (
    <article className={styles.place} aria-label={role}>
      <p className="small soft">{role}</p>
      {location.isPending && <Lines count={4} />}
      {location.isError && !location.data && (
        <SectionError error={location.error} retry={() => void location.refetch()} />
      )}
      {location.data && <PlaceWords location={location.data} />}
    </article>
  )
}

function PlaceWords({ location }: { location: Location }) {
  const { id, name, company_name = name, city, contacts = [] } = location
  return (
    <>
      <div>
        <h3>
          <AppLink href={paths.location(id)}>{company_name ?? city ?? id}</AppLink>
        </h3>
        {name !== company_name && <p className="soft">{name}</p>}
      </div>
      <AddressText location={location} />
      <Rules location={location} />
      {contacts.length > 0 && <Contacts location={location} />}
    </>
  )
}
