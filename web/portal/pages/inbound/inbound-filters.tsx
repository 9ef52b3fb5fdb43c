import { useQuery } from '@tanstack/react-query'
import { FilterMenu } from '../../../ui/filter-menu.js'
import { shipmentFacetsQuery } from '../../api/queries.js'
import { useMessages } from '../../i18n/messages.js'
import lists from '../lists.module.css'
import { SupplierFilter } from '../orders/supplier-filter.js'
import { DateRange } from '../shipments/date-range.js'
import { LocationFilter } from '../shipments/location-filter.js'
import type { InboundSearch } from './inbound-search.js'

type Change = { [Name in keyof InboundSearch]?: InboundSearch[Name] | undefined }
type Props = { search: InboundSearch; change(changed: Change, options?: { replace?: boolean }): void }

const shows = ['late', 'unassigned', 'delivered'] as const
const groups = ['sku', 'location'] as const
const sorts = ['sku', 'order', 'late'] as const

/** The filters of the page, without the search and the day since when. */
export function InboundFilters({ search, change }: Props) {
  const m = useMessages().inbound
  const set = (changed: Change) => change(changed, { replace: false })
  const shown = shows.find((name) => search[name] !== undefined)
  const { location } = search
  const isPort = location !== undefined && !/^\d+$/.test(location)
  const { data: facets } = useQuery(shipmentFacetsQuery())
  return (
    <div className={lists.filters} role="group" aria-label={m.filters}>
      <FilterMenu
        label={m.show}
        value={shown}
        options={shows.map((value) => ({ value, label: m.shows[value] }))}
        onChange={(value) =>
          set({
            late: value === 'late' ? 'true' : undefined,
            unassigned: value === 'unassigned' ? 'true' : undefined,
            delivered: value === 'delivered' ? 'true' : undefined,
          })
        }
      />
      <DateRange label={m.expected} from={search.from} to={search.to} onChange={(from, to) => set({ from, to })} />
      <SupplierFilter value={search.supplier} onChange={(supplier) => set({ supplier })} />
      <LocationFilter
        value={location !== undefined && !isPort ? Number(location) : undefined}
        onChange={(id) => set({ location: id === undefined ? undefined : String(id) })}
      />
      <FilterMenu
        label={m.port}
        value={isPort ? location : undefined}
        options={(facets?.destination ?? []).map(({ value, name }) => ({ value, label: name ?? value }))}
        onChange={(port) => set({ location: port })}
      />
      <FilterMenu
        label={m.group}
        value={search.group}
        options={groups.map((value) => ({ value, label: m.groups[value] }))}
        onChange={(value) => set({ group: groups.find((each) => each === value) })}
      />
      <FilterMenu
        label={m.sort}
        value={search.sort}
        options={sorts.map((value) => ({ value, label: m.sorts[value] }))}
        onChange={(value) => set({ sort: sorts.find((each) => each === value) })}
      />
      {search.sku !== undefined && (
        <FilterMenu
          label={m.sku}
          value={search.sku}
          options={[{ value: search.sku, label: search.sku }]}
          onChange={(sku) => set({ sku })}
        />
      )}
    </div>
  )
}
