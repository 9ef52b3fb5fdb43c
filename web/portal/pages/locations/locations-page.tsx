import { IconPackages } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { portalAddress } from '../../../../src/client/portal-client.js'
import type { LocationPlace } from '../../../../src/contract/portal/journey.js'
import type { Location } from '../../../../src/contract/public/location.js'
import { matchesLocation } from '../../../../src/domain/locations/location-search.js'
import { readerOf, withoutBlanks } from '../../../../src/domain/records/query-values.js'
import { useAddressQuery } from '../../../ui/address-query.js'
import { AppLink } from '../../../ui/app-link.js'
import { useListAddress } from '../../../ui/back-link.js'
import { Button } from '../../../ui/button.js'
import { Page } from '../../../ui/page.js'
import { SearchField } from '../../../ui/search-field.js'
import { Skeleton } from '../../../ui/skeleton.js'
import skeleton from '../../../ui/skeleton.module.css'
import { EmptyState, ErrorState } from '../../../ui/states.js'
import { locationsQuery, placesQuery } from '../../api/queries.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { ExportMenu } from '../../layout/export-menu.js'
import { paths } from '../../paths.js'
import lists from '../lists.module.css'
import { AddressText, Contacts, Rules } from './location-facts.js'
import { LocationMap } from './location-map.js'
import styles from './locations.module.css'

const readSearch = (raw: Record<string, string>) => withoutBlanks<{ q?: string }>({ q: readerOf(raw).text('q') })

export function LocationsPage() {
  const m = useMessages().locations
  const format = useFormat()
  const [{ q = '' }, change] = useAddressQuery(readSearch)
  useListAddress(paths.locations())
  const { data: locations, error, refetch } = useQuery(locationsQuery())
  const { data: places = [] } = useQuery(placesQuery())
  const countryOf = ({ country }: Location) => (country ? format.country(country.toUpperCase()) : '')
  const found = locations?.filter((location) => q === '' || matchesLocation(location, q, countryOf(location))) ?? []
  const placesById = new Map(places.map((place) => [place.id, place]))

  return (
    <Page
      title={m.title}
      isLoading={!locations && !error}
      actions={
        <ExportMenu
          addressOf={(to) => portalAddress('exportLocations', { query: { ...(q !== '' && { q }), format: to } })}
        />
      }
      lead={locations ? m.count(format.number(found.length), found.length) : error ? undefined : m.counting}
    >
      <div className={lists.tools}>
        <div className={lists.search}>
          <SearchField
            label={m.search}
            placeholder={m.searchPlaceholder}
            value={q}
            onChange={(typed) => change({ q: typed || undefined })}
          />
        </div>
      </div>
      {error && !locations ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : !locations ? (
        <CardSkeletons />
      ) : found.length === 0 ? (
        <NoLocations isFiltered={q !== ''} onClear={() => change({ q: undefined })} />
      ) : (
        <ul className={styles.cards}>
          {found.map((location) => (
            <LocationCard key={location.id} location={location} place={placesById.get(location.id)} />
          ))}
        </ul>
      )}
    </Page>
  )
}

function LocationCard({ location, place }: { location: Location; place: LocationPlace | undefined }) {
  const { locations: m, common } = useMessages()
  const { id, company_name, name, city = '' } = location
  const title = company_name ?? name ?? String(id)
  return (
    <li className={`panel ${styles.card}`}>
      {place && <LocationMap place={place} city={city} />}
      <div className={styles.cardBody}>
        <div>
          <h2>
            <AppLink href={paths.location(id)} className={styles.cardLink}>
              {title}
            </AppLink>
          </h2>
          {company_name && name && <p className="soft">{name}</p>}
        </div>
        <AddressText location={location} />
        <Rules location={location} />
        <AppLink
          href={paths.shipments({ location: id })}
          className={styles.toShipments}
          aria-label={`${m.shipments}${common.colon}${title}`}
        >
          <IconPackages size={16} stroke={1.6} aria-hidden="true" /> {m.shipments}
        </AppLink>
        <Contacts location={location} />
      </div>
    </li>
  )
}

function CardSkeletons() {
  const m = useMessages().common
  return (
    <>
      <span className="visually-hidden">{m.loading}</span>
      <ul className={styles.cards} aria-hidden="true">
        {[0, 1, 2, 3, 4, 5].map((card) => (
          <li key={card} className={`panel ${styles.card}`}>
            <div className={`${styles.map} ${skeleton.skeleton}`} />
            <div className={styles.cardBody}>
              <Skeleton height={14} width="70%" />
              <Skeleton height={12} width="50%" />
              <Skeleton height={64} />
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

function NoLocations({ isFiltered, onClear }: { isFiltered: boolean; onClear(): void }) {
  const { locations: m, common } = useMessages()
  if (!isFiltered) return <EmptyState title={m.none} text={m.noneText} />
  const action = (
    <Button variant="default" onClick={onClear}>
      {common.clearSearch}
    </Button>
  )
  return <EmptyState title={m.nothingMatches} text={m.nothingMatchesText} action={action} />
}
