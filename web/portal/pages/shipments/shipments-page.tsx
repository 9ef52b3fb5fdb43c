import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { portalAddress } from '../../../../src/client/portal-client.js'
import type { ShipmentPage } from '../../../../src/contract/portal/lists.js'
import {
  blankSearch,
  filterOf,
  readShipmentsSearch,
  type ShipmentSort,
  type ShipmentsSearch,
  type ShipmentTab,
  tabOf,
} from '../../../../src/domain/shipments/shipment-view.js'
import { useAddressQuery } from '../../../ui/address-query.js'
import { announce } from '../../../ui/announce.js'
import { useListAddress } from '../../../ui/back-link.js'
import { Button } from '../../../ui/button.js'
import { DataTable } from '../../../ui/data-table.js'
import { Page } from '../../../ui/page.js'
import { SearchField } from '../../../ui/search-field.js'
import { EmptyState, ErrorState } from '../../../ui/states.js'
import { shipmentFacetsQuery, shipmentsQuery } from '../../api/queries.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { ExportMenu } from '../../layout/export-menu.js'
import { paths } from '../../paths.js'
import { isNarrowed, queryTextOf } from '../list-search.js'
import lists from '../lists.module.css'
import { SavedViews } from '../saved-views.js'
import { type ListedShipment, shipmentColumns } from './columns.js'
import { Filters } from './filters.js'
import { portNamesOf } from './port-names.js'
import { ShipmentCard } from './shipment-card.js'

const pageSize = 50
const tabSearch = (tab: ShipmentTab): ShipmentsSearch => ({ tab })
const keyOf = ({ svc_shipment_id }: ListedShipment) => svc_shipment_id

function listedShipments({ shipments, held }: ShipmentPage): ListedShipment[] {
  return shipments.map((shipment) => ({ ...shipment, isHeld: held.includes(shipment.svc_shipment_id) }))
}

export function ShipmentsPage() {
  const messages = useMessages()
  const m = messages.shipments
  const f = useFormat()
  const [search, change] = useAddressQuery(readShipmentsSearch)
  useListAddress(paths.shipments())
  const filter = filterOf(search)
  const tab = tabOf(search)
  const found = useInfiniteQuery(shipmentsQuery({ ...filter, take: pageSize }))
  const facets = useQuery(shipmentFacetsQuery())
  const names = useMemo(() => portNamesOf(facets.data), [facets.data])
  const columns = useMemo(() => shipmentColumns(tab, messages, f, names), [tab, messages, f, names])
  const shipments = useMemo(() => found.data?.pages.flatMap(listedShipments) ?? [], [found.data])
  const count = found.data?.pages[0]?.count
  const counted = count && m.count(f.number(count.value), count.value, count.exact)
  useAnnouncement(counted, found.isPlaceholderData ? undefined : queryTextOf(search))

  const choose = (next: ShipmentsSearch) => change({ ...blankSearch, ...next }, { replace: false })
  // The first filter stays within the tab that it was set in.
  const narrow = (next: Partial<ShipmentsSearch>) => change({ tab, ...next }, { replace: false })
  const clear = () => choose(search.tab ? { tab: search.tab } : {})
  const isFiltered = isNarrowed(search)

  return (
    <Page
      title={m.title}
      lead={counted ?? (found.isError ? '\u00a0' : m.counting)}
      actions={
        <ExportMenu
          addressOf={(to) => portalAddress('exportShipments', { query: { ...filterOf(search), format: to } })}
        />
      }
    >
      <SavedViews
        page="shipments"
        search={search}
        builtIn={[
          { name: m.views.underWay, search: {} },
          { name: m.views.late, search: tabSearch('late') },
          { name: m.views.drafts, search: tabSearch('drafts') },
          { name: m.views.finished, search: tabSearch('finished') },
          { name: m.views.all, search: tabSearch('all') },
        ]}
        isWithin={(view) => tabOf(view) === tab}
        read={readShipmentsSearch}
        pathOf={paths.shipments}
        onChoose={choose}
      />
      <div className={lists.tools}>
        <div className={lists.search}>
          <SearchField
            label={m.search}
            placeholder={m.searchPlaceholder}
            value={search.q ?? ''}
            onChange={(q) => change({ q: q || undefined })}
          />
        </div>
        <Filters
          search={search}
          facets={facets.data}
          names={names}
          onChange={narrow}
          onClear={isFiltered ? clear : undefined}
        />
      </div>
      {found.isError && shipments.length === 0 ? (
        <div className="panel">
          <ErrorState error={found.error} retry={() => void found.refetch()} />
        </div>
      ) : (
        <div className={lists.table} data-outdated={found.isPlaceholderData || undefined}>
          <DataTable<ListedShipment>
            key={tab}
            name={`shipments.${tab}`}
            rowHeight={48}
            label={m.title}
            rows={shipments}
            columns={columns}
            rowKey={keyOf}
            rowLink={({ svc_shipment_id }) => paths.shipment(svc_shipment_id)}
            sort={filter.sort}
            order={filter.order}
            onSort={(by, how) => narrow({ sort: by as ShipmentSort, order: how })}
            card={(shipment) => <ShipmentCard shipment={shipment} names={names} />}
            isLoading={found.isPending}
            hasMore={found.hasNextPage}
            loadMore={() => void found.fetchNextPage({ cancelRefetch: false })}
            empty={
              isFiltered ? (
                <EmptyState
                  title={m.nothingMatches}
                  text={m.nothingMatchesText}
                  action={
                    <span className={lists.filters}>
                      {tab !== 'all' && <Button onClick={() => narrow({ tab: 'all' })}>{m.searchAll}</Button>}
                      <Button variant="default" onClick={clear}>
                        {m.clear}
                      </Button>
                    </span>
                  }
                />
              ) : (
                <EmptyState title={facets.data?.status.length ? m.noneInTab[tab] : m.none} text={m.noneText} />
              )
            }
          />
        </div>
      )}
    </Page>
  )
}

/** Announces the number of results to screen readers after each search, but not on the first load. */
function useAnnouncement(text: string | undefined, search: string | undefined): void {
  const announced = useRef<string>(undefined)
  useEffect(() => {
    if (text === undefined || search === undefined || announced.current === search) return
    if (announced.current !== undefined) announce(text)
    announced.current = search
  }, [text, search])
}
