import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { portalAddress } from '../../../../src/client/portal-client.js'
import { useAddressQuery } from '../../../ui/address-query.js'
import { useListAddress } from '../../../ui/back-link.js'
import { Button } from '../../../ui/button.js'
import { RowCheckbox } from '../../../ui/choices.js'
import { LoadMore } from '../../../ui/load-more.js'
import { ErrorNotice, useNotice } from '../../../ui/notice.js'
import { Page } from '../../../ui/page.js'
import { EmptyState, ErrorState, TableSkeleton } from '../../../ui/states.js'
import { exceptionsQuery } from '../../api/queries.js'
import { useMay } from '../../api/session.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { ExportMenu } from '../../layout/export-menu.js'
import { paths } from '../../paths.js'
import { isNarrowed } from '../list-search.js'
import lists from '../lists.module.css'
import { useAcknowledge } from './acknowledge.js'
import { ExceptionFilters } from './exception-filters.js'
import type { ListedException } from './exception-item.js'
import { acknowledgeText, ExceptionItem } from './exception-item.js'
import { useExceptionKeys } from './exception-keys.js'
import styles from './exceptions.module.css'
import { blankFilters, exceptionFilterOf, readExceptionsSearch } from './exceptions-search.js'
import { KeyHints } from './key-hints.js'
import { findNoted, NoteDialog } from './note-dialog.js'
import { SelectionBar } from './selection-bar.js'
import { StateTabs } from './state-tabs.js'

const idOf = ({ exception }: ListedException) => exception.exception_id
const isToDo = ({ exception: { state } }: ListedException) => state !== 'closed' && state !== 'acknowledged'

/** What needs attention: an inbox. Rules fill it, and people acknowledge what they have seen. */
export function ExceptionsPage() {
  const m = useMessages().exceptions
  const f = useFormat()
  const mayWrite = useMay('write')
  const [search, change] = useAddressQuery(readExceptionsSearch)
  useListAddress(paths.exceptions())
  const { state: _state, ...filters } = search
  const filter = exceptionFilterOf(search)
  const found = useInfiniteQuery(exceptionsQuery(filter))
  const first = found.data?.pages[0]
  const items = useMemo(() => found.data?.pages.flatMap((page) => page.exceptions) ?? [], [found.data])
  const selectable = items.filter(isToDo)
  const canSelect = mayWrite && selectable.length > 0
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  // Live changes may take away what is selected.
  const selected = selectable.map(idOf).filter((id) => ticked.has(id))
  const [noted, setNoted] = useState(findNoted)
  const [error, setError] = useState<unknown>()
  const [notice, notify] = useNotice()
  const acknowledge = useAcknowledge()
  const list = useRef<HTMLUListElement>(null)

  const act = async (ids: string[], note?: string) => {
    const { done, over } = await acknowledge(ids, note)
    setTicked(new Set())
    notify([...(done > 0 ? [m.done(done)] : []), ...(over > 0 ? [m.alreadyOver(over)] : [])].join(' '))
  }
  const run = (ids: string[]) => {
    setError(undefined)
    if (ids.length > 0) act(ids).catch(setError)
  }
  const tick = (ids: string[], isTicked: boolean) =>
    setTicked((before) => new Set(isTicked ? [...before, ...ids] : [...before].filter((id) => !ids.includes(id))))

  useExceptionKeys(list, {
    acknowledge(id) {
      if (!mayWrite) return
      if (selected.length > 0) run(selected)
      else if (id !== undefined && selectable.some((item) => idOf(item) === id)) run([id])
    },
    select(id) {
      if (mayWrite && selectable.some((item) => idOf(item) === id)) tick([id], !ticked.has(id))
    },
  })

  const clear = () => change(blankFilters, { replace: false })
  const isFiltered = isNarrowed(filters)
  const count = first?.count
  const shown = count && `${f.number(count.value)}${count.exact ? '' : '+'}`
  return (
    <Page
      title={m.title}
      lead={count ? m.lead(shown ?? '', count.value, filter.state) : found.isError ? undefined : m.counting}
      actions={
        <ExportMenu addressOf={(to) => portalAddress('exportExceptions', { query: { ...filter, format: to } })} />
      }
    >
      <StateTabs state={filter.state} filters={filters} />
      <div className={lists.tools}>
        <ExceptionFilters
          search={search}
          kinds={first?.kinds ?? []}
          change={change}
          onClear={isFiltered ? clear : undefined}
        />
      </div>
      {error !== undefined && <ErrorNotice error={error} />}
      {notice}
      {found.isError && items.length === 0 ? (
        <div className="panel">
          <ErrorState error={found.error} retry={() => void found.refetch()} />
        </div>
      ) : found.isPending ? (
        <TableSkeleton rows={8} columns={4} />
      ) : items.length === 0 ? (
        <div className="panel">
          <EmptyState
            title={isFiltered ? m.nothingMatches : m.none[filter.state]}
            text={isFiltered ? m.nothingMatchesText : m.noneText}
            {...(isFiltered && {
              action: (
                <Button variant="default" onClick={clear}>
                  {m.clear}
                </Button>
              ),
            })}
          />
        </div>
      ) : (
        <div className={lists.table} data-outdated={found.isPlaceholderData || undefined}>
          {canSelect && (
            <div className={styles.head}>
              <label className={styles.all}>
                <RowCheckbox
                  label={m.selectAll}
                  checked={selected.length === selectable.length}
                  isPartial={selected.length > 0 && selected.length < selectable.length}
                  onChange={({ currentTarget }) => tick(selectable.map(idOf), currentTarget.checked)}
                />
                <span className="small soft" aria-hidden="true">
                  {m.selectAll}
                </span>
              </label>
              <KeyHints />
            </div>
          )}
          <ul ref={list} className={`panel ${styles.list}`} aria-label={m.list}>
            {items.map((item) => {
              const id = idOf(item)
              const { kind } = item.exception
              const isOpen = mayWrite && isToDo(item)
              return (
                <ExceptionItem
                  key={id}
                  item={item}
                  isSelected={isOpen && ticked.has(id)}
                  {...(canSelect && {
                    before: isOpen && (
                      <RowCheckbox
                        label={m.select(m.kinds[kind])}
                        checked={ticked.has(id)}
                        onChange={({ currentTarget }) => tick([id], currentTarget.checked)}
                      />
                    ),
                  })}
                  actions={
                    isOpen && (
                      <>
                        <Button size="xs" variant="default" onClick={() => run([id])}>
                          {acknowledgeText(kind, m)}
                        </Button>
                        <Button size="xs" variant="subtle" onClick={() => setNoted([id])}>
                          {m.withNote}
                        </Button>
                      </>
                    )
                  }
                />
              )
            })}
          </ul>
          {found.hasNextPage && (
            <LoadMore count={items.length} loadMore={() => void found.fetchNextPage({ cancelRefetch: false })} />
          )}
        </div>
      )}
      <SelectionBar
        count={selected.length}
        onClear={() => setTicked(new Set())}
        onNote={() => setNoted(selected)}
        onAcknowledge={() => run(selected)}
      />
      {noted && <NoteDialog ids={noted} act={(note) => act(noted, note)} onClose={() => setNoted(undefined)} />}
    </Page>
  )
}
