import { listed, severalOf } from '../../../../src/domain/records/query-values.js'
import {
  modes,
  type ShipmentFilter,
  type ShipmentsSearch,
  statusesOf,
  tabOf,
} from '../../../../src/domain/shipments/shipment-view.js'
import { Button } from '../../../ui/button.js'
import { FilterMenu } from '../../../ui/filter-menu.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import lists from '../lists.module.css'
import { LocationFilter } from './location-filter.js'
import type { PortNames, ShipmentFacets } from './port-names.js'
import { TimeFilters } from './time-filters.js'

type Change = { [Name in keyof ShipmentFilter]?: ShipmentFilter[Name] | undefined }
type Props = {
  search: ShipmentsSearch
  facets: ShipmentFacets | undefined
  names: PortNames
  onChange(change: Change): void
  /** Present if any filter is set. */
  onClear?: (() => void) | undefined
}

/** The filters of shipments, with the number of shipments per option. */
export function Filters({ search, facets, names, onChange, onClear }: Props) {
  const { shipments: m, statuses: labels } = useMessages()
  const tab = tabOf(search)
  const statuses = statusesOf(tab)
  return (
    <div className={lists.filters} role="group" aria-label={m.filters}>
      {statuses.length > 1 && (
        <FilterMenu
          multiple
          label={m.columns.status}
          value={listed(search.status)}
          options={statuses.map((value) => ({
            value,
            label: labels.shipment[value],
            ...countOf(facets?.status, value),
          }))}
          onChange={(chosen) => onChange({ status: severalOf(statuses, chosen) })}
        />
      )}
      <FilterMenu
        multiple
        label={m.mode}
        value={listed(search.freight_mode)}
        options={modes.map((value) => ({ value, label: labels.mode[value], ...countOf(facets?.freight_mode, value) }))}
        onChange={(chosen) => onChange({ freight_mode: severalOf(modes, chosen) })}
      />
      <PortFilter
        label={m.origin}
        value={search.origin}
        known={facets?.origin}
        names={names}
        onChange={(origin) => onChange({ origin })}
      />
      <PortFilter
        label={m.destination}
        value={search.destination}
        known={facets?.destination}
        names={names}
        onChange={(destination) => onChange({ destination })}
      />
      <LocationFilter value={search.location} onChange={(location) => onChange({ location })} />
      <TimeFilters search={search} tab={tab} onChange={onChange} />
      {onClear && (
        <Button size="xs" variant="subtle" onClick={onClear}>
          {m.clear}
        </Button>
      )}
    </div>
  )
}

type Counted = { value?: unknown; count: number; name?: string }[]

function countOf(facet: Counted | undefined, value: string): { count?: number } {
  if (!facet) return {}
  return { count: facet.find((each) => each.value === value)?.count ?? 0 }
}

type PortProps = {
  label: string
  value: string | undefined
  known: ShipmentFacets['origin'] | undefined
  names: PortNames
  onChange(value: string | undefined): void
}

function PortFilter({ label, value, known, names, onChange }: PortProps) {
  const { locale } = useFormat()
  const options = (known ?? [])
    .map((port) => ({ value: port.value, label: names(port.value), count: port.count }))
    .toSorted((one, other) => one.label.localeCompare(other.label, locale))
  return <FilterMenu label={label} value={value} options={options} onChange={onChange} />
}
