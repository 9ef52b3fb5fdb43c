import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FilterMenu } from '../../../ui/filter-menu.js'
import { locationsQuery } from '../../api/queries.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'

type Props = { value: number | undefined; onChange(value: number | undefined): void }

/** Filters by pick-up or delivery location. Locations are fetched when the filter opens. */
export function LocationFilter({ value, onChange }: Props) {
  const m = useMessages()
  const { locale } = useFormat()
  const [isWanted, setWanted] = useState(false)
  const { data = [], isPending } = useQuery({ ...locationsQuery(), enabled: isWanted || value !== undefined })
  const options = data
    .map(({ id, name, company_name = name, city }) => ({
      value: String(id),
      label: [company_name ?? `${m.locations.one} ${id}`, city].filter(Boolean).join(', '),
    }))
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
