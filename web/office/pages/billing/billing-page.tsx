import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useFormat } from '../../../portal/i18n/format.js'
import lists from '../../../portal/pages/lists.module.css'
import { useAddressQuery } from '../../../ui/address-query.js'
import { useListAddress } from '../../../ui/back-link.js'
import { InvoiceStatusBadge, StatusBadge } from '../../../ui/badges.js'
import { ButtonLink } from '../../../ui/button.js'
import { type Column, DataTable } from '../../../ui/data-table.js'
import { FilterMenu } from '../../../ui/filter-menu.js'
import { MoneyText } from '../../../ui/money-text.js'
import { Page } from '../../../ui/page.js'
import { SearchField } from '../../../ui/search-field.js'
import { SegmentedControl } from '../../../ui/segmented-control.js'
import { EmptyState, ErrorState } from '../../../ui/states.js'
import { ActionsContext, useActionState } from '../../actions/use-actions.js'
import { type InvoiceRow, invoicesQuery } from '../../api/billing.js'
import { accountsQuery } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { useKeys } from '../../layout/keys.js'
import { useRowKeys } from '../../layout/row-keys.js'
import { paths } from '../../paths.js'
import { Unbilled } from './unbilled.js'

const views = ['open', 'overdue', 'draft', 'disputed', 'unbilled', 'settled', 'all'] as const
type View = (typeof views)[number]
type Search = { view: View; account?: string | undefined; q?: string | undefined }

function read({ view, account, q }: Record<string, string>): Search {
  return { view: views.find((each) => each === view) ?? 'open', ...(account && { account }), ...(q && { q }) }
}

/** Invoices, credit notes and drafts of all customers, and shipments without an invoice. */
export function BillingPage() {
  const { billing: m } = useOfficeMessages()
  const [{ view, account, q }, change] = useAddressQuery(read)
  const { data: accounts = [] } = useQuery(accountsQuery())
  const { actions, outcome } = useActionState()
  useListAddress(paths.billing())
  useRowKeys()
  const go = (next: View) => change({ view: next }, { replace: false })
  useKeys({
    z: actions.undo,
    ...Object.fromEntries(views.map((each, index) => [String(index + 1), () => go(each)])),
  })
  return (
    <ActionsContext value={actions}>
      <Page
        title={m.title}
        actions={
          <>
            <ButtonLink variant="default" href={paths.bankList()}>
              {m.bankList}
            </ButtonLink>
            <ButtonLink variant="default" href={paths.ageing()}>
              {m.ageing}
            </ButtonLink>
            <ButtonLink variant="default" href={paths.billingSettings()}>
              {m.settings}
            </ButtonLink>
          </>
        }
      >
        <Views view={view} account={account} onChange={go} />
        <div className={lists.tools}>
          <div className={lists.search}>
            <SearchField
              label={m.filter}
              placeholder={m.filter}
              value={q ?? ''}
              onChange={(text) => change({ q: text || undefined })}
            />
          </div>
          <div className={lists.filters}>
            <FilterMenu
              label={m.customer}
              value={account}
              options={accounts.map(({ slug, name }) => ({ value: slug, label: name }))}
              onChange={(value) => change({ account: value })}
            />
          </div>
        </div>
        {outcome}
        {view === 'unbilled' ? <Unbilled account={account} q={q} /> : <Invoices view={view} account={account} q={q} />}
      </Page>
    </ActionsContext>
  )
}

type ViewsProps = { view: View; account: string | undefined; onChange: (view: View) => void }

/** Each with the number of what it opens. */
function Views({ view, account, onChange }: ViewsProps) {
  const { billing: m } = useOfficeMessages()
  const f = useFormat()
  const { data } = useInfiniteQuery(invoicesQuery({ state: 'open', ...(account !== undefined && { account }) }))
  const counts: Partial<Record<View, number>> = data?.pages[0]?.counts ?? {}
  const options = views.map((value) => {
    const count = counts[value]
    return { value, label: count === undefined ? m.views[value] : `${m.views[value]} ${f.number(count)}` }
  })
  return <SegmentedControl label={m.view} isLabelHidden isTabs value={view} options={options} onChange={onChange} />
}

type InvoicesProps = { view: Exclude<View, 'unbilled'>; account: string | undefined; q: string | undefined }

const keyOf = ({ account, reference }: InvoiceRow) => `${account} ${reference}`
const linkOf = ({ account, reference }: InvoiceRow) => paths.invoice(account, reference)

function Invoices({ view, account, q }: InvoicesProps) {
  const { billing: m } = useOfficeMessages()
  const query = { state: view, ...(account !== undefined && { account }), ...(q !== undefined && { q }) }
  const found = useInfiniteQuery(invoicesQuery(query))
  const columns = useColumns()
  const rows = found.data?.pages.flatMap(({ invoices }) => invoices) ?? []
  if (found.error && !found.data) return <ErrorState error={found.error} retry={() => void found.refetch()} />
  return (
    <DataTable<InvoiceRow>
      name="office.billing"
      label={m.views[view]}
      rows={rows}
      columns={columns}
      rowKey={keyOf}
      rowLink={linkOf}
      isLoading={found.isPending}
      hasMore={found.hasNextPage}
      loadMore={() => void found.fetchNextPage()}
      {...(!found.isPlaceholderData && { changes: { list: JSON.stringify(query), versionOf: JSON.stringify } })}
      card={(row) => (
        <>
          <span className="strong">{row.number ?? row.reference}</span> {row.account_name} <Amounts of={row.totals} />{' '}
          <Status of={row} />
        </>
      )}
      empty={<EmptyState title={m.none} text={m.noneText} />}
    />
  )
}

function useColumns(): Column<InvoiceRow>[] {
  const { billing: m } = useOfficeMessages()
  const f = useFormat()
  return [
    {
      id: 'number',
      header: m.number,
      always: true,
      width: 160,
      cell: ({ number, reference }) => <span className="mono">{number ?? reference}</span>,
    },
    { id: 'customer', header: m.customer, grow: true, width: 180, cell: ({ account_name }) => account_name },
    { id: 'status', header: m.status, width: 150, cell: (row) => <Status of={row} /> },
    { id: 'due', header: m.due, width: 120, cell: ({ due_date }) => (due_date === undefined ? '–' : f.day(due_date)) },
    { id: 'total', header: m.total, align: 'right', width: 150, cell: ({ totals }) => <Amounts of={totals} /> },
    {
      id: 'outstanding',
      header: m.outstanding,
      align: 'right',
      width: 150,
      cell: ({ outstanding }) => <Amounts of={outstanding} />,
    },
    {
      id: 'shipment',
      header: m.shipment,
      width: 130,
      cell: ({ svc_shipment_id }) => <span className="mono soft">{svc_shipment_id ?? ''}</span>,
    },
  ]
}

function Amounts({ of }: { of: InvoiceRow['totals'] }) {
  return (
    <>
      {of.map((price, index) => (
        <span key={price.currency}>
          {index > 0 && ' + '}
          <MoneyText price={price} />
        </span>
      ))}
    </>
  )
}

function Status({ of: { draft, status, type, overdue_days } }: { of: InvoiceRow }) {
  const { billing: m } = useOfficeMessages()
  if (draft) return <StatusBadge tone="planned">{m.draft}</StatusBadge>
  if (overdue_days !== undefined && status !== 'litigious') {
    return <StatusBadge tone="late">{m.overdue(overdue_days)}</StatusBadge>
  }
  return (
    <>
      {type === 'credit_note' && <span className="soft">{m.creditNote} </span>}
      <InvoiceStatusBadge status={status} />
    </>
  )
}
