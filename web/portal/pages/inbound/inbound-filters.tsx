import { FilterMenu } from '../../../ui/filter-menu.js'
import { useMessages } from '../../i18n/messages.js'
import lists from '../lists.module.css'
import { SupplierFilter } from '../orders/supplier-filter.js'
import { DateRange } from '../shipments/date-range.js'
import { LocationFilter } from '../shipments/location-filter.js'
import type { InboundSearch } from './inbound-search.js'

type Change = { [Name in keyof InboundSearch]?: InboundSearch[Name] | undefined }
type Props = { search: InboundSearch; change(changed: Change, options?: { replace?: boolean }): void }

const shows = ['late', 'unassigned', 'delivered'] as const

/** The filters of the page, without the search and the day since when. */
export function InboundFilters({ search, change }: Props) {
  const m = useMessages().inbound
  const set = (changed: Change) => change(changed, { replace: false })
  const shown = shows.find((name) => search[name] !== undefined)
  const { location } = search
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
        value={location !== undefined && /^\d+$/.test(location) ? Number(location) : undefined}
        onChange={(id) => set({ location: id === undefined ? undefined : String(id) })}
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
