import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Location } from '../../../../src/contract/public/location.js'
import { BackLink } from '../../../ui/back-link.js'
import { presentTime } from '../../../ui/clock.js'
import { Copyable } from '../../../ui/copyable.js'
import { Page } from '../../../ui/page.js'
import { Section } from '../../../ui/section.js'
import { ErrorState, Lines } from '../../../ui/states.js'
import { locationQuery, placesQuery } from '../../api/queries.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { AddressText, Contacts, Rules } from './location-facts.js'
import { LocationMap } from './location-map.js'
import { LocationShipments } from './location-shipments.js'
import styles from './locations.module.css'

export function LocationPage() {
  const m = useMessages()
  const { id = '' } = useParams({ strict: false })
  const { data: location, error, refetch } = useQuery(locationQuery(id))
  const back = <BackLink path={paths.locations()}>{m.nav.locations}</BackLink>
  if (location) return <LocationView location={location} back={back} />
  return (
    <Page back={back} title={m.locations.one} isLoading={!error} {...(!error && { lead: m.common.loading })}>
      {error ? <ErrorState error={error} retry={() => void refetch()} /> : <Lines count={8} />}
    </Page>
  )
}

function LocationView({ location, back }: { location: Location; back: ReactNode }) {
  const m = useMessages().locations
  const format = useFormat()
  const { data: places = [] } = useQuery(placesQuery())
  const place = places.find(({ id }) => id === location.id)
  const { company_name, name, city, country, contacts = [], opening_hours } = location
  // `Plateforme Lyon` already names the city.
  const isNamedAfterCity = company_name && city && name?.includes(city)
  const where = [isNamedAfterCity ? '' : city, country && format.country(country.toUpperCase())]
    .filter(Boolean)
    .join(', ')
  const hasRules =
    opening_hours ||
    location.requires_appointment ||
    location.requires_tailgate_truck ||
    location.additional_information
  return (
    <Page
      back={back}
      title={company_name ?? name ?? `${m.one} ${location.id}`}
      lead={m.sentence({ name: company_name ? name : undefined, where, opening_hours })}
    >
      <div className={styles.columns}>
        <div className={styles.column}>
          <Section title={m.address}>
            <AddressText location={location} />
            <p className={styles.identifier}>
              <span className="soft">{m.identifier}</span> <Copyable text={String(location.id)} />
            </p>
          </Section>
          <Section title={m.rules}>
            {hasRules ? <Rules location={location} /> : <p className="soft">{m.noRules}</p>}
          </Section>
          <Section title={m.contacts}>
            {contacts.length > 0 ? <Contacts location={location} /> : <p className="soft">{m.noContacts}</p>}
          </Section>
        </div>
        <div className={`${styles.column} ${styles.aside}`}>
          {place && (
            <Section title={m.onTheMap} aside={m.localTime(timeIn(place.time_zone, format.locale))} isBare>
              <div className={`panel ${styles.bigMap}`}>
                <LocationMap place={place} city={city ?? ''} />
              </div>
            </Section>
          )}
          <LocationShipments id={location.id} />
        </div>
      </div>
    </Page>
  )
}

// Shows a caller whether anyone is at work.
function timeIn(timeZone: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit' }).format(
    new Date(presentTime()),
  )
}
