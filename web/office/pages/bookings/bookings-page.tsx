import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { readerOf, withoutBlanks } from '../../../../src/domain/records/query-values.js'
import lists from '../../../portal/pages/lists.module.css'
import { useAddressQuery } from '../../../ui/address-query.js'
import { useListAddress } from '../../../ui/back-link.js'
import { Button, ButtonLink } from '../../../ui/button.js'
import { FilterMenu } from '../../../ui/filter-menu.js'
import { LoadMore } from '../../../ui/load-more.js'
import { Page } from '../../../ui/page.js'
import { SearchField } from '../../../ui/search-field.js'
import { SegmentedControl } from '../../../ui/segmented-control.js'
import { EmptyState, ErrorState, TableSkeleton } from '../../../ui/states.js'
import { useChanges } from '../../../ui/use-changes.js'
import { ActionsContext, useActionState } from '../../actions/use-actions.js'
import { type OpenOrder, openOrdersQuery } from '../../api/bookings.js'
import { accountsQuery, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { useKeys } from '../../layout/keys.js'
import { paths } from '../../paths.js'
import { AddToShipment } from './add-to-shipment.js'
import styles from './bookings.module.css'
import { nameOf, OrderTable, type Row, rowsOf } from './order-table.js'
import { type UsedSelection, useSelection } from './selection.js'

const states = ['open', 'partly_assigned'] as const
type State = (typeof states)[number]
type Search = { q?: string | undefined; account?: string | undefined; state?: State | undefined }

function readSearch(raw: Record<string, string>): Search {
  const { text, oneOf } = readerOf(raw)
  return withoutBlanks<Search>({ q: text('q'), account: text('account'), state: oneOf('state', states) })
}

/** Orders of all customers that wait for a shipment, which is built from their lines. */
export function BookingsPage() {
  const { bookings: m } = useOfficeMessages()
  const [search, change] = useAddressQuery(readSearch)
  useListAddress(paths.bookings())
  const mayOperate = useMayDo('operate')
  const { actions, outcome } = useActionState()
  const { data: accounts = [] } = useQuery(accountsQuery())
  const found = useInfiniteQuery(openOrdersQuery(search as Parameters<typeof openOrdersQuery>[0]))
  const orders = useMemo(() => found.data?.pages.flatMap((page) => page.orders) ?? [], [found.data])
  const [opened, setOpened] = useState<Set<string>>(new Set())
  const rows = useMemo(() => rowsOf(orders, opened), [orders, opened])
  const used = useSelection()
  const desk = useDesk(rows, used, mayOperate)
  const { marks } = useChanges(
    found.isPending || found.isPlaceholderData
      ? undefined
      : {
          list: JSON.stringify(search),
          versions: orders.map((order) => [nameOf(order), JSON.stringify(order)]),
          isComplete: !found.hasNextPage,
        },
  )
  const isFiltered = Object.keys(search).length > 0
  const open = (order: OpenOrder) => setOpened(new Set([...opened, nameOf(order)]))
  return (
    <ActionsContext value={actions}>
      <Page
        title={m.title}
        lead={found.data ? m.lead(orders.length, found.hasNextPage) : undefined}
        isLoading={found.isPending}
        actions={
          <>
            <ButtonLink variant="default" href={paths.shipments({ tab: 'drafts', status: 'booking_request' })}>
              {m.requests}
            </ButtonLink>
            {mayOperate && <ButtonLink href={paths.newShipment({ blank: 'true' })}>{m.blank}</ButtonLink>}
          </>
        }
      >
        <div className={lists.tools}>
          <SegmentedControl
            label={m.show}
            isLabelHidden
            value={search.state ?? 'all'}
            options={(['all', ...states] as const).map((value) => ({ value, label: m.states[value] }))}
            onChange={(value) => change({ state: value === 'all' ? undefined : value })}
          />
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
              label={m.customer}
              value={search.account}
              options={accounts.map(({ slug, name }) => ({ value: slug, label: name }))}
              onChange={(account) => change({ account }, { replace: false })}
            />
          </div>
        </div>
        {outcome}
        {found.isError && orders.length === 0 ? (
          <div className="panel">
            <ErrorState error={found.error} retry={() => void found.refetch()} />
          </div>
        ) : found.isPending ? (
          <TableSkeleton rows={12} columns={5} />
        ) : orders.length === 0 ? (
          <div className="panel">
            <EmptyState
              title={isFiltered ? m.nothingMatches : m.empty}
              text={isFiltered ? m.nothingMatchesText : m.emptyText}
              action={
                isFiltered && (
                  <Button
                    variant="default"
                    onClick={() => change({ q: undefined, account: undefined, state: undefined })}
                  >
                    {m.clearFilters}
                  </Button>
                )
              }
            />
          </div>
        ) : (
          <div className={lists.table} data-outdated={found.isPlaceholderData || undefined}>
            <OrderTable
              orders={orders}
              opened={opened}
              onOpen={open}
              active={desk.active}
              selection={used.selection}
              isSelectable={mayOperate}
              onActivate={desk.activate}
              onSelect={desk.select}
              onQuantity={used.setQuantity}
              marks={marks}
            />
            {found.hasNextPage && (
              <LoadMore count={orders.length} loadMore={() => void found.fetchNextPage({ cancelRefetch: false })} />
            )}
          </div>
        )}
        {mayOperate && <SelectionBar used={used} onAdd={() => desk.setAdding(true)} onBuild={desk.build} />}
        {desk.isAdding && <AddToShipment used={used} onClose={() => desk.setAdding(false)} />}
      </Page>
    </ActionsContext>
  )
}

/** The active line, and the keys. */
function useDesk(rows: Row[], used: UsedSelection, mayOperate: boolean) {
  const router = useRouter()
  const [key, setKey] = useState<string>()
  const [last, setLast] = useState<string>()
  const [isAdding, setAdding] = useState(false)
  const { selection } = used
  const at = Math.max(
    0,
    rows.findIndex((row) => row.key === key),
  )
  const active = rows[at]
  const isOther = ({ order }: Row) => selection.account !== '' && selection.account !== order.account
  const chosenKey = ({ order, line }: Row) => JSON.stringify([order.reference, line.line])
  const isChosen = (row: Row) => !isOther(row) && selection.lines[chosenKey(row)] !== undefined

  const activate = (row: Row | undefined) => row && setKey(row.key)
  const select = (chosen: Row[], isTaken: boolean, isRange: boolean) => {
    const [row] = chosen
    if (!row) return
    const from = rows.findIndex((each) => each.key === last)
    const to = rows.findIndex((each) => each.key === row.key)
    const range = isRange && from >= 0 ? rows.slice(Math.min(from, to), Math.max(from, to) + 1) : chosen
    used.set(
      range.filter((each) => !isOther(each) && each.order.account === row.order.account),
      isTaken,
    )
    setLast(row.key)
    setKey(row.key)
  }
  const move = (by: number, isExtending: boolean) => {
    const next = rows[at + by]
    if (!next) return
    if (isExtending && mayOperate && active) {
      used.set(
        [active, next].filter((each) => !isOther(each) && each.order.account === active.order.account),
        true,
      )
      setLast(next.key)
    }
    activate(next)
  }
  const hasLines = Object.keys(selection.lines).length > 0
  const build = () => hasLines && router.history.push(paths.newShipment())
  useKeys({
    j: () => move(1, false),
    k: () => move(-1, false),
    ArrowDown: () => move(1, false),
    ArrowUp: () => move(-1, false),
    ...(mayOperate && {
      J: () => move(1, true),
      K: () => move(-1, true),
      x: () => active && !isOther(active) && select([active], !isChosen(active), false),
      X: () => active && !isOther(active) && select([active], true, true),
      e: () => document.querySelector<HTMLInputElement>(`tr[aria-current] .${styles.quantity}`)?.select(),
      n: build,
      a: () => hasLines && setAdding(true),
    }),
  })
  return { active, activate, select, build, isAdding, setAdding }
}

function SelectionBar({ used, onAdd, onBuild }: { used: UsedSelection; onAdd: () => void; onBuild: () => void }) {
  const { bookings: m, work } = useOfficeMessages()
  const { name, lines } = used.selection
  const chosen = Object.values(lines)
  if (chosen.length === 0) return null
  return (
    <div className={styles.bar} role="region" aria-label={m.selection}>
      <span className={styles.barText}>
        <span className="strong">
          {m.chosen(chosen.length, new Set(chosen.map(({ reference }) => reference)).size)}
        </span>
        <span className="soft"> {name}</span>
      </span>
      <Button onClick={onBuild}>
        {m.build} <kbd className={styles.key}>n</kbd>
      </Button>
      <Button variant="default" onClick={onAdd}>
        {m.add} <kbd className={styles.key}>a</kbd>
      </Button>
      <Button variant="subtle" onClick={used.clear}>
        {work.clearSelection}
      </Button>
    </div>
  )
}
