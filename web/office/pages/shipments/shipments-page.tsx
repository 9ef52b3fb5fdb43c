import { IconTable } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type ShipmentSort, type ShipmentTab, tabOf, tabs } from '../../../../src/domain/shipments/shipment-view.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { isNarrowed } from '../../../portal/pages/list-search.js'
import lists from '../../../portal/pages/lists.module.css'
import { SavedViews } from '../../../portal/pages/saved-views.js'
import { shipmentColumns } from '../../../portal/pages/shipments/columns.js'
import { ShipmentCard } from '../../../portal/pages/shipments/shipment-card.js'
import { useAddressQuery } from '../../../ui/address-query.js'
import { useListAddress } from '../../../ui/back-link.js'
import { Button } from '../../../ui/button.js'
import { type Column, DataTable } from '../../../ui/data-table.js'
import { Page } from '../../../ui/page.js'
import { SearchField } from '../../../ui/search-field.js'
import { EmptyState, ErrorState } from '../../../ui/states.js'
import { type FoundShipment, shipmentsQuery } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { useKeys } from '../../layout/keys.js'
import { useRowKeys } from '../../layout/row-keys.js'
import { paths } from '../../paths.js'
import { ShipmentFilters } from './filters.js'
import { blankOfficeSearch, queryOf, readOfficeShipmentsSearch } from './search.js'

const keyOf = ({ account, shipment }: FoundShipment) => `${account} ${shipment.svc_shipment_id}`
const linkOf = ({ account, shipment }: FoundShipment) => paths.shipment(account, shipment.svc_shipment_id)
const versionOf = ({ revision, shipment: { status, main_tracking_dates } }: FoundShipment) =>
  JSON.stringify([revision, status, main_tracking_dates])

/** Shipments of all customers. */
export function ShipmentsPage() {
  const { shipments: m } = useMessages()
  const { shipments: office, grid } = useOfficeMessages()
  const router = useRouter()
  const [search, change] = useAddressQuery(readOfficeShipmentsSearch)
  useListAddress(paths.shipments())
  const openGrid = () => router.history.push(paths.grid(search))
  useRowKeys()
  useKeys({ g: openGrid })
  const { account: _account, ...ofList } = search
  const tab = tabOf(ofList)
  const query = queryOf(search)
  const found = useInfiniteQuery(shipmentsQuery(query))
  const rows = useMemo(() => found.data?.pages.flatMap((page) => page.shipments) ?? [], [found.data])
  const names = useMemo(() => {
    const known: Record<string, string> = Object.assign(
      {},
      ...(found.data?.pages ?? []).map((page) => page.place_names),
    )
    return (code: string) => known[code] ?? code
  }, [found.data])
  const columns = useColumns(tab, names)
  const isFiltered = isNarrowed(search)
  const narrow = (next: Parameters<typeof change>[0]) => change({ tab, ...next }, { replace: false })
  const clear = () => change({ ...blankOfficeSearch, tab: search.tab }, { replace: false })
  const customer = rows[0]?.account_name
  const lead =
    search.account === undefined || customer === undefined
      ? office.lead(rows.length, found.hasNextPage)
      : office.leadOf(rows.length, found.hasNextPage, customer)

  return (
    <Page
      title={office.title}
      lead={found.data ? lead : m.counting}
      isLoading={found.isPending}
      actions={
        <Button variant="default" leftSection={<IconTable size={16} aria-hidden="true" />} onClick={openGrid}>
          {grid.open}
        </Button>
      }
    >
      <SavedViews
        page="shipments"
        search={search}
        builtIn={tabs.map((each) => ({
          name: m.views[viewNames[each]],
          search: { account: search.account, ...(each !== 'under_way' && { tab: each }) },
        }))}
        isWithin={(view) => tabOf(view) === tab}
        read={readOfficeShipmentsSearch}
        pathOf={paths.shipments}
        onChoose={(chosen) => change({ ...blankOfficeSearch, ...chosen }, { replace: false })}
      />
      <div className={lists.tools}>
        <div className={lists.search}>
          <SearchField
            label={m.search}
            placeholder={m.searchPlaceholder}
            value={search.q ?? ''}
            onChange={(q) => change({ q: q || undefined, tab })}
          />
        </div>
        <ShipmentFilters search={search} onChange={narrow} onClear={isFiltered ? clear : undefined} />
      </div>
      {found.isError && rows.length === 0 ? (
        <div className="panel">
          <ErrorState error={found.error} retry={() => void found.refetch()} />
        </div>
      ) : (
        <div className={lists.table} data-outdated={found.isPlaceholderData || undefined}>
          <DataTable<FoundShipment>
            key={tab}
            name={`office.shipments.${tab}`}
            rowHeight={48}
            label={office.title}
            rows={rows}
            columns={columns}
            rowKey={keyOf}
            rowLink={linkOf}
            sort={query.sort}
            order={query.order}
            onSort={(by, how) => narrow({ sort: by as ShipmentSort, order: how })}
            {...(!found.isPlaceholderData && { changes: { list: JSON.stringify(query), versionOf } })}
            card={({ account_name, shipment }) => (
              <>
                <span className="soft small">{account_name}</span>
                <ShipmentCard shipment={shipment} names={names} />
              </>
            )}
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
                <EmptyState title={m.noneInTab[tab]} text={office.noneText} />
              )
            }
          />
        </div>
      )}
    </Page>
  )
}

const viewNames = {
  under_way: 'underWay',
  late: 'late',
  drafts: 'drafts',
  finished: 'finished',
  all: 'all',
} as const satisfies Record<ShipmentTab, string>

/** Those of the portal, with the customer after the name. */
function useColumns(tab: ShipmentTab, names: (code: string) => string): Column<FoundShipment>[] {
  const messages = useMessages()
  const { shipments: office } = useOfficeMessages()
  const f = useFormat()
  return useMemo(() => {
    const [name, ...others] = shipmentColumns(tab, messages, f, names).map(
      (column): Column<FoundShipment> => ({ ...column, cell: ({ shipment }) => column.cell(shipment) }),
    )
    const customer: Column<FoundShipment> = {
      id: 'customer',
      header: office.customer,
      width: 164,
      rank: 0.5,
      cell: ({ account_name }) => <span className="clipped">{account_name}</span>,
    }
    return [...(name ? [name] : []), customer, ...others]
  }, [tab, messages, f, names, office])
}
