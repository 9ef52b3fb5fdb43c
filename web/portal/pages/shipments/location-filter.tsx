import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FilterMenu } from '../../../ui/filter-menu.js'
import { locationsQuery } from '../../api/queries.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { locationLabel } from '../locations/location-label.js'

type Props = { value: number | undefined; onChange(value: number | undefined): void }

/** Filters by pick-up or delivery location. Locations are fetched when the filter opens. */
export function LocationFilter({ value, onChange }: Props) {
  const m = useMessages()
  const { locale } = useFormat()
  const [isWanted, setWanted] = useState(false)
  const { data = [], isPending } = useQuery({ ...locationsQuery(), enabled: isWanted || value !== undefined })
  const options = data
    .map((each) => ({ value: String(each.id), label: locationLabel(each) ?? `${m.locations.one} ${each.id}` }))
    .toSorted((one, other) => one.label.localeCompare(other.label, locale))
  return (
    <FilterMenu
      label={m.shipments.location}
      value={value === undefined ? undefined : String(value)}
      options={options}
      onChange={(chosen) => onChange(chosen === undefined ? undefined : Number(chosen))}
      onSearch={() => setWanted(true)}
      isLoading={isPending}
    />
  )
}
