import { IconPlus, IconUpload } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { portalAddress } from '../../../../src/client/portal-client.js'
import type { PurchaseOrder } from '../../../../src/contract/public/purchase-order.js'
import {
  blankOrdersSearch,
  lateOrders,
  type OrderSort,
  type OrdersSearch,
  orderStates,
  readOrdersSearch,
} from '../../../../src/domain/purchase-orders/order-view.js'
import { listed, severalOf } from '../../../../src/domain/records/query-values.js'
import { useAddressQuery } from '../../../ui/address-query.js'
import { useListAddress } from '../../../ui/back-link.js'
import { Button, ButtonLink } from '../../../ui/button.js'
import { DataTable } from '../../../ui/data-table.js'
import { FilterMenu } from '../../../ui/filter-menu.js'
import { Page } from '../../../ui/page.js'
import { SearchField } from '../../../ui/search-field.js'
import { EmptyState, ErrorState } from '../../../ui/states.js'
import { ordersQuery } from '../../api/queries.js'
import { useMay } from '../../api/session.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { ExportMenu } from '../../layout/export-menu.js'
import { paths } from '../../paths.js'
import { isNarrowed } from '../list-search.js'
import lists from '../lists.module.css'
import { SavedViews } from '../saved-views.js'
import { OrderCard } from './order-card.js'
import { orderColumns } from './order-columns.js'
import { SupplierFilter } from './supplier-filter.js'

const pageSize = 50

export function OrdersPage() {
  const messages = useMessages()
  const m = messages.orders
  const format = useFormat()
  const mayWrite = useMay('write')
  const [search, change] = useAddressQuery(readOrdersSearch)
  useListAddress(paths.orders())
  const { view: _view, ...filter } = search
  const found = useInfiniteQuery(ordersQuery({ ...filter, take: pageSize }))
  const orders = found.data?.pages.flatMap((page) => page.purchase_orders) ?? []
  const count = found.data?.pages[0]?.count
  const arrivals = new Map(found.data?.pages.flatMap((page) => page.arrivals.map((each) => [each.reference, each])))
  const choose = (next: object) => change({ ...blankOrdersSearch, ...next }, { replace: false })
  const { sort, order } = search
  const clear = () => choose({ sort, order })

  return (
    <Page
      title={m.title}
      lead={
        count ? m.count(format.number(count.value), count.value, count.exact) : found.isError ? undefined : m.counting
      }
      actions={
        <>
          <ExportMenu addressOf={(to) => portalAddress('exportPurchaseOrders', { query: { ...filter, format: to } })} />
          {mayWrite && <OrderActions />}
        </>
      }
    >
      <SavedViews
        page="purchase_orders"
        search={search}
        builtIn={[
          { name: m.views.all, search: {} },
          { name: m.views.late, search: lateOrders },
          { name: m.views.toAssign, search: toAssign },
          { name: m.views.shipped, search: { state: 'shipped' } },
        ]}
        read={readOrdersSearch}
        pathOf={paths.orders}
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
        <div className={lists.filters} role="group" aria-label={m.filters}>
          <FilterMenu
            multiple
            label={m.state}
            value={listed(search.state)}
            options={orderStates.map((value) => ({ value, label: messages.statuses.orderState[value] }))}
            onChange={(chosen) => change({ state: severalOf(orderStates, chosen) }, { replace: false })}
          />
          <SupplierFilter value={search.supplier} onChange={(supplier) => change({ supplier }, { replace: false })} />
          {isNarrowed(search) && (
            <Button size="xs" variant="subtle" onClick={clear}>
              {m.clear}
            </Button>
          )}
        </div>
      </div>
      {found.isError && orders.length === 0 ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} />
      ) : (
        <div className={lists.table} data-outdated={found.isPlaceholderData || undefined}>
          <DataTable<PurchaseOrder>
            label={m.title}
            name="orders"
            rows={orders}
            columns={orderColumns(m, format, arrivals)}
            rowKey={({ po_number }) => po_number}
            rowLink={({ po_number }) => paths.order(po_number)}
            sort={sort ?? 'newest'}
            order={order ?? 'desc'}
            onSort={(by, direction) => change({ sort: by as OrderSort, order: direction }, { replace: false })}
            card={(each) => <OrderCard order={each} arrival={arrivals.get(each.po_number)} />}
            isLoading={found.isPending}
            hasMore={found.hasNextPage}
            loadMore={() => void found.fetchNextPage({ cancelRefetch: false })}
            empty={<NoOrders isNarrowed={isNarrowed(search)} mayWrite={mayWrite} onClear={clear} />}
          />
        </div>
      )}
    </Page>
  )
}

// By desired ex-factory date.
const toAssign: OrdersSearch = { state: 'open,partly_assigned', sort: 'ex_factory', order: 'asc' }

function OrderActions() {
  const m = useMessages().orders
  return (
    <>
      <ButtonLink
        variant="default"
        href={paths.uploadOrders()}
        leftSection={<IconUpload size={16} stroke={1.8} aria-hidden="true" />}
      >
        {m.upload}
      </ButtonLink>
      <ButtonLink href={paths.newOrder()} leftSection={<IconPlus size={16} stroke={1.8} aria-hidden="true" />}>
        {m.newOrder}
      </ButtonLink>
    </>
  )
}

type NoOrdersProps = { isNarrowed: boolean; mayWrite: boolean; onClear(): void }

function NoOrders({ isNarrowed: isFiltered, mayWrite, onClear }: NoOrdersProps) {
  const m = useMessages().orders
  if (!isFiltered) return <EmptyState title={m.none} text={mayWrite ? m.noneText : m.noneToRead} />
  const action = (
    <Button variant="default" onClick={onClear}>
      {m.clear}
    </Button>
  )
  return <EmptyState title={m.nothingMatches} text={m.nothingMatchesText} action={action} />
}
