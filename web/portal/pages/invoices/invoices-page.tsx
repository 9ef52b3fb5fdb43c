import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { portalAddress } from '../../../../src/client/portal-client.js'
import type { Invoice } from '../../../../src/contract/public/invoice.js'
import type { Currency } from '../../../../src/contract/public/shared-types.js'
import { listed, severalOf } from '../../../../src/domain/records/query-values.js'
import { useAddressQuery } from '../../../ui/address-query.js'
import { useListAddress } from '../../../ui/back-link.js'
import { Button } from '../../../ui/button.js'
import { DataTable } from '../../../ui/data-table.js'
import { FilterMenu } from '../../../ui/filter-menu.js'
import { Page } from '../../../ui/page.js'
import { SearchField } from '../../../ui/search-field.js'
import { EmptyState, ErrorState } from '../../../ui/states.js'
import { invoicesQuery, invoiceTotalsQuery } from '../../api/queries.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { ExportMenu } from '../../layout/export-menu.js'
import { paths } from '../../paths.js'
import { isNarrowed } from '../list-search.js'
import lists from '../lists.module.css'
import { SavedViews } from '../saved-views.js'
import { Ageing } from './ageing.js'
import { type DueRange, dueOf, dueRange, dueRanges } from './due-ranges.js'
import { grossOf } from './gross-text.js'
import { InvoiceCard } from './invoice-card.js'
import { invoiceColumns } from './invoice-columns.js'
import {
  blankInvoicesSearch,
  type InvoiceSort,
  type InvoicesSearch,
  invoiceStatuses,
  invoiceTypes,
  readInvoicesSearch,
} from './invoices-search.js'
import { outstandingOf } from './outstanding-text.js'
import { StatementButton } from './statement-button.js'

const pageSize = 50

export function InvoicesPage() {
  const messages = useMessages()
  const m = messages.invoices
  const shown = useFormat()
  const [search, change] = useAddressQuery(readInvoicesSearch)
  useListAddress(paths.invoices())
  const { view: _view, ...filter } = search
  const found = useInfiniteQuery(invoicesQuery({ ...filter, take: pageSize }))
  const invoices = found.data?.pages.flatMap((page) => page.invoices) ?? []
  const count = found.data?.pages[0]?.count
  const { sort, order } = search
  const choose = (next: object) => change({ ...blankInvoicesSearch, ...next }, { replace: false })
  const clear = () => choose({ sort, order })
  const gross = grossOf(found.data?.pages)

  return (
    <Page
      title={m.title}
      actions={
        <>
          <StatementButton />
          <ExportMenu addressOf={(format) => portalAddress('exportInvoices', { query: { ...filter, format } })} />
        </>
      }
      lead={
        count ? m.count(shown.number(count.value), count.value, count.exact) : found.isError ? undefined : m.counting
      }
    >
      <Ageing />
      <SavedViews
        page="invoices"
        search={search}
        builtIn={[
          { name: m.views.all, search: {} },
          { name: m.views.open, search: { state: 'open', sort: 'due', order: 'asc' } },
          { name: m.views.overdue, search: { state: 'overdue', sort: 'due', order: 'asc' } },
        ]}
        read={readInvoicesSearch}
        pathOf={paths.invoices}
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
        <Filters search={search} onChange={(next) => change(next, { replace: false })} onClear={clear} />
      </div>
      {found.isError && invoices.length === 0 ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} />
      ) : (
        <div className={lists.table} data-outdated={found.isPlaceholderData || undefined}>
          <DataTable<Invoice>
            label={m.title}
            name="invoices"
            rows={invoices}
            columns={invoiceColumns(messages, { gross, outstanding: outstandingOf(found.data?.pages) })}
            rowKey={({ reference }) => reference}
            rowLink={({ reference }) => paths.invoice(reference)}
            sort={sort ?? 'newest'}
            order={order ?? 'desc'}
            onSort={(by, direction) => change({ sort: by as InvoiceSort, order: direction }, { replace: false })}
            card={(invoice) => <InvoiceCard invoice={invoice} gross={gross} />}
            isLoading={found.isPending}
            hasMore={found.hasNextPage}
            loadMore={() => void found.fetchNextPage({ cancelRefetch: false })}
            empty={
              isNarrowed(search) ? (
                <EmptyState title={m.nothingMatches} text={m.nothingMatchesText} action={<Clear onClear={clear} />} />
              ) : (
                <EmptyState title={m.none} text={m.noneText} />
              )
            }
          />
        </div>
      )}
    </Page>
  )
}

type FiltersProps = {
  search: InvoicesSearch
  onChange(change: { [Name in keyof InvoicesSearch]?: InvoicesSearch[Name] | undefined }): void
  onClear(): void
}

function Filters({ search, onChange, onClear }: FiltersProps) {
  const { invoices: m, statuses } = useMessages()
  const { data: totals } = useQuery(invoiceTotalsQuery())
  const owed = totals?.currencies.map(({ currency }) => currency) ?? []
  const known = [...new Set([...owed, ...(search.currency ? [search.currency] : [])])]
  return (
    <div className={lists.filters} role="group" aria-label={m.filters}>
      <FilterMenu
        label={m.state}
        value={search.state}
        options={Object.entries(statuses.invoiceState).map(([value, label]) => ({ value, label }))}
        onChange={(state) => onChange({ state: state as InvoicesSearch['state'] })}
      />
      <FilterMenu
        multiple
        label={m.status}
        value={listed(search.status)}
        options={invoiceStatuses.map((value) => ({ value, label: statuses.invoice[value] }))}
        onChange={(chosen) => onChange({ status: severalOf(invoiceStatuses, chosen) })}
      />
      <FilterMenu
        label={m.type}
        value={search.type}
        options={invoiceTypes.map((value) => ({ value, label: statuses.invoiceType[value] }))}
        onChange={(type) => onChange({ type: type as InvoicesSearch['type'] })}
      />
      {known.length > 0 && (
        <FilterMenu
          label={m.currency}
          value={search.currency}
          options={known.map((value) => ({ value, label: value }))}
          onChange={(currency) => onChange({ currency: currency as Currency | undefined })}
        />
      )}
      <FilterMenu
        label={m.due}
        value={dueOf(search)}
        options={dueRanges.map((value) => ({ value, label: m.dueRanges[value] }))}
        onChange={(range) => onChange(dueRange(range as DueRange | undefined))}
      />
      {isNarrowed(search) && <Clear onClear={onClear} />}
    </div>
  )
}

function Clear({ onClear }: { onClear(): void }) {
  const m = useMessages().invoices
  return (
    <Button size="xs" variant="subtle" onClick={onClear}>
      {m.clear}
    </Button>
  )
}
